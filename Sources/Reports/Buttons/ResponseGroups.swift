import SessionMetrics

/// The tallies of the groups of a report of responses; none where no groups are asked for.
struct ResponseGroups {
  /// The most counters of all groups together; each takes up to about 100 bytes.
  static let mostCounters = 500_000

  private var groups: GroupPlaces
  private let field: SessionField?
  /// By the places of groups.
  private var tallies: [ResponseTally] = []
  private var counters = 0

  /// - Parameter largest: the groups to be told apart; nil tells all apart, up to `ReportScope.mostGroupsAtOnce`.
  init(_ scope: ReportScope, largest: LargestGroups? = nil) {
    groups = GroupPlaces(scope, largest: largest)
    field = scope.groupBy
  }

  /// As `GroupPlaces.place(named:)`.
  mutating func place(named name: String?) throws(GroupPlaces.TooMany) -> Int? { try groups.place(named: name) }

  /// As `GroupPlaces.place(of:startedAtMicroseconds:hasSuspectClock:)`.
  mutating func place(
    of session: borrowing JudgedSession, startedAtMicroseconds: Int64, hasSuspectClock: Bool
  ) throws(GroupPlaces.TooMany) -> Int {
    try groups.place(of: session, startedAtMicroseconds: startedAtMicroseconds, hasSuspectClock: hasSuspectClock)
  }

  /// Counts a response in the group at a place.
  ///
  /// - Throws: `.usage` where groups × buttons are more than can be counted.
  mutating func count(_ response: CountedResponse, at place: Int) throws(ReportError) {
    guard groups.areAskedFor else { return }
    while tallies.count <= place { tallies.append(ResponseTally()) }
    let before = tallies[place].counters
    tallies[place].count(response)
    counters += tallies[place].counters - before
    guard counters <= Self.mostCounters else {
      throw .usage(
        "the buttons of all groups of \(QuotedText.of(field?.name ?? "the field")) are more than "
          + "\(Self.mostCounters) numbers; group by a field with fewer values, show the largest groups with --top N, or "
          + "narrow the report with --app, --where, --from and --to")
    }
  }

  /// The groups that have responses, as `GroupPlaces.shown(size:)` puts them. Nil where none were asked for.
  func shown() -> [(group: GroupPlaces.Shown, tally: ResponseTally)]? {
    groups.shown { $0 < tallies.count ? tallies[$0].counts.responses : 0 }?.map { group in
      (group, group.places.dropFirst().reduce(into: tallies[group.places[0]]) { $0.add(tallies[$1]) })
    }
  }
}
