import LocalTime
import Postgres
import Reports

/// One run: holds the directory, knows what is due, and writes it day by day.
struct ExportRun: ~Copyable {
  private let request: ExportRequest
  /// Nil in a dry run, which only looks.
  private let directory: ExportDirectory?
  private var state: ExportState?
  /// What stands in the directory; nil where a dry run found none.
  private let exported: ExportedSets?
  /// The apps that count; nil for all.
  private let appIDs: [Int32]?
  private let plan: ExportPlan

  init(
    _ request: ExportRequest, _ places: ExportPlaces, waits: Bool, isDryRun: Bool, note: (String) -> Void,
    _ connection: inout PostgresConnection
  ) throws(ExportError) {
    let (apps, appIDs) = try AppDirectory.read(request.apps, &connection)
    let exported: ExportedSets?
    var remembered: RememberedSets?
    var directory: ExportDirectory?
    var state: ExportState?
    if isDryRun {
      exported = try ExportedSets.looking(at: places.directory)
      if let path = places.state { remembered = try RememberedSets(lookingAt: path) }
    } else {
      let opened = try ExportDirectory(path: places.directory, waits: waits) {
        note("waiting for another run in \(places.directory)")
      }
      exported = opened.sets
      directory = consume opened
      if let path = places.state {
        let opened = try ExportState(path: path, waits: waits) { note("waiting for another run with \(path)") }
        remembered = opened.remembered
        state = consume opened
      }
    }
    let scope = request.scope(apps, appIDs)
    try exported?.requireSameScope(scope)
    try remembered?.requireSameScope(scope)
    let sets = try Self.sets(request, exported, remembered: remembered?.records, note: note)
    let account = try request.account(appIDs: appIDs, &connection)
    self.request = request
    self.exported = exported
    self.directory = consume directory
    self.state = consume state
    self.appIDs = appIDs
    plan = ExportPlan(request, account, sets: sets, definitions: Exporter.definitions)
  }

  /// Writes the sets of the days that are due.
  mutating func writeDueDays(
    _ connection: inout PostgresConnection, progress: (ExportProgress) -> Void
  ) throws(ExportError) -> ExportSummary {
    var summary = ExportSummary()
    summary.unchangedCount = plan.unchangedCount
    summary.keptCount = plan.keptCount
    var done = 0
    var reached = ExportProgress(
      day: 0, dayCount: plan.due.count, events: 0, eventCount: plan.due.reduce(0) { $0 + Int($1.stored.events) })
    for due in plan.due {
      reached.day += 1
      let set: NewSet
      switch directory {
      case .none:
        summary.days.append(ExportSummary.Day(due))
        continue
      case .some(let directory): set = try directory.begin(due.day.date)
      }
      let written = try write(due, into: set, &connection) { events in
        reached.events = done + events
        progress(reached)
      }
      if let written { summary.days.append(written) } else { summary.unchangedCount += 1 }
      done += written?.events ?? 0
    }
    return summary
  }

  /// Writes one day; nil where its set turned out to be as it should be.
  private mutating func write(
    _ due: ExportPlan.DueDay, into set: consuming NewSet, _ connection: inout PostgresConnection,
    progress: (Int) -> Void
  ) throws(ExportError) -> ExportSummary.Day? {
    let read = try connection.snapshot { (connection) throws(ExportError) in
      try readDay(due, into: set.directory, &connection, progress: progress)
    }
    guard let read else { return nil }
    // A state may be older than what stands in the directory: its run was ended between the set and the state.
    let shown = try exported?.manifest(of: due.day.date)?.record.revision
    let revision = max(due.set?.revision ?? 0, shown ?? 0) + 1
    let record = SetRecord(
      revision: revision, definitions: Exporter.definitions, options: request.options,
      databaseID: read.account.databaseID, position: read.account.position(of: due.day.date))
    let scope = request.scope(read.apps, appIDs)
    let manifest = SetManifest(
      due.day, apps: scope.apps, isAllApps: scope.isAllApps, read.written, record,
      SetChanges(sinceRevision: due.set?.revision, reasons: read.change?.counts ?? [:]),
      generatedAtMicroseconds: read.atMicroseconds / 1_000_000 * 1_000_000,
      dataThroughMicroseconds: read.apps.dataThroughMicroseconds, generator: request.generator)
    try set.write(manifest)
    try set.publish()
    try state?.save(record, of: due.day.date, scope)
    return ExportSummary.Day(due.day, revision, read.written, read.change)
  }

