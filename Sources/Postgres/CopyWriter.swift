import CLibPQ

/// The sending side of `COPY … FROM STDIN`, lent to the closure of `PostgresConnection.copyIn`.
///
/// Best fed with pieces of some tens of kilobytes; where the pieces end does not matter.
public struct CopyWriter: ~Copyable {
  private let session: ConnectionSession
  private let limit: WaitLimit
  private var unflushedBytes = 0
  /// Why sending broke, also where the closure keeps it to itself.
  private(set) var failure: PostgresError?

  /// One message to the server, and the amount after which libpq's buffer is emptied: bounds its memory.
  private static let pieceBytes = 256 * 1024
  private static let flushBytes = 64 * 1024

  init(session: ConnectionSession, limit: WaitLimit) {
    self.session = session
    self.limit = limit
  }

  /// Sends bytes of the COPY stream.
  ///
  /// A fault of the data is found out by the server and comes out of `copyIn` at the end.
  ///
  /// - Throws: `.timeout` where the server takes nothing for the COPY's timeout, `.interrupted`, `.connection`, or what
  ///   the server said before it closed the connection.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
    if let failure { throw failure }
    do throws(PostgresError) {
      var rest = bytes
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceBytes))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        try send(piece)
      }
    } catch {
      failure = error
      throw error
    }
  }

  /// Sends what has been encoded, and empties the encoder for more.
  public mutating func write(_ encoder: inout BinaryCopyEncoder) throws(PostgresError) {
    try write(encoder.encodedBytes)
    encoder.removeAll()
  }

  private mutating func send(_ piece: UnsafeRawBufferPointer) throws(PostgresError) {
    var isWhole = try session.putCopyData(piece, within: limit)
    unflushedBytes += piece.count
    if isWhole && unflushedBytes >= Self.flushBytes {
      isWhole = try session.flush(within: limit)
      unflushedBytes = 0
    }
    if !isWhole { throw session.lastWords(within: limit) }
  }
}

extension ConnectionSession {
  /// Why the connection broke: what the server said before, or that it is lost.
  func lastWords(within limit: WaitLimit) -> PostgresError {
    guard isBroken else { return PostgresError(brokenConnection: connection) }
    do throws(PostgresError) {
      while let result = try nextResult(within: limit) {
        if result.isFailure { return PostgresError(failedResult: result.pointer, connection: connection) }
        // A broken connection in COPY mode would answer the same for ever.
        if result.status == PGRES_COPY_IN { break }
      }
    } catch { return error }
    return PostgresError(brokenConnection: connection)
  }
}
