import LocalTime
import SessionMetrics

/// The running counts of a quality report. Bounded, whatever senders do: what is beyond a bound is counted together.
struct QualityTally {
  /// The most app versions that are told apart while counting.
  static let mostVersions = 10_000
  /// The most days: three years.
  static let mostDays = 1_100
  /// The most app versions on a day.
  static let mostCells = 50_000
  /// How many versions a report holds.
  static let mostListedVersions = 100
  /// How many cells a report holds.
  static let mostListedCells = 20

  /// An app version.
  private struct VersionKey: Hashable {
    var appID: Int32
    var version: ByteText?
  }

  /// Where a version and a day are counted: places in `versions` and `days`.
  private struct CellKey: Hashable {
    var version: Int32
    var day: Int32
  }

  private struct Day {
    var number: Int64?
    var faults = SessionFaults()
    var delays = DelayTally()
  }

  private(set) var presentations = 0
  private(set) var total = SessionFaults()
  private(set) var clocks = ClockTally()
  private(set) var delays = DelayTally()
  private(set) var firstStartMicroseconds = Int64.max
  private(set) var lastStartMicroseconds = Int64.min
  /// The first is of what is beyond the bound; so it is with days.
  private var versions: [(key: VersionKey?, faults: SessionFaults)] = [(nil, SessionFaults())]
  private var versionPlaces: [VersionKey: Int] = [:]
  private var days = [Day(number: nil)]
  private var dayPlaces: [Int64: Int] = [:]
  private var cells: [CellKey: SessionFaults] = [:]
  private var otherCells = SessionFaults()

  /// The place where a version is counted. One whose sender calls it `(none)` is the same as none, as in groups and filters.
  mutating func place(ofVersion version: String?, appID: Int32) -> Int {
    let said = version == StorySelection.noneText ? nil : version
    let key = VersionKey(appID: appID, version: said.map(ByteText.init))
    if let place = versionPlaces[key] { return place }
    guard versions.count <= Self.mostVersions else { return 0 }
    versionPlaces[key] = versions.count
    versions.append((key, SessionFaults()))
    return versions.count - 1
  }

  /// Counts a presentation.
  mutating func count(
    _ session: borrowing JudgedSession, _ timing: SessionTiming, versionPlace: Int, dayNumber: Int64
  ) {
    presentations += 1
    firstStartMicroseconds = min(firstStartMicroseconds, timing.startedAtMicroseconds)
    lastStartMicroseconds = max(lastStartMicroseconds, timing.startedAtMicroseconds)
    guard session.isStorySession else { return }
    let faults = SessionFaults(session, timing)
    total += faults
    clocks.count(timing)
    delays.count(timing)
    versions[versionPlace].faults += faults
    let dayPlace = place(ofDay: dayNumber)
    days[dayPlace].faults += faults
    days[dayPlace].delays.count(timing)
    let cell = CellKey(version: Int32(versionPlace), day: Int32(dayPlace))
    if cells[cell] != nil || cells.count < Self.mostCells {
      cells[cell, default: SessionFaults()] += faults
    } else {
      otherCells += faults
    }
  }

  private mutating func place(ofDay number: Int64) -> Int {
    if let place = dayPlaces[number] { return place }
    guard days.count <= Self.mostDays else { return 0 }
    dayPlaces[number] = days.count
    days.append(Day(number: number))
    return days.count - 1
  }

  // MARK: What was counted

  /// The versions with sessions, the largest first, the rest as one.
  func listedVersions(_ apps: AppDirectory) -> [VersionQuality] {
    var found: [VersionQuality] = versions.dropFirst().filter { $0.faults.sessions > 0 }
      .map { VersionQuality(name: name($0.key, apps), faults: $0.faults) }
    found.sort { left, right in
      left.faults.sessions != right.faults.sessions
        ? left.faults.sessions > right.faults.sessions : left.order < right.order
    }
    found.append(VersionQuality(name: nil, faults: versions[0].faults))
    return VersionQuality.bounded(found, to: Self.mostListedVersions)
  }

  /// The days with sessions, in order; days beyond the bound as one, at the end.
  func listedDays() -> [DayQuality] {
    days.filter { $0.faults.sessions > 0 }
      .sorted { ($0.number ?? .max) < ($1.number ?? .max) }
      .map {
        DayQuality(
          day: $0.number.map { CivilDate(dayNumber: $0).text }, faults: $0.faults, delay: $0.delays.delay)
      }
  }

  /// The cells with the most missing events first, the rest as one.
  func listedCells(_ apps: AppDirectory) -> [CellQuality] {
    let worst = cells.filter { $0.value.missingEvents > 0 }
      .map { CellQuality(place: place(of: $0.key, apps), faults: $0.value) }
      .sorted { left, right in
        if left.faults.missingEvents != right.faults.missingEvents {
          return left.faults.missingEvents > right.faults.missingEvents
        }
        return left.order < right.order
      }
      .prefix(Self.mostListedCells)
    let listed = worst.reduce(into: SessionFaults()) { $0 += $1.faults }
    let rest = total.without(listed)
    return worst + (rest.sessions > 0 ? [CellQuality(place: nil, faults: rest)] : [])
  }

  /// All cells together; what a report's cells must add up to.
  var cellsTotal: SessionFaults { cells.values.reduce(into: otherCells) { $0 += $1 } }

  private func place(of key: CellKey, _ apps: AppDirectory) -> CellPlace {
    CellPlace(
      name: name(versions[Int(key.version)].key, apps),
      day: days[Int(key.day)].number.map { CivilDate(dayNumber: $0).text })
  }

  private func name(_ key: VersionKey?, _ apps: AppDirectory) -> VersionName? {
    key.map {
      VersionName(app: apps.name(of: $0.appID), version: $0.version?.text)
    }
  }
}

extension CellQuality {
  /// By day, then by name, where the number of missing events is the same.
  fileprivate var order: (String, String, String) {
    (place?.day ?? "", place?.name?.app ?? "", place?.name?.version ?? "")
  }
}

extension VersionQuality {
  /// By name, where the number of sessions is the same.
  fileprivate var order: (String, String) { (name?.app ?? "", name?.version ?? "") }

  /// The first so many, the others as one at the end.
  static func bounded(_ versions: [VersionQuality], to most: Int) -> [VersionQuality] {
    let listed = versions.filter { $0.name != nil }.prefix(most)
    var other = SessionFaults()
    for version in versions where version.name == nil { other += version.faults }
    for version in versions.filter({ $0.name != nil }).dropFirst(most) { other += version.faults }
    return listed + (other.sessions > 0 ? [VersionQuality(name: nil, faults: other)] : [])
  }
}