  /// What one snapshot said of a day.
  private struct DayReading {
    /// When it was read, in microseconds since 1970.
    var atMicroseconds: Int64
    var apps: AppDirectory
    var account: ChangeAccount
    var change: SetChange?
    var written: WrittenDay
  }

  /// Reads a day in the transaction's snapshot; nil where its set is to stay as it is after all.
  private func readDay(
    _ due: ExportPlan.DueDay, into directory: borrowing OpenDirectory, _ connection: inout PostgresConnection,
    progress: (Int) -> Void
  ) throws(ExportError) -> DayReading? {
    let atMicroseconds = request.clock()
    let apps = try reading { () throws(PostgresError) in try AppDirectory(&connection) }
    let account = try ChangeAccount(due.day, appIDs: appIDs, &connection)
    let change = due.set.map {
      SetChange(
        since: $0, to: account.position(of: due.day.date), databaseID: account.databaseID,
        definitions: Exporter.definitions, request.options)
    }
    // Asked again, of this snapshot: the retention line may have removed something since the plan was made.
    if let change, change.causes.isEmpty || request.keeps(account.position(of: due.day.date)) { return nil }
    let written = try DayWriter.write(
      due.day, apps, appIDs: appIDs, request.options, into: directory, &connection, progress: progress)
    return DayReading(atMicroseconds: atMicroseconds, apps: apps, account: account, change: change, written: written)
  }

  /// What is known of the sets that the request may be about: from the state where there is one, else from the manifests.
  private static func sets(
    _ request: ExportRequest, _ exported: ExportedSets?, remembered: [CivilDate: SetRecord]?,
    note: (String) -> Void
  ) throws(ExportError) -> [CivilDate: SetRecord] {
    if let remembered { return remembered.filter { request.mayConcern($0.key) } }
    var sets: [CivilDate: SetRecord] = [:]
    for day in try exported?.days() ?? [] where request.mayConcern(day) {
      sets[day] = try exported?.manifest(of: day, note: note)?.record
    }
    return sets
  }
}

extension ExportRequest {
  /// Whose days and whose sessions the sets hold.
  fileprivate func scope(_ directory: AppDirectory, _ appIDs: [Int32]?) -> SetScope {
    let names = appIDs.map { $0.compactMap { directory.names[$0] } } ?? Array(directory.names.values)
    return SetScope(timeZone: zone.name, apps: names, isAllApps: appIDs == nil)
  }

  /// Whether a set of the day has to be looked at.
  fileprivate func mayConcern(_ date: CivilDate) -> Bool {
    switch days {
    case .range(let first, let last): (first...last).contains(date)
    case .changed: true
    }
  }

  /// The account of the days that are asked for.
  fileprivate func account(
    appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws(ExportError) -> ChangeAccount {
    switch days {
    case .range(let first, let last):
      try ChangeAccount(
        from: ExportDay(first, in: zone).fromMicroseconds, to: ExportDay(last, in: zone).toMicroseconds, zone,
        appIDs: appIDs, &connection)
    case .changed: try ChangeAccount(zone, appIDs: appIDs, &connection)
    }
  }
}

extension SetChange {
  fileprivate var counts: [RevisionReason: ChangeCount] {
    Dictionary(causes.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
  }
}

extension ExportSummary.Day {
  /// What would be written.
  fileprivate init(_ due: ExportPlan.DueDay) {
    self.init(
      day: due.day.text, revision: (due.set?.revision ?? 0) + 1, sessions: Int(due.stored.sessions),
      events: Int(due.stored.events), causes: due.change?.causes ?? [])
  }

  /// What was written.
  fileprivate init(_ day: ExportDay, _ revision: Int, _ written: WrittenDay, _ change: SetChange?) {
    self.init(
      day: day.text, revision: revision, sessions: written.sessions, events: written.events,
      rows: written.files.map { ($0.content, $0.rows) }, causes: change?.causes ?? [])
  }
}
