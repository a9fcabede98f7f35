/// A point in time of PostgreSQL's `timestamptz`, by microseconds.
public struct PostgresTimestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z, negative before. The largest and the smallest number are the infinities.
  public var microsecondsSince1970: Int64

  /// From microseconds since 1970.
  @inlinable
  public init(microsecondsSince1970: Int64) {
    self.microsecondsSince1970 = microsecondsSince1970
  }

  /// PostgreSQL's `infinity`, later than all others.
  public static let infinity = PostgresTimestamp(microsecondsSince1970: .max)
  /// PostgreSQL's `-infinity`, earlier than all others.
  public static let negativeInfinity = PostgresTimestamp(microsecondsSince1970: .min)

  /// Earlier than.
  public static func < (left: PostgresTimestamp, right: PostgresTimestamp) -> Bool {
    left.microsecondsSince1970 < right.microsecondsSince1970
  }

  /// The number on the wire counts from 2000-01-01, which lies this much after 1970-01-01.
  @usableFromInline
  static let epochDifferenceMicroseconds: Int64 = 946_684_800_000_000

  /// The number on the wire. What lies before PostgreSQL's range stays out of it (the server refuses it with 22008),
  /// and does not turn into an infinity.
  @inlinable
  var wireMicroseconds: Int64 {
    if microsecondsSince1970 == .max || microsecondsSince1970 == .min { return microsecondsSince1970 }
    let (difference, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.epochDifferenceMicroseconds)
    return overflow ? .min + 1 : difference
  }

  /// Nil for the years from 294246 on, which PostgreSQL has and 64 bits since 1970 do not reach.
  init?(wireMicroseconds: Int64) {
    if wireMicroseconds == .max || wireMicroseconds == .min {
      self.init(microsecondsSince1970: wireMicroseconds)
      return
    }
    let (sum, overflow) = wireMicroseconds.addingReportingOverflow(Self.epochDifferenceMicroseconds)
    if overflow || sum == .max { return nil }
    self.init(microsecondsSince1970: sum)
  }
}
