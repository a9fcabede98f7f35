/// A text that is told apart by its bytes, as in the database. To Swift itself two ways to write an accent are the same text.
struct ByteText: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ByteText, right: ByteText) -> Bool { left.text.isSameBytes(as: right.text) }

  static func < (left: ByteText, right: ByteText) -> Bool { left.text.precedes(right.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension StringProtocol {
  /// Whether the database takes both for the same text.
  func isSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether the text stands before another by its bytes: an order in which no two texts are equal that the database tells
  /// apart.
  func precedes(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
