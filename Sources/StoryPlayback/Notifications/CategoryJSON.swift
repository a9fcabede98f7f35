import Foundation

/// A JSON value with its numbers in decimal, so that an id of any size stays what was sent.
///
/// Foundation's `JSONSerialization` would hand out a `true` that is hard to tell from 1, and large integers as `Double`.
enum CategoryJSON: Decodable {
  case null
  case bool(Bool)
  /// Nil where the number is beyond what `Decimal` holds; also for a text with a lone surrogate, which is no text.
  case number(Decimal?)
  case string(String)
  case array([CategoryJSON])
  case object([String: CategoryJSON])

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      var members: [String: CategoryJSON] = [:]
      for key in object.allKeys { members[key.stringValue] = try object.decode(CategoryJSON.self, forKey: key) }
      self = .object(members)
    } else if var array = try? decoder.unkeyedContainer() {
      var elements: [CategoryJSON] = []
      while !array.isAtEnd { elements.append(try array.decode(CategoryJSON.self)) }
      self = .array(elements)
    } else {
      self = Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) -> CategoryJSON {
    if value.decodeNil() { return .null }
    if let text = try? value.decode(String.self) { return .string(text) }
    if let flag = try? value.decode(Bool.self) { return .bool(flag) }
    return .number(try? value.decode(Decimal.self))
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension CategoryJSON {
  /// Whether it is absent in effect.
  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// As the SDK's `boolValue` reads it: a number other than zero; of a text, Y, T or a digit other than zero in front,
  /// after blanks, a sign and zeros.
  var isTrue: Bool {
    switch self {
    case .null, .array, .object: return false
    case .bool(let flag): return flag
    case .number(let number): return number != 0
    case .string(let text):
      var scalars = text.unicodeScalars.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
      if scalars.first == "+" || scalars.first == "-" { scalars = scalars.dropFirst() }
      scalars = scalars.drop { $0 == "0" }
      guard let first = scalars.first else { return false }
      return "YyTt123456789".unicodeScalars.contains(first)
    }
  }

  /// Whether it is the number 1, also where it is written as a text or as `true`.
  var isOne: Bool {
    switch self {
    case .null, .array, .object: false
    case .bool(let flag): flag
    case .number(let number): number == 1
    case .string(let text): Int(text) == 1
    }
  }
}
