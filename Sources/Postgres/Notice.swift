import CLibPQ

/// A notice or warning of the server, or of libpq itself: its gravity and its first message, without details.
public struct Notice: Sendable {
  /// How grave it is.
  public let severity: Severity
  /// Its code; nil for libpq's own.
  public let sqlState: SQLState?
  /// The primary message on one line. A function's `RAISE NOTICE` says here what its author wrote, values included.
  public let message: String
}

/// Takes notices from libpq and hands them to the connection's log.
final class NoticeSink: Sendable {
  private let log: @Sendable (Notice) -> Void

  init(log: @escaping @Sendable (Notice) -> Void) {
    self.log = log
  }

  /// Has libpq call this sink, which must live as long as the connection.
  func install(on connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { sink, result in
        guard let sink, let result else { return }
        Unmanaged<NoticeSink>.fromOpaque(sink).takeUnretainedValue().receive(result)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func receive(_ result: OpaquePointer) {
    let message =
      MessageField.text(MessageField.primaryMessage, of: result) ?? String(cString: PQresultErrorMessage(result))
    log(
      Notice(
        severity: MessageField.severity(of: result) ?? .notice,
        sqlState: MessageField.text(MessageField.sqlState, of: result).flatMap(SQLState.init(_:)),
        message: message.onOneLine))
  }
}
