import FunnelDocument
import LocalTime

/// What a set says of itself: `manifest.json` in its directory.
struct SetManifest: Equatable, Sendable {
  /// The version of the form. Keys may be added within one, never renamed.
  static let version = "pagefall-export/1"

  /// The local day.
  var day: CivilDate
  /// Its zone and apps.
  var scope: SetScope
  /// The first instant of the day, RFC 3339 with the zone's offset.
  var from: String
  /// The first instant that is no longer of the day, likewise.
  var to: String
  /// Revision, definitions, options and the account of changes: what the next run compares.
  var record: SetRecord
  /// RFC 3339, UTC.
  var generatedAt: String
  /// The newest arrival in the database, RFC 3339, UTC; nil: nothing had arrived.
  var dataThrough: String?
  /// Program and version: `pagefall 0.1.0`.
  var generator: String
  /// All sessions of the day.
  var sessions: Int
  /// All their events.
  var events: Int
  /// Of all stories of the day together (metrics §4).
  var completeness: Completeness
  /// In the order of `ExportContent`.
  var files: [WrittenFile]
  /// What is different from the set before.
  var changes: SetChanges
}

/// Why a set differs from the one before, and by how much.
struct SetChanges: Equatable, Sendable {
  /// The revision before; nil for a day's first set.
  var sinceRevision: Int?
  /// Definitions, options and another database have counts of zero.
  var reasons: [RevisionReason: ChangeCount]

  init(sinceRevision: Int? = nil, reasons: [RevisionReason: ChangeCount] = [:]) {
    self.sinceRevision = sinceRevision
    self.reasons = reasons
  }
}

extension SetManifest {
  /// The manifest of a day that has just been written.
  ///
  /// - Parameters:
  ///   - apps: names, of all apps or those asked for.
  ///   - generatedAtMicroseconds: since 1970, as `dataThroughMicroseconds`.
  init(
    _ day: ExportDay, apps: [String], isAllApps: Bool, _ written: WrittenDay, _ record: SetRecord,
    _ changes: SetChanges,
    generatedAtMicroseconds: Int64, dataThroughMicroseconds: Int64?, generator: String
  ) {
    self.init(
      day: day.date, scope: SetScope(timeZone: day.zone.name, apps: apps, isAllApps: isAllApps),
      from: TimestampText.rfc3339(day.fromMicroseconds, in: day.zone),
      to: TimestampText.rfc3339(day.toMicroseconds, in: day.zone), record: record,
      generatedAt: TimestampText.rfc3339(generatedAtMicroseconds, in: .utc),
      dataThrough: dataThroughMicroseconds.map { TimestampText.rfc3339($0, in: .utc) }, generator: generator,
      sessions: written.sessions, events: written.events, completeness: written.completeness, files: written.files,
      changes: changes)
  }
}
