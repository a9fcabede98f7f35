// simdjson is C++: only EventScanner includes it. The module carries its pkg-config flags.
