import EventRecords

/// How a body's bytes are to be read.
public enum IntakeFormat: Sendable {
  /// One batch, one array of events or one event (`application/json`).
  case json
  /// A batch or an event a line (`application/x-ndjson`).
  case ndjson
}

/// What holds for a body as a whole.
public struct IntakeRequest: Sendable {
  /// The app that the write key names.
  public var app: String
  /// How its bytes are to be read: what its content type says.
  public var format: IntakeFormat
  /// With `.file`, a batch's `received_at` counts; over HTTP it is ignored (contract §3).
  public var origin: EventOrigin
  /// When the last byte of the request was read, microseconds since 1970; nil: unknown, as in a file.
  public var receivedAtMicroseconds: Int64?

  /// Names all four.
  public init(app: String, format: IntakeFormat, origin: EventOrigin, receivedAtMicroseconds: Int64?) {
    self.app = app
    self.format = format
    self.origin = origin
    self.receivedAtMicroseconds = receivedAtMicroseconds
  }
}
