import FunnelDocument

/// A content code of an app. They are told apart by their bytes, as in the database.
struct ContentKey: Hashable {
  /// The app's number in the database.
  let appID: Int32
  /// The content code.
  let code: ByteText
}

/// The tallies of each content code in each group.
struct RichMediaCells {
  /// The most content codes of a report.
  static let mostContents = 10_000
  /// The most content codes of all groups together.
  static let mostCells = 100_000

  private struct Place: Hashable {
    let content: Int
    let group: Int
  }

  private(set) var contents: [ContentKey] = []
  private var placesOfContents: [ContentKey: Int] = [:]
  private var cells: [(place: Place, tally: RichMediaTally)] = []
  private var placesOfCells: [Place: Int] = [:]

  /// The place of a content code.
  ///
  /// - Throws: `.usage` where there are too many.
  mutating func place(of key: ContentKey) throws(ReportError) -> Int {
    if let place = placesOfContents[key] { return place }
    guard contents.count < Self.mostContents else {
      throw .usage(
        "there are more than \(Self.mostContents) content codes here; narrow the report with --app, --where, --from "
          + "and --to")
    }
    placesOfContents[key] = contents.count
    contents.append(key)
    return contents.count - 1
  }

  /// Counts a presentation.
  ///
  /// - Throws: `.usage` where there are too many content codes of groups.
  mutating func count(_ presentation: RichMediaPresentation, content: Int, group: Int) throws(ReportError) {
    let place = Place(content: content, group: group)
    if let cell = placesOfCells[place] {
      cells[cell].tally.count(presentation)
      return
    }
    guard cells.count < Self.mostCells else {
      throw .usage(
        "the groups have more than \(Self.mostCells) content codes together; show the largest groups with --top N, "
          + "group by a field with fewer values, or narrow the report with --app, --where, --from and --to")
    }
    placesOfCells[place] = cells.count
    cells.append((place, RichMediaTally()))
    cells[cells.count - 1].tally.count(presentation)
  }

  /// The tallies of the content codes over all groups, by their places.
  func byContent() -> [(content: Int, tally: RichMediaTally)] {
    var tallies = contents.map { _ in RichMediaTally() }
    for cell in cells { tallies[cell.place.content].add(cell.tally) }
    return tallies.enumerated().map { ($0.offset, $0.element) }
  }

  /// How many presentations there are in each place of a group.
  var presentationsByGroup: [Int: Int] {
    cells.reduce(into: [:]) { $0[$1.place.group, default: 0] += $1.tally.presentations }
  }

  /// The tallies of the content codes of each group, by the places that it is counted in.
  func byGroup(_ places: [[Int]]) -> [[(content: Int, tally: RichMediaTally)]] {
    var tallies: [[Int: RichMediaTally]] = Array(repeating: [:], count: places.count)
    let groups = Dictionary(
      uniqueKeysWithValues: places.enumerated().flatMap { group, places in places.map { ($0, group) } })
    for cell in cells {
      guard let group = groups[cell.place.group] else { continue }
      tallies[group][cell.place.content, default: RichMediaTally()].add(cell.tally)
    }
    return tallies.map { $0.map { ($0.key, $0.value) } }
  }
}
