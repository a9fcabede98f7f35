import Postgres
import StoryEvents

/// What became of an event, as `pagefall.stored_batches` numbers it.
public enum JournaledFate: Int16, CaseIterable, Sendable {
  /// It is in the database now and was not before.
  case stored = 0
  /// It was stored before.
  case duplicate = 1
  /// Another event of its key was stored before; kept as rejected.
  case conflictingDuplicate = 2
  /// Its session belongs to another app; kept as rejected.
  case foreignSession = 3
  /// Its session starts before the retention line.
  case expired = 4
  /// PostgreSQL refused its row; kept as rejected.
  case refusedByDatabase = 5
  /// It was refused on arrival.
  case rejected = 6

  init(_ fate: EventFate) {
    switch fate {
    case .stored: self = .stored
    case .duplicate: self = .duplicate
    case .conflictingDuplicate: self = .conflictingDuplicate
    case .foreignSession: self = .foreignSession
    case .expired: self = .expired
    case .refusedByDatabase: self = .refusedByDatabase
    }
  }
}

/// A row of `pagefall.stored_batches`.
private struct JournalRow {
  private struct Total: Hashable {
    var appID: Int32
    var fate: JournaledFate
  }

  private var totals: [Total: Int64] = [:]
  private var apps: [Int32?] = []
  private var sessions: [PostgresUUID?] = []
  private var seqs: [Int32?] = []
  private var fates: [Int16?] = []
  private var rejectedApps: [Int32?] = []
  private var rejectedHashes: [[UInt8]?] = []
  private var listedOfApp: [Int32: Int] = [:]

  /// Enough for people to see what comes, and less than a hundredth of the work of storing a full batch.
  private static let mostEvents = 200
  private static let mostRejected = 50

  var isEmpty: Bool { totals.isEmpty }

  /// Each app's share of the events that are listed: an app that sends little is not hidden by one that sends much.
  var shareOfApp: Int { max(1, Self.mostEvents / max(1, Set(totals.keys.map(\.appID)).count)) }

  mutating func count(_ events: Int64, _ fate: JournaledFate, appID: Int32) {
    totals[Total(appID: appID, fate: fate), default: 0] += events
  }

  /// - Returns: whether the app's share allows more.
  mutating func list(_ event: EventEntry, appID: Int32, share: Int) -> Bool {
    guard let fate = event.fate.eventFate, seqs.count < Self.mostEvents, listedOfApp[appID, default: 0] < share else {
      return false
    }
    listedOfApp[appID, default: 0] += 1
    apps.append(appID)
    sessions.append(PostgresUUID(high: event.high, low: event.low))
    seqs.append(event.seq)
    fates.append(JournaledFate(fate).rawValue)
    return true
  }

  mutating func listRejected(_ body: UnsafeRawBufferPointer, appID: Int32) {
    guard rejectedApps.count < Self.mostRejected else { return }
    rejectedApps.append(appID)
    rejectedHashes.append(SHA256.hash(body))
  }

  func run(_ connection: inout PostgresConnection) throws(EventStoreError) {
    let totals = self.totals.sorted { ($0.key.appID, $0.key.fate.rawValue) < ($1.key.appID, $1.key.fate.rawValue) }
    try connection.run(
      """
      INSERT INTO pagefall.stored_batches (event_apps, event_sessions, event_seqs, event_fates, rejected_apps,
        rejected_hashes, total_apps, total_fates, total_events) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """,
      [
        .int32Array(apps), .uuidArray(sessions), .int32Array(seqs), .int16Array(fates), .int32Array(rejectedApps),
        .bytesArray(rejectedHashes), .int32Array(totals.map(\.key.appID)), .int16Array(totals.map(\.key.fate.rawValue)),
        .int64Array(totals.map(\.value)),
      ])
  }
}

extension BatchStore {
  /// Writes down what the batch stores, for people who watch events arrive (docs/storage.md): how many by app and fate, and the
  /// keys of the first.
  mutating func writeJournal(_ connection: inout PostgresConnection) throws(EventStoreError) {
    var row = JournalRow()
    for record in 0..<batch.records.count { countFates(of: batch.records[record], record, &row) }
    if row.isEmpty { return }
    let share = row.shareOfApp
    let events = batch.events.base
    for record in 0..<batch.records.count {
      let entry = batch.records[record]
      let appID = appIDs[Int(entry.app)]
      for index in Int(entry.firstEvent)..<Int(entry.firstEvent + entry.eventCount) {
        if !row.list(events[index], appID: appID, share: share) { break }
      }
    }
    try row.run(&connection)
  }

  private func countFates(of entry: RecordEntry, _ record: Int, _ row: inout JournalRow) {
    let appID = appIDs[Int(entry.app)]
    let events = batch.events.base
    var counts = FateCounts()
    for index in Int(entry.firstEvent)..<Int(entry.firstEvent + entry.eventCount) {
      if let fate = events[index].fate.eventFate { counts[fate] += 1 }
    }
    for fate in EventFate.allCases where counts[fate] > 0 {
      row.count(Int64(counts[fate]), JournaledFate(fate), appID: appID)
    }
    guard entry.hasRejected, var reader = batch.reader(record) else { return }
    while let item = (try? reader.next()) ?? nil {
      guard case .rejected(let rejected) = item else { continue }
      row.count(1, .rejected, appID: appID)
      row.listRejected(rejected.rawJSON, appID: appID)
    }
  }
}
