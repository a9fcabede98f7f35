import EventStore
import Postgres
import Reports
import StoryEvents

/// Which events are wanted.
struct TailFilter: Equatable {
  /// Only of these apps, by number; empty: of all.
  var appIDs: [Int32] = []
  /// Only of the session whose id is this, or begins so.
  var session: SessionReference?
}

/// Reads what was stored since it looked last.
///
/// `snapshot` is what the database showed at the last look. What the next one shows and that did not is new: exactly once,
/// whatever the order in which transactions commit. (`sql/0011_stored_batches.sql`.)
struct TailReader {
  let filter: TailFilter
  private(set) var snapshot: String?
  /// The number of the newest batch that was ever seen, and when it was looked for last.
  private var newestBatch: Int64?
  private var lookedAt = ContinuousClock.now
  /// A look that was broken off: what the database showed then, and the last batch of that which was handed on.
  private var unfinished: (now: Look, after: Int64)?

  /// How far the journal reaches back at least, where it has few batches (`Housekeeping`).
  private static let journalSpan = Duration.seconds(3_600)

  /// Batches that are read at a time, so that a slow reader does not take all of them into memory.
  private static let batchesPerLook = 40
  /// Events of a session that are shown at a time.
  static let sessionEventsPerLook = 10_000

  init(_ filter: TailFilter) {
    self.filter = filter
  }

  /// The last events, the oldest first; what is new is counted from now on.
  mutating func last(_ count: Int, _ connection: inout PostgresConnection) throws -> [TailPiece] {
    let (pieces, now) = try connection.transaction(isolation: .repeatableRead, readOnly: true) {
      (connection: inout PostgresConnection) -> ([TailPiece], Look) in
      let now = try Look(&connection)
      if filter.session != nil { return (try lastOfSession(count, &connection), now) }
      var pieces: [TailPiece] = []
      var missing = count
      var before = Int64.max
      while missing > 0 {
        let batches = try StoredBatch.read(before: before, limit: Self.batchesPerLook, &connection)
        guard let oldest = batches.last?.id else { break }
        before = oldest
        for batch in batches where missing > 0 {
          var piece = try self.piece(of: batch, &connection)
          piece.lines = Array(piece.lines.suffix(missing))
          missing -= piece.lines.count
          if !piece.lines.isEmpty || !piece.further.isEmpty { pieces.append(piece) }
        }
      }
      return (Array(pieces.reversed()), now)
    }
    remember(now)
    return pieces
  }

  /// What is new, batch by batch in the order of their numbers. Where the connection is lost, the next call goes on behind what
  /// was handed on.
  ///
  /// - Parameters:
  ///   - missed: is called before anything is shown where the journal may have let batches go since the last look.
  ///   - body: gets each piece.
  mutating func readNew(
    _ connection: inout PostgresConnection, missed: () -> Void, _ body: (TailPiece) throws -> Void
  ) throws {
    let newest = try Look(&connection)
    guard let last = snapshot, newest.snapshot != last else { return remember(newest) }
    guard try Self.follows(newest.snapshot, unfinished?.now.snapshot ?? last, &connection) else {
      throw TailFault.otherDatabase
    }
    if mayHaveMissed(newest) { missed() }
    let now = unfinished?.now ?? newest
    var after = unfinished?.after ?? 0
    var isMore = true
    while isMore {
      // No statement of a time sees less than `now`; what it sees beyond is left to the next look.
      let pieces = try connection.transaction(isolation: .repeatableRead, readOnly: true) {
        (connection: inout PostgresConnection) -> [TailPiece] in
        let batches = try StoredBatch.read(
          visibleIn: now.snapshot, notIn: last, after: after, limit: Self.batchesPerLook, &connection)
        isMore = batches.count == Self.batchesPerLook
        after = batches.last?.id ?? after
        if filter.session != nil { return try self.pieces(ofSessionIn: batches, &connection) }
        var pieces: [TailPiece] = []
        for batch in batches { pieces.append(try piece(of: batch, &connection)) }
        return pieces
      }
      for piece in pieces where !piece.lines.isEmpty || !piece.further.isEmpty { try body(piece) }
      unfinished = (now, after)
      lookedAt = ContinuousClock.now
    }
    unfinished = nil
    remember(now)
  }

  /// Forgets what was seen: what is new is counted from the next look on.
  mutating func beginAnew() {
    snapshot = nil
    newestBatch = nil
    unfinished = nil
  }

  /// What the database shows at a moment.
  private struct Look {
    let snapshot: String
    /// The number of the newest batch; nil where the journal is empty.
    let newestBatch: Int64?

    init(_ connection: inout PostgresConnection) throws(PostgresError) {
      let result = try connection.execute(
        "SELECT pg_current_snapshot()::text, (SELECT max(batch_id) FROM pagefall.stored_batches)")
      snapshot = try result[0, 0]
      newestBatch = try result[0, 1]
    }
  }

  private mutating func remember(_ look: Look) {
    snapshot = look.snapshot
    newestBatch = look.newestBatch ?? newestBatch
    lookedAt = ContinuousClock.now
  }

  /// Whether more has come since the last look than the journal is sure to keep: it lets batches go by age and by number.
  private func mayHaveMissed(_ look: Look) -> Bool {
    let seen = unfinished.map { max($0.after, newestBatch ?? 0) } ?? newestBatch
    guard let newest = look.newestBatch, newest != seen else { return false }
    if ContinuousClock.now - lookedAt > Self.journalSpan { return true }
    return seen.map { newest - $0 > Housekeeping.maximumStoredBatches } ?? false
  }

  /// Whether one snapshot can be later than another: transactions are numbered upwards as long as it is the same database.
  private static func follows(
    _ now: String, _ last: String, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> Bool {
    try connection.execute(
      "SELECT pg_snapshot_xmax($1::text::pg_snapshot) >= pg_snapshot_xmax($2::text::pg_snapshot)",
      [.text(now), .text(last)]
    )[0, 0]
  }
}

/// Why following cannot go on as it was.
enum TailFault: Error {
  /// The database is another one, or an older copy.
  case otherDatabase
}
