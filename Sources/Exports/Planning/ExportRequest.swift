import LocalTime

/// What a run is asked for.
package struct ExportRequest: Sendable {
  /// Which days.
  package enum Days: Sendable, Equatable {
    /// These, both included.
    case range(CivilDate, CivilDate)
    /// Every day before today that has changed since its last set.
    case changed
  }

  /// Which days.
  package var days: Days
  /// Whose days.
  package var zone: ReportTimeZone
  /// The names of the apps; empty takes all.
  package var apps: [String]
  /// What the files are like.
  package var options: ExportOptions
  /// Whether sets of days that lost events to the retention line stay as they are.
  package var keepsRetained: Bool
  /// The time that `today` is seen from, in microseconds since 1970.
  package var nowMicroseconds: Int64
  /// The clock that says when a set is made, in microseconds since 1970.
  package var clock: @Sendable () -> Int64
  /// Who writes, for the manifest: `pagefall 0.1.0`.
  package var generator: String

  /// The most days of a range: one set for each, also where nothing happened.
  package static let mostDays: Int64 = 3_700

  /// Makes a request; see the properties. `Exporter.run` tells what is wrong with it.
  package init(
    days: Days, zone: ReportTimeZone, apps: [String], options: ExportOptions, keepsRetained: Bool,
    clock: @escaping @Sendable () -> Int64, generator: String
  ) {
    self.days = days
    self.zone = zone
    self.apps = apps
    self.options = options
    self.keepsRetained = keepsRetained
    nowMicroseconds = clock()
    self.clock = clock
    self.generator = generator
  }

  /// The local day of now.
  var today: CivilDate {
    var days = LocalDays(zone)
    return days.date(atMicroseconds: nowMicroseconds)
  }

  /// Whether a set of a day whose account stands there is to stay as it is, whatever has changed.
  func keeps(_ position: ChangePosition) -> Bool { keepsRetained && position[.retained] != ChangeCount() }

  /// Throws where the days cannot be exported.
  func check() throws(ExportError) {
    guard case .range(let first, let last) = days else { return }
    if last > today {
      throw ExportError(.usage, "\(last.text) has not begun in \(zone.name), where it is \(today.text)")
    }
    if last < first {
      throw ExportError(.usage, "--to (\(last.text)) lies before --from (\(first.text)); exchange them")
    }
    let count = last.dayNumber - first.dayNumber + 1
    if count > Self.mostDays {
      throw ExportError(
        .usage,
        "from \(first.text) to \(last.text) are \(count) days; a run writes at most \(Self.mostDays), "
          + "and --since-last only the days that have changed")
    }
  }
}
