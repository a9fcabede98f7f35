import EventStore
import Foundation
import Postgres
import Reports

/// Shows the last events, and goes on until it is asked to stop.
struct TailRun {
  let options: ConnectionOptions
  let format: TailFormat
  /// Triggered by a signal.
  let interrupt: WaitInterrupt
  private var reader: TailReader

  /// Between two looks: a line is there well within a second of its commit.
  private static let pauseMilliseconds: Int32 = 250
  private static let patienceMilliseconds: Int32 = 1_000

  init(_ options: ConnectionOptions, _ filter: TailFilter, format: TailFormat, interrupt: WaitInterrupt) {
    self.options = options
    self.format = format
    self.interrupt = interrupt
    reader = TailReader(filter)
  }

  /// The last events.
  ///
  /// - Returns: whether there were any.
  mutating func showLast(_ count: Int, _ connection: inout PostgresConnection) throws -> Bool {
    let pieces = try reader.last(count, &connection)
    for piece in pieces { try Self.write(piece, format) }
    return !pieces.isEmpty
  }

  /// Shows what comes, until the interrupt: connects anew where the connection is lost.
  ///
  /// - Throws: what cannot be mended by waiting, and a closed pipe.
  mutating func follow(_ first: consuming PostgresConnection) throws {
    var connection: PostgresConnection? = consume first
    var isLost = false
    while !interrupt.isTriggered {
      do {
        if connection == nil { connection = try PostgresConnection(options) }
        guard var open = connection.take() else { continue }
        if isLost { Console.note("pagefall: connected again; going on where it was") }
        isLost = false
        let format = format
        try reader.readNew(&open, missed: Self.noteMissed) { piece in try Self.write(piece, format) }
        connection = consume open
      } catch TailFault.otherDatabase {
        Console.note("pagefall: the database is another one, or an older copy: showing what is stored from now on")
        reader.beginAnew()
        continue
      } catch let error as PostgresError {
        if interrupt.isTriggered { return }
        guard error.isRetryable || error.kind == .connection || error.kind == .timeout else { throw error }
        if !isLost { Console.note("pagefall: the database is away (\(error.description)); trying again every second") }
        isLost = true
      }
      try waitForReader(milliseconds: isLost ? Self.patienceMilliseconds : Self.pauseMilliseconds)
    }
  }

  /// Waits, unless a signal comes or whoever reads the output (`head`, a pager) has gone: with nothing to write, only a look
  /// tells.
  private func waitForReader(milliseconds: Int32) throws(CommandError) {
    let deadline = ContinuousClock.now + .milliseconds(Int(milliseconds))
    while ContinuousClock.now < deadline, !interrupt.isTriggered {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      if poll(&output, 1, 50) > 0 {
        if output.revents & Int16(POLLERR | POLLNVAL) != 0 { throw .closedPipe }
        usleep(50_000)
      }
    }
  }

  private static func noteMissed() {
    Console.note(
      "pagefall: some events may be missing here: more was stored meanwhile than the journal keeps, an hour and "
        + "\(Housekeeping.maximumStoredBatches) batches at the most")
  }

  private static func write(_ piece: TailPiece, _ format: TailFormat) throws(CommandError) {
    var text = ""
    for line in piece.lines { text += format.text(line) }
    try Console.print(text + format.text(piece.further, storedAtMicroseconds: piece.storedAtMicroseconds))
  }
}
