import FunnelDocument
import SessionMetrics

/// The tallies of a report's groups; one alone where no groups are asked for.
struct GroupedTallies {
  private struct Tally {
    var funnel = FunnelTally()
    var devices = DeviceTally()

    mutating func add(_ other: Tally) {
      funnel.add(other.funnel)
      devices.add(other.devices)
    }
  }

  private var groups: GroupPlaces
  private let countsDevices: Bool
  /// By the places of groups.
  private var tallies: [Tally] = []

  /// - Parameter largest: the groups to be told apart; nil tells all apart, up to `ReportScope.mostGroupsAtOnce`.
  init(_ scope: ReportScope, largest: LargestGroups? = nil) {
    groups = GroupPlaces(scope, largest: largest)
    countsDevices = scope.countsDevices
  }

  /// As `GroupPlaces.place(named:)`.
  mutating func place(named name: String?) throws(GroupPlaces.TooMany) -> Int? { try groups.place(named: name) }

  /// As `GroupPlaces.place(of:startedAtMicroseconds:hasSuspectClock:)`.
  mutating func place(
    of session: borrowing JudgedSession, startedAtMicroseconds: Int64, hasSuspectClock: Bool
  ) throws(GroupPlaces.TooMany) -> Int {
    try groups.place(of: session, startedAtMicroseconds: startedAtMicroseconds, hasSuspectClock: hasSuspectClock)
  }

  /// Counts a session in the group at a place.
  mutating func count(
    _ session: borrowing JudgedSession, hasSuspectClock: Bool, device: TextHash?, at place: Int
  ) {
    while tallies.count <= place { tallies.append(Tally()) }
    tallies[place].funnel.count(session, hasSuspectClock: hasSuspectClock)
    if countsDevices { tallies[place].devices.count(device) }
  }

  /// All groups together.
  func total() -> FunnelTally {
    var total = tallies.first?.funnel ?? FunnelTally()
    for tally in tallies.dropFirst() { total.add(tally.funnel) }
    return total
  }

  /// The devices of all groups together; nil where they were not asked for.
  func totalDevices() -> DeviceCounts? {
    guard countsDevices else { return nil }
    var total = tallies.first?.devices ?? DeviceTally()
    for tally in tallies.dropFirst() { total.add(tally.devices) }
    return total.counts
  }

  /// The groups that have presentations, as `GroupPlaces.shown(size:)` puts them. Nil where none were asked for.
  func groups(titles: [Int: String]) -> [FunnelGroup]? {
    groups.shown { $0 < tallies.count ? tallies[$0].funnel.presentations : 0 }?.map { group in
      let sum = group.places.dropFirst().reduce(into: tallies[group.places[0]]) { $0.add(tallies[$1]) }
      return FunnelGroup(
        name: group.name, counts: sum.funnel.counts(titles: titles), devices: countsDevices ? sum.devices.counts : nil,
        mergedGroups: group.mergedGroups)
    }
  }
}
