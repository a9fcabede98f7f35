extension ServiceLog {
  /// What a field of a line holds.
  ///
  /// Literals do: `["rows": 12, "address": "127.0.0.1:8787"]`.
  public enum Value: Sendable, Equatable {
    /// Text; quoted and escaped where it needs it, cut after 1,024 bytes.
    case string(String)
    /// A whole number.
    case int(Int64)
    /// A number; written with as many digits as it needs.
    case double(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// A time span, written in seconds with up to six fraction digits: `1.5s`.
    case duration(Duration)

    /// A whole number of any width; what does not fit into 64 bits becomes the nearest that does.
    public static func integer(_ value: some BinaryInteger) -> Value { .int(Int64(clamping: value)) }
  }
}

extension ServiceLog.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension ServiceLog.Value: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension ServiceLog.Value: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension ServiceLog.Value: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
