import FunnelDocument
import LocalTime
import SessionMetrics

/// The tallies of a report's groups; one alone where no groups are asked for.
struct GroupedTallies {
  /// The most groups of a report: more would be read by nobody, and a field such as `device_id` must not exhaust memory.
  static let mostGroups = 10_000

  private struct Group {
    var name: String
    /// Where the group stands among others, for periods of time; else 0.
    var order: Int64
    var tally = FunnelTally()
  }

  private let field: GroupField?
  private var groups: [Group] = []
  /// By the bytes: two ways to write an accent are two values, as in the database.
  private var placesByName: [[UInt8]: Int] = [:]
  private var placesByOrder: [Int64: Int] = [:]
  private var days: LocalDays

  init(_ scope: ReportScope) {
    field = scope.groupBy
    days = LocalDays(scope.timeZone)
    if field == nil { groups.append(Group(name: "", order: 0)) }
  }

  /// The place of the group of a value of the field; nil where groups are periods, so that each session has to be asked.
  mutating func place(named name: String?) throws(ReportError) -> Int? {
    switch field {
    case nil: return 0
    case .time: return nil
    case .app, .context, .property:
      let name = name ?? StorySelection.noneText
      let bytes = Array(name.utf8)
      if let place = placesByName[bytes] { return place }
      placesByName[bytes] = groups.count
      return try add(Group(name: name, order: 0))
    }
  }

  /// The place of the group of a session's start.
  mutating func place(startedAtMicroseconds: Int64) throws(ReportError) -> Int {
    guard case .time(let period) = field else { return 0 }
    let order: Int64
    switch period {
    case .day: order = days.date(atMicroseconds: startedAtMicroseconds).dayNumber
    case .week: order = days.date(atMicroseconds: startedAtMicroseconds).monday.dayNumber
    case .weekday: order = Int64(days.date(atMicroseconds: startedAtMicroseconds).weekdayFromMonday)
    case .hour: order = Int64(days.hour(atMicroseconds: startedAtMicroseconds))
    }
    if let place = placesByOrder[order] { return place }
    placesByOrder[order] = groups.count
    return try add(Group(name: Self.name(of: order, in: period), order: order))
  }

  /// Counts a session in the group at a place.
  mutating func count(_ session: borrowing JudgedSession, hasSuspectClock: Bool, at place: Int) {
    groups[place].tally.count(session, hasSuspectClock: hasSuspectClock)
  }

  /// All groups together.
  func total() -> FunnelTally {
    var total = groups.first?.tally ?? FunnelTally()
    for group in groups.dropFirst() { total.add(group.tally) }
    return total
  }

  /// The groups that have presentations: periods in their order, others by size, then by name. Nil where none were asked
  /// for.
  func groups(titles: [Int: String]) -> [FunnelGroup]? {
    guard field != nil else { return nil }
    return groups.map { (order: $0.order, group: FunnelGroup(name: $0.name, counts: $0.tally.counts(titles: titles))) }
      .filter { $0.group.counts.presentations > 0 }
      .sorted { left, right in
        if left.order != right.order { return left.order < right.order }
        let sizes = (left.group.counts.presentations, right.group.counts.presentations)
        return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : left.group.name < right.group.name
      }
      .map(\.group)
  }

  private mutating func add(_ group: Group) throws(ReportError) -> Int {
    guard groups.count < Self.mostGroups else {
      throw .usage(
        "\(field?.name ?? "the field") has more than \(Self.mostGroups) values here; group by a field with fewer, or "
          + "narrow the report with --story, --from and --to")
    }
    groups.append(group)
    return groups.count - 1
  }

  private static func name(of order: Int64, in period: GroupPeriod) -> String {
    switch period {
    case .day: CivilDate(dayNumber: order).text
    case .week: CivilDate(dayNumber: order).weekText
    case .weekday:
      ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][Int(order)]
    case .hour: order.padded(to: 2)
    }
  }
}
