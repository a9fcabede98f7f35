import FunnelDocument
import SessionMetrics

/// The groups of a report: finds the group of each session, and in which order groups are shown. What is counted in them is kept
/// elsewhere, by their places.
struct GroupPlaces {
  /// There are more groups than can be counted at once.
  struct TooMany: Error {}

  /// A group as it is shown.
  struct Shown {
    var name: String
    /// Of the group of others: how many they are.
    var mergedGroups: Int?
    /// Where it is counted: in one place, but for others.
    var places: [Int]
  }

  private struct Group {
    var name: String
    /// Where it stands among others, for periods of time and facts; else 0.
    var order: Int64
  }

  private var grouping: SessionGrouping
  private let mostShown: Int?
  /// Where they are known beforehand, all others are counted together.
  private let largest: LargestGroups?
  private var groups: [Group] = []
  private var placesByName: [ByteText: Int] = [:]
  private var placesByOrder: [Int64: Int] = [:]
  private var placeOfOthers: Int?

  /// - Parameter largest: the groups to be told apart; nil tells all apart, up to `ReportScope.mostGroupsAtOnce`.
  init(_ scope: ReportScope, largest: LargestGroups? = nil) {
    grouping = SessionGrouping(scope)
    mostShown = scope.mostGroups
    self.largest = largest
    if grouping.field == nil { groups.append(Group(name: "", order: 0)) }
  }

  /// Whether groups were asked for; else there is one place, 0, for all sessions.
  var areAskedFor: Bool { grouping.field != nil }

  /// The place of the group of a value of the field, 0 where no groups are asked for; nil where each session has to be asked:
  /// for periods and facts.
  mutating func place(named name: String?) throws(TooMany) -> Int? {
    guard grouping.isByText else { return areAskedFor ? nil : 0 }
    let name = name ?? StorySelection.noneText
    if let place = placesByName[ByteText(name)] { return place }
    if let largest, !largest.values.contains(TextHash(name)) { return others() }
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
    if let largest, !largest.values.contains(TextHash(number: order)) { return others() }
    let place = try add(Group(name: grouping.name(of: order), order: order))
    placesByOrder[order] = place
    return place
  }

  /// The groups that have something: periods in their order, others by size, then by name, and last those beyond the largest
  /// together. Nil where none were asked for.
  ///
  /// - Parameter size: how many are counted in a place.
  func shown(size: (Int) -> Int) -> [Shown]? {
    guard areAskedFor else { return nil }
    let sizes = groups.indices.map(size)
    func isLarger(_ left: Int, _ right: Int) -> Bool {
      if sizes[left] != sizes[right] { return sizes[left] > sizes[right] }
      let (first, second) = (groups[left], groups[right])
      return first.order != second.order ? first.order < second.order : first.name.precedes(second.name)
    }
    var shown = groups.indices.filter { $0 != placeOfOthers && sizes[$0] > 0 }
    var others = placeOfOthers.map { Shown(name: groups[$0].name, mergedGroups: largest?.otherCount, places: [$0]) }
    if let mostShown, shown.count > mostShown {
      shown.sort(by: isLarger)
      let merged = shown[mostShown...]
      others = Shown(
        name: FunnelGroup.otherName, mergedGroups: (others?.mergedGroups ?? 0) + merged.count,
        places: (others?.places ?? []) + merged)
      shown.removeSubrange(mostShown...)
    }
    shown.sort { groups[$0].order != groups[$1].order ? groups[$0].order < groups[$1].order : isLarger($0, $1) }
    return shown.map { Shown(name: groups[$0].name, places: [$0]) } + (others.map { [$0] } ?? [])
  }

  /// The error for a field with too many values.
  ///
  /// - Parameters:
  ///   - hint: what would help.
  ///   - choosesStory: whether the report takes `--story`.
  static func tooMany(
    _ field: SessionField?, most: Int = ReportScope.mostGroupsAtOnce, hint: String = "show the largest with --top N, ",
    choosesStory: Bool = true
  ) -> ReportError {
    .usage(
      "\(QuotedText.of(field?.name ?? "the field")) has more than \(most) values here; \(hint)group by a field with fewer, "
        + "or narrow the report with \(choosesStory ? "--story, " : "")--where, --from and --to")
  }

  private mutating func others() -> Int {
    if let placeOfOthers { return placeOfOthers }
    groups.append(Group(name: FunnelGroup.otherName, order: 0))
    placeOfOthers = groups.count - 1
    return groups.count - 1
  }

  private mutating func add(_ group: Group) throws(TooMany) -> Int {
    guard groups.count < ReportScope.mostGroupsAtOnce || largest != nil else { throw TooMany() }
    groups.append(group)
    return groups.count - 1
  }
}
