import Postgres
import Spool
import StoryEvents

/// How an attempt to commit the batch goes about it; it learns from the attempts before.
struct CommitAttempt {
  /// Ask the database for the batch's sessions and events before writing rows.
  var isCareful: Bool
  /// PostgreSQL refused a row: find out which.
  var looksForRefusedRows = false
  /// PostgreSQL refused a page's details or a device's count; the batch is stored without them.
  var skipsPages = false
  var skipsDrops = false
  /// What the attempt was doing when it failed.
  var step = Step.position
  /// How often a key was there already although the attempt had asked.
  var surprises = 0
  /// Other programs got in between twice: nobody else may store now. A key that is there all the same is of no event that
  /// could be asked for.
  var isAlone: Bool { surprises >= 2 }
  /// What was remembered did not fit the database; believed no more than once.
  var hasForgotten = false

  enum Step { case position, rows, pages, drops, rejected, counters }

  /// Rolled back on purpose: rows that PostgreSQL refuses were found and marked.
  struct RefusedRowsFound: Error {}
}

extension BatchStore {
  /// Commits the batch with the position, in as many attempts as what other programs do at the same time demands.
  mutating func commitBatch(from begin: SpoolPosition, to end: SpoolPosition) throws(EventStoreError) {
    var attempt = CommitAttempt(isCareful: carefulBatches > 0)
    if carefulBatches > 0 { carefulBatches -= 1 }
    while true {
      do {
        try runAttempt(&attempt, from: begin, to: end)
        remember()
        return
      } catch is CommitAttempt.RefusedRowsFound {
        attempt.looksForRefusedRows = false
      } catch {
        let failure = EventStoreError(wrapping: error)
        if case .database(let error) = failure, error.commitOutcomeUnknown { openCommit = (end, counts) }
        if case .positionMoved = failure, try wasCommittedMeanwhile() { return }
        if try !canTryAgain(after: failure, &attempt) { throw failure }
      }
    }
  }

  /// The position is not where the batch begins: either somebody else moved it, or the server was still at work on a commit whose
  /// answer had been given up, and this attempt waited for it.
  private mutating func wasCommittedMeanwhile() throws(EventStoreError) -> Bool {
    guard var open = connection.take() else { return false }
    let found = try readPosition(&open)
    connection = consume open
    position = found
    if let openCommit, openCommit.end == found {
      counts = openCommit.counts
      return true
    }
    // Where a backup was restored behind a pooler, or into these very tables, the connection goes on, and what is remembered
    // is of tables that are gone.
    forgetDatabase()
    return false
  }

  private mutating func runAttempt(
    _ attempt: inout CommitAttempt, from begin: SpoolPosition, to end: SpoolPosition
  ) throws {
    guard var open = connection.take() else { throw EventStoreError.positionMoved(nil) }
    do {
      attempt.step = .position
      try findApps(&open)
      try open.transaction { (connection) in
        try self.write(&connection, &attempt, from: begin, to: end)
      }
      connection = consume open
    } catch {
      connection = consume open
      throw error
    }
  }

  /// What a failed attempt means: true where another one, which knows more, is to follow at once.
  private mutating func canTryAgain(
    after failure: EventStoreError, _ attempt: inout CommitAttempt
  ) throws(EventStoreError) -> Bool {
    switch failure {
    case .positionMoved:
      throw .positionMoved(position)
    case .rowsMissing:
      if attempt.hasForgotten { return false }
      attempt.hasForgotten = true
      attempt.isCareful = true
      forgetDatabase()
      return true
    case .database(let error):
      return learn(from: error, &attempt)
    case .schema, .migrationChanged, .unsuitableEncoding, .noSuchKey, .ambiguousKey, .invalidAppName, .noRandomBytes,
      .unexpected:
      return false
    }
  }

  private mutating func learn(from error: PostgresError, _ attempt: inout CommitAttempt) -> Bool {
    guard case .server(let state) = error.kind, !error.isRetryable else { return false }
    if state == .uniqueViolation && attempt.step == .rows {
      // Somebody stored one of these events or sessions before. The next attempt asks first, and so do the next batches:
      // a second collector, or a sender that repeats much, goes on doing so.
      if attempt.isCareful { attempt.surprises += 1 }
      attempt.isCareful = true
      carefulBatches = 16
      forgetAnswers()
      // Alone nothing comes in between; a constraint of somebody else's is violated all the same.
      if attempt.surprises > 2 { attempt.looksForRefusedRows = true }
      return true
    }
    guard state.refusesARow else { return false }
    switch attempt.step {
    case .position, .rejected, .counters: return false
    case .rows: attempt.looksForRefusedRows = true
    case .pages: attempt.skipsPages = true
    case .drops: attempt.skipsDrops = true
    }
    log.warning("PostgreSQL refused a row", ["code": .string(state.code), "table": .string(error.tableName ?? "")])
    return true
  }

