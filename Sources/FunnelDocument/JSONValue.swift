/// A JSON value whose objects keep the order of their keys, and whose integers stay integers.
///
/// Foundation's encoders order keys by spelling or not at all; the order of metrics §5 is meant to be read by people.
public enum JSONValue: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number. Must be finite: JSON has no other (a writer prints `null` instead).
  case number(Double)
  /// A text.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its members in order.
  case object([JSONMember])
}

/// One key of a JSON object with its value.
public struct JSONMember: Equatable, Sendable {
  /// The key.
  public var key: String
  /// The value under the key.
  public var value: JSONValue

  /// Makes a member.
  public init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension JSONValue {
  /// The value under a key, or nil where this is not an object or has no such key. The first of equal keys counts.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The elements of an array, else nil.
  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object in their order, else nil.
  public var objectValue: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The text of a string, else nil.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// An integer's value, else nil. `1.0` is not an integer.
  public var integerValue: Int? {
    if case .integer(let value) = self { Int(exactly: value) } else { nil }
  }

  /// A number's value, whether it was written as an integer or not, else nil.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// True for `null` alone.
  public var isNull: Bool { self == .null }

  /// An optional integer: nil becomes `null`.
  package static func optional(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }

  /// An optional number: nil becomes `null`.
  package static func optional(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

  /// An optional text: nil becomes `null`.
  package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

  /// A count.
  package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
}
