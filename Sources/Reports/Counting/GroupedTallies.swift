import FunnelDocument
import LocalTime
import SessionMetrics

/// The tallies of a report's groups; one alone where no groups are asked for.
struct GroupedTallies {
  /// There are more groups than can be counted at once.
  struct TooMany: Error {}

  private struct Group {
    var name: String
    /// Where the group stands among others, for periods of time; else 0.
    var order: Int64
    var tally = FunnelTally()
    var devices = DeviceTally()
    /// Of the group of others.
    var mergedGroups: Int?
  }

  private var grouping: SessionGrouping
  private let countsDevices: Bool
  private let mostShown: Int?
  /// Where they are known beforehand, all others are counted together.
  private let largest: LargestGroups?
  private var groups: [Group] = []
  private var placesByName: [ByteText: Int] = [:]
  private var placesByOrder: [Int64: Int] = [:]
  private var placeOfOthers: Int?

  /// - Parameter largest: the groups to be told apart; nil tells all apart, up to `mostGroups`.
  init(_ scope: ReportScope, largest: LargestGroups? = nil) {
    grouping = SessionGrouping(scope)
    countsDevices = scope.countsDevices
    mostShown = scope.mostGroups
    self.largest = largest
    if grouping.field == nil { groups.append(Group(name: "", order: 0)) }
  }

  /// The place of the group of a value of the field; nil where each session has to be asked: for periods and facts.
  mutating func place(named name: String?) throws(TooMany) -> Int? {
    guard grouping.isByText else { return grouping.field == nil ? 0 : nil }
    let name = name ?? StorySelection.noneText
    if let place = placesByName[ByteText(name)] { return place }
    if let largest, !largest.values.contains(TextHash(name)) { return others(largest) }
    let place = try add(Group(name: name, order: 0))
    placesByName[ByteText(name)] = place
    return place
  }

  /// The place of the group that a session's start or what it did puts it into.
  mutating func place(
    of session: borrowing JudgedSession, startedAtMicroseconds: Int64, hasSuspectClock: Bool
  ) throws(TooMany) -> Int {
    guard
      let order = grouping.number(
        of: session, startedAtMicroseconds: startedAtMicroseconds, hasSuspectClock: hasSuspectClock)
    else { return 0 }
    if let place = placesByOrder[order] { return place }
    if let largest, !largest.values.contains(TextHash(number: order)) { return others(largest) }
    let place = try add(Group(name: grouping.name(of: order), order: order))
    placesByOrder[order] = place
    return place
  }

  /// Counts a session in the group at a place.
  mutating func count(
    _ session: borrowing JudgedSession, hasSuspectClock: Bool, device: TextHash?, at place: Int
  ) {
    groups[place].tally.count(session, hasSuspectClock: hasSuspectClock)
    if countsDevices { groups[place].devices.count(device) }
  }

  /// All groups together.
  func total() -> FunnelTally {
    var total = groups.first?.tally ?? FunnelTally()
    for group in groups.dropFirst() { total.add(group.tally) }
    return total
  }

  /// The devices of all groups together; nil where they were not asked for.
  func totalDevices() -> DeviceCounts? {
    guard countsDevices else { return nil }
    var total = groups.first?.devices ?? DeviceTally()
    for group in groups.dropFirst() { total.add(group.devices) }
    return total.counts
  }

  /// The groups that have presentations: periods in their order, others by size, then by name, and last those beyond the
  /// largest together. Nil where none were asked for.
  func groups(titles: [Int: String]) -> [FunnelGroup]? {
    guard grouping.field != nil else { return nil }
    return merged().map { group in
      FunnelGroup(
        name: group.name, counts: group.tally.counts(titles: titles),
        devices: countsDevices ? group.devices.counts : nil, mergedGroups: group.mergedGroups)
    }
  }

  private func merged() -> [Group] {
    var shown = groups.filter { $0.mergedGroups == nil && $0.tally.presentations > 0 }
    var others = placeOfOthers.map { groups[$0] }
    if let mostShown, shown.count > mostShown {
      shown.sort(by: Self.isLarger)
      var merged = others ?? Group(name: FunnelGroup.otherName, order: 0, mergedGroups: 0)
      for group in shown[mostShown...] {
        merged.tally.add(group.tally)
        merged.devices.add(group.devices)
      }
      merged.mergedGroups = (merged.mergedGroups ?? 0) + shown.count - mostShown
      others = merged
      shown.removeSubrange(mostShown...)
    }
    shown.sort { $0.order != $1.order ? $0.order < $1.order : Self.isLarger($0, $1) }
    return shown + (others.map { [$0] } ?? [])
  }

  private static func isLarger(_ left: Group, _ right: Group) -> Bool {
    let sizes = (left.tally.presentations, right.tally.presentations)
    if sizes.0 != sizes.1 { return sizes.0 > sizes.1 }
    return left.order != right.order ? left.order < right.order : left.name.precedes(right.name)
  }

  private mutating func others(_ largest: LargestGroups) -> Int {
    if let placeOfOthers { return placeOfOthers }
    groups.append(Group(name: FunnelGroup.otherName, order: 0, mergedGroups: largest.otherCount))
    placeOfOthers = groups.count - 1
    return groups.count - 1
  }

  private mutating func add(_ group: Group) throws(TooMany) -> Int {
    guard groups.count < ReportScope.mostGroupsAtOnce || largest != nil else { throw TooMany() }
    groups.append(group)
    return groups.count - 1
  }

  /// The error for a field with too many values.
  ///
  /// - Parameter hint: what would help.
  static func tooManyGroups(_ field: SessionField?, most: Int, hint: String = "") -> ReportError {
    .usage(
      "\(QuotedText.of(field?.name ?? "the field")) has more than \(most) values here; \(hint)group by a field with fewer, "
        + "or narrow the report with --story, --where, --from and --to")
  }
}
