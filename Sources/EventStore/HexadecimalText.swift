/// Bytes as text: two digits each, in lower case.
enum HexadecimalText {
  /// Nothing for no bytes.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
