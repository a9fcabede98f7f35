import EventStore
import Foundation
import Postgres
import StoryEvents

/// Replays rejected events page by page: judges them, stores what passes, then takes the rows out of `pagefall.rejected`.
///
/// At each moment a row is either still there or its events are committed, so it may be killed anywhere and begun again: what
/// was stored before is found as duplicates, and its rows are taken out then. Memory: a page and a batch.
struct ReplayRun: ~Copyable {
  private let options: ConnectionOptions
  private let isDryRun: Bool
  private var connection: PostgresConnection?
  private var store: BatchStore
  private var judge: ReplayJudge
  /// What came of it so far.
  private(set) var summary = ReplaySummary()

  /// Rows whose events are in the batch: how many of its events are each row's, and whether the row is itself the event.
  private var waiting: [(key: RejectedKey, events: Int, isEvent: Bool)] = []
  private var newReasons: [(key: RejectedKey, reason: RejectedReason)] = []

  init(
    _ options: ConnectionOptions, store: consuming BatchStore, isDryRun: Bool, isContextIgnored: Bool
  ) {
    self.options = options
    self.store = store
    self.isDryRun = isDryRun
    judge = ReplayJudge(isContextIgnored: isContextIgnored)
  }

  /// Replays all that the filter means.
  ///
  /// - Parameter keys: only these; nil: all.
  mutating func run(_ filter: RejectedFilter, keys: [RejectedKey]?) throws(CommandError) {
    var cursor = try patiently { (connection) throws(EventStoreError) in
      try RejectedStore.begin(keys: keys, &connection)
    }
    while true {
      let page = try patiently { (connection) throws(EventStoreError) in
        try RejectedStore.nextPage(filter, &cursor, &connection)
      }
      if page.isEmpty { break }
      for row in page {
        try replay(row)
        if store.isFull { try settle() }
      }
      try settle()
    }
    if !isDryRun { store.finish() }
  }

  private mutating func replay(_ row: RejectedBody) throws(CommandError) {
    let code = row.entry.reason.code
    summary.replayed += 1
    switch judge.judge(row) {
    case .passes:
      if Self.codesOfFates.contains(code) {
        summary.undecided[code, default: 0] += 1
      } else {
        summary.passing += 1
      }
      try add(row, isEvent: !row.hasSpaceAround)
    case .unfolded(let accepted, let rejected):
      summary.passing += accepted
      for (code, count) in rejected { summary.refused[code.name, default: 0] += count }
      try add(row, isEvent: false)
    case .refused(let reason):
      summary.refused[reason.code, default: 0] += 1
      if reason != row.entry.reason { newReasons.append((row.entry.key, reason)) }
    case .refusedAsBefore:
      summary.refused[code, default: 0] += 1
    case .refusedForContext:
      summary.refused[code, default: 0] += 1
      summary.refusedForContext += 1
    }
  }

  /// What passed the rules the first time, and was not stored for what the database held or said.
  private static let codesOfFates: Set<String> = [
    RejectionCode.conflictingDuplicate.name, RejectionCode.foreignSession.name, RejectionCode.refusedByDatabase.name,
  ]

  private mutating func add(_ row: RejectedBody, isEvent: Bool) throws(CommandError) {
    if isDryRun { return }
    let before = store.eventCount
    try Self.add(judge, to: &store)
    waiting.append((row.entry.key, store.eventCount - before, isEvent))
  }

  private static func add(_ judge: borrowing ReplayJudge, to store: inout BatchStore) throws(CommandError) {
    try judge.forEachRecord { (record) throws(CommandError) in
      do {
        try store.add(record)
      } catch {
        throw .environment("a record of our own cannot be read: \(error)")
      }
    }
  }

  // MARK: The database

  /// What a role that may not do it is told.
  private var work: RejectedOptions.Work { isDryRun ? .reading : .replaying }

  /// Stores what passed, and only then takes its rows out.
  private mutating func settle() throws(CommandError) {
    defer {
      waiting.removeAll(keepingCapacity: true)
      newReasons.removeAll(keepingCapacity: true)
    }
    if isDryRun { return }
    let fates = try storeBatch()
    var leaving: [RejectedKey] = []
    var next = 0
    for row in waiting {
      var stays = false
      for fate in fates[next..<(next + row.events)] {
        summary.fates[fate] += 1
        // The batch gave its row the new reason. (What was kept as a whole has a row for each event now.)
        if row.isEvent, fate.keepsRejected { stays = true }
      }
      next += row.events
      if !stays { leaving.append(row.key) }
    }
    let reasons = newReasons
    try patiently { (connection) throws(EventStoreError) in
      try RejectedStore.remove(leaving, &connection)
      try RejectedStore.update(reasons, &connection)
    }
  }

  private mutating func storeBatch() throws(CommandError) -> [EventFate] {
    var patience = Patience()
    while true {
      do throws(EventStoreError) {
        return try store.storeReplayed()
      } catch {
        try patience.pause(after: error, while: work)
      }
    }
  }

  /// Does something in the database; where that is away, again, for a while.
  private mutating func patiently<Value>(
    _ body: (inout PostgresConnection) throws(EventStoreError) -> Value
  ) throws(CommandError) -> Value {
    var patience = Patience()
    while true {
      do throws(EventStoreError) {
        return try connected(body)
      } catch {
        try patience.pause(after: error, while: work)
      }
    }
  }

  private mutating func connected<Value>(
    _ body: (inout PostgresConnection) throws(EventStoreError) -> Value
  ) throws(EventStoreError) -> Value {
    if connection == nil || connection?.isUsable != true {
      do throws(PostgresError) {
        connection = try PostgresConnection(options)
      } catch {
        throw .database(error)
      }
    }
    guard var open = connection.take() else { throw .unexpected("no connection where one was just made") }
    do throws(EventStoreError) {
      let value = try body(&open)
      connection = consume open
      return value
    } catch {
      connection = consume open
      throw error
    }
  }
}

/// How long a database that went away is waited for.
private struct Patience {
  private let deadline = ContinuousClock.now + .seconds(30)
  private var seconds = 0.2

  /// Waits a moment; throws where the same cannot succeed later, or the time is over.
  mutating func pause(after error: EventStoreError, while work: RejectedOptions.Work) throws(CommandError) {
    guard error.isRetryable, ContinuousClock.now < deadline else {
      throw RejectedOptions.commandError(error, while: work)
    }
    Thread.sleep(forTimeInterval: seconds)
    seconds = min(5, seconds * 2)
  }
}

extension EventFate {
  /// Whether an event that ends so is kept in `pagefall.rejected`.
  fileprivate var keepsRejected: Bool {
    switch self {
    case .stored, .duplicate, .expired: false
    case .conflictingDuplicate, .foreignSession, .refusedByDatabase: true
    }
  }
}

extension RejectedBody {
  /// Whether white space stands before or behind the event: then it is kept under other bytes the next time.
  fileprivate var hasSpaceAround: Bool {
    [bytes.first, bytes.last].contains { byte in byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? true }
  }
}
