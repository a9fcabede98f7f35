/// A name in a directory, byte for byte: file systems take other bytes than UTF-8, and what has such a name must be found
/// under it again.
struct EntryName: Hashable, Sendable {
  /// Its bytes and a zero, as system calls take it.
  let cString: [CChar]

  init(_ text: String) { cString = Array(text.utf8CString) }

  /// The bytes up to the first zero, or all.
  init(bytes: UnsafeRawBufferPointer) {
    cString = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }
}

extension EntryName: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self.init(text) }
}

extension EntryName: CustomStringConvertible {
  /// For people: bytes that are not UTF-8 are shown as U+FFFD.
  var description: String { String(decoding: cString.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

extension EntryName: Comparable {
  /// By their bytes.
  static func < (left: EntryName, right: EntryName) -> Bool {
    left.cString.lexicographicallyPrecedes(right.cString) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) }
  }
}
