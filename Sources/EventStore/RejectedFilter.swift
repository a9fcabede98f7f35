import Postgres
import StoryEvents

/// Which of the rejected events are meant: all conditions together.
public struct RejectedFilter: Equatable, Sendable {
  /// Only of these apps; empty: of all.
  public var appIDs: [Int32] = []
  /// Only with these codes; empty: with any.
  public var codes: [RejectionCode] = []
  /// Only what was first received from then on, microseconds since 1970; nil: from the beginning.
  public var fromMicroseconds: Int64?
  /// Only what was first received before then, microseconds since 1970; nil: up to now.
  public var toMicroseconds: Int64?

  /// All of them.
  public init() {}

  /// SQL about `pagefall.rejected AS r`, with the first four parameters.
  static let condition = """
    ($1::int4[] IS NULL OR r.app_id = ANY ($1)) AND ($2::text[] IS NULL OR r.code = ANY ($2))
      AND ($3::timestamptz IS NULL OR r.first_received_at >= $3) AND ($4::timestamptz IS NULL OR r.first_received_at < $4)
    """

  /// The values of these parameters.
  var parameters: [PostgresValue] {
    [
      appIDs.isEmpty ? .null : .int32Array(appIDs.map { $0 }),
      codes.isEmpty ? .null : .textArray(codes.map(\.name)),
      fromMicroseconds.map { .timestamp(PostgresTimestamp(microsecondsSince1970: $0)) } ?? .null,
      toMicroseconds.map { .timestamp(PostgresTimestamp(microsecondsSince1970: $0)) } ?? .null,
    ]
  }
}