  /// Everything that belongs to the batch, in one transaction. The order of locks is the same everywhere: the storing lock, the
  /// position, sessions, events, then the small tables, each in the order of its key.
  private mutating func write(
    _ connection: inout PostgresConnection, _ attempt: inout CommitAttempt, from begin: SpoolPosition,
    to end: SpoolPosition
  ) throws {
    try connection.run(attempt.isAlone ? AdvisoryLock.storingAlone : AdvisoryLock.storing)
    try advance(&connection, from: begin, to: end)
    sessions.removeAll(events: batch.events.count)
    currentRecord = nil
    pages.forgetUnconfirmed()
    classify()
    if attempt.isCareful { try askDatabase(&connection) }

    attempt.step = .rows
    let all = 0..<batch.events.count
    if attempt.looksForRefusedRows {
      if try findRefusedRows(&connection, all, isUniqueViolationRefusal: attempt.surprises > 2) > 0 {
        throw CommitAttempt.RefusedRowsFound()
      }
    } else {
      try writeRows(&connection, all, packs: true)
    }
    attempt.step = .pages
    if !attempt.skipsPages { try writePages(&connection) }
    attempt.step = .drops
    if !attempt.skipsDrops { try writeDrops(&connection) }
    attempt.step = .rejected
    try writeRejected(&connection)
    try writeUnreadable(&connection)
    attempt.step = .counters
    try writeJournal(&connection)
    try writeCounters(&connection)
  }

  /// Moves the position by compare-and-set, and reads what every loader reads again with each batch.
  private mutating func advance(
    _ connection: inout PostgresConnection, from begin: SpoolPosition, to end: SpoolPosition
  ) throws(EventStoreError) {
    let result = try connection.run(
      """
      UPDATE pagefall.spools SET segment = $2, "offset" = $3, updated_at = now()
      WHERE spool_id = $1 AND segment = $4 AND "offset" = $5
      RETURNING (SELECT epoch FROM pagefall.settings), (SELECT retention_line FROM pagefall.settings),
        (SELECT packing FROM pagefall.settings), (SELECT has_loose_events FROM pagefall.settings)
      """,
      [
        .uuid(positionID), .int64(end.segment), .int64(end.offset), .int64(begin.segment), .int64(begin.offset),
      ])
    guard result.rowCount == 1 else { throw .positionMoved(nil) }
    let (current, line) = try decoding { () throws(PostgresError) -> (Int64, PostgresTimestamp?) in
      (try result[0, 0], try result[0, 1])
    }
    let (currentPacking, loose) = try decoding { () throws(PostgresError) -> (Int64, Bool) in
      (try result[0, 2], try result[0, 3])
    }
    hasLooseEvents = loose
    retentionLineMicroseconds = line?.microsecondsSince1970
    if current != epoch {
      knownSessions.removeAll()
      repeats.removeAll()
      forgetAnswers()
      epoch = current
    }
    if currentPacking != packing {
      knownSessions.distrustHistories()
      packing = currentPacking
    }
  }

  /// Gives each app that a record names its id, making the app where there is none.
  private mutating func findApps(_ connection: inout PostgresConnection) throws(EventStoreError) {
    for place in appIDs.indices where appIDs[place] == 0 {
      appIDs[place] = try AppStore.findOrCreate(storable: appNames[place], &connection)
    }
  }
}

extension SQLState {
  /// Whether PostgreSQL refuses a row for what is in it, so that the others can be stored without it: data exceptions,
  /// constraints but for keys, limits, errors raised by somebody's trigger.
  var refusesARow: Bool {
    switch self {
    case .uniqueViolation: false
    case .dataException, .integrityConstraintViolation, .programLimitExceeded, .raisedByFunction: true
    // Another project's codes, not an enumeration of ours: all others say nothing of a row.
    default: false
    }
  }
}
