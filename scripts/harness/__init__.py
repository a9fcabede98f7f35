"""What the benchmarks and the crash test share: the built command, its PostgreSQL, its collector, and a sender.

Only Python's standard library. Everything runs in a directory that is given, talks to loopback alone, and is stopped by
process id when its `with` block ends.
"""
