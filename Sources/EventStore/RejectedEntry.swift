import Postgres

/// What identifies a rejected event: its app and its bytes (contract §2).
public struct RejectedKey: Hashable, Sendable {
  /// The app's number in `pagefall.apps`.
  public var appID: Int32
  /// The SHA-256 of the body, 32 bytes.
  public var sha256: [UInt8]

  /// Names both.
  public init(appID: Int32, sha256: [UInt8]) {
    self.appID = appID
    self.sha256 = sha256
  }
}

/// Why an event is kept as rejected.
public struct RejectedReason: Equatable, Sendable {
  /// The code's name. Text, for another version of this program may have written one that this one does not know.
  public var code: String
  /// The bare name of the field at fault; nil: the event as a whole.
  public var field: String?
  /// What was found and what is expected.
  public var message: String

  /// Names all three.
  public init(code: String, field: String?, message: String) {
    self.code = code
    self.field = field
    self.message = message
  }
}

/// A row of `pagefall.rejected` without its body.
public struct RejectedEntry: Equatable, Sendable {
  /// What identifies it.
  public var key: RejectedKey
  /// Its app's name.
  public var app: String
  /// Why it is kept.
  public var reason: RejectedReason
  /// Where it stood when it first came: index in its request from 0, or line of its file from 1; nil: not known.
  public var place: Int64?
  /// How long the body is.
  public var bodyBytes: Int
  /// The `sent_at` of the request that it first came with, microseconds since 1970; nil: it had none.
  public var sentAtMicroseconds: Int64?
  /// When it was first received, microseconds since 1970 (of a file that does not say: when that was read).
  public var firstReceivedAtMicroseconds: Int64
  /// When it was last received, likewise.
  public var lastReceivedAtMicroseconds: Int64
  /// When it was stored here, microseconds since 1970: after 90 days it is removed.
  public var keptSinceMicroseconds: Int64
  /// How often it came.
  public var count: Int64

  /// The first 12 hexadecimal digits of the SHA-256: how people call it.
  public var handle: String { String(sha256Text.prefix(12)) }

  /// All 64 hexadecimal digits of the SHA-256.
  public var sha256Text: String { HexadecimalText.text(key.sha256) }

  /// What is selected for `init(_:row:)`, of `pagefall.rejected AS r LEFT JOIN pagefall.apps AS a`.
  static let columns = """
    r.app_id, COALESCE(a.name, '(unknown)'), r.sha256, r.code, r.field, r.message, r.place, octet_length(r.body), r.sent_at,
      r.first_received_at, r.last_received_at, r.kept_since, r.count
    """

  init(_ result: borrowing QueryResult, row: Int) throws(PostgresError) {
    key = RejectedKey(appID: try result[row, 0], sha256: try result[row, 2])
    app = try result[row, 1]
    reason = RejectedReason(code: try result[row, 3], field: try result[row, 4], message: try result[row, 5])
    place = try result[row, 6]
    let bytes: Int32 = try result[row, 7]
    bodyBytes = Int(bytes)
    let sent: PostgresTimestamp? = try result[row, 8]
    sentAtMicroseconds = sent?.microsecondsSince1970
    let first: PostgresTimestamp = try result[row, 9]
    firstReceivedAtMicroseconds = first.microsecondsSince1970
    let last: PostgresTimestamp = try result[row, 10]
    lastReceivedAtMicroseconds = last.microsecondsSince1970
    let kept: PostgresTimestamp = try result[row, 11]
    keptSinceMicroseconds = kept.microsecondsSince1970
    count = try result[row, 12]
  }
}

/// A row of `pagefall.rejected` with its body.
public struct RejectedBody: Sendable {
  /// All but the body.
  public var entry: RejectedEntry
  /// What was sent, byte for byte.
  public var bytes: [UInt8]
}
