import FunnelDocument
import Postgres
import Reports

/// Writes what is counted of the stories of a day: the files of funnels and of stories.
enum StoryFiles {
  /// Writes those that are asked for, sorted by app and story.
  ///
  /// - Parameter written: gets the files.
  /// - Returns: the sums of all stories, without pages.
  /// - Throws: `.file`, `.database`, `.conservation`.
  static func write(
    _ tallies: StoryTallies, _ day: ExportDay, _ apps: AppDirectory, _ options: ExportOptions,
    into directory: borrowing OpenDirectory, _ connection: inout PostgresConnection, _ written: inout [WrittenFile]
  ) throws(ExportError) -> FunnelCounts {
    var funnelLines: FunnelLines?
    var storyLines: StoryLines?
    if options.contents.contains(.funnel) { funnelLines = try FunnelLines(day, options, in: directory) }
    if options.contents.contains(.stories) { storyLines = try StoryLines(day, options, in: directory) }
    var sums = FunnelCounts()
    let stories = sorted(tallies, apps)
    var titles: [Int: [Int: String]] = [:]
    for (place, story) in stories.enumerated() {
      if funnelLines != nil, place.isMultiple(of: Self.storiesAtOnce) {
        titles = try Self.titles(of: stories[place..<min(place + Self.storiesAtOnce, stories.count)], &connection)
      }
      var counts = story.counts(titles: titles[place] ?? [:])
      let faults = counts.conservationFaults()
      guard faults.isEmpty else { throw ExportError.conservation(faults) }
      let app = apps.name(of: story.appID)
      try funnelLines?.write(app: app, story, counts)
      try storyLines?.write(app: app, story, counts)
      counts.pages = []
      sums = sums + counts
    }
    if let file = try funnelLines?.finish() { written.append(file) }
    if let file = try storyLines?.finish() { written.append(file) }
    return sums
  }

  /// Stories whose titles are asked for with one statement.
  private static let storiesAtOnce = 500

  /// The titles of pages by the story's place and the page's index.
  private static func titles(
    of stories: ArraySlice<StoryTally>, _ connection: inout PostgresConnection
  ) throws(ExportError) -> [Int: [Int: String]] {
    let named = stories.indices.filter { !stories[$0].isOthers }
    return try reading { () throws(PostgresError) in
      try StoryDirectory.titles(
        ofStories: named.map { (place: $0, appID: stories[$0].appID, story: stories[$0].name) }, &connection)
    }
  }

  /// Stories that were presented, by the bytes of app and story, those without a story behind the others of their app.
  private static func sorted(_ tallies: StoryTallies, _ apps: AppDirectory) -> [StoryTally] {
    func isBefore(_ left: StoryTally, _ right: StoryTally) -> Bool {
      if left.appID != right.appID {
        return apps.name(of: left.appID).utf8.lexicographicallyPrecedes(apps.name(of: right.appID).utf8)
      }
      guard let leftStory = left.story else { return false }
      guard let rightStory = right.story else { return true }
      return leftStory.lexicographicallyPrecedes(rightStory)
    }
    return tallies.stories.filter { $0.hasPresentations }.sorted(by: isBefore)
  }
}

extension ExportError {
  fileprivate static func conservation(_ faults: [String]) -> ExportError {
    ExportError(
      .conservation,
      "the counts of a story contradict each other, so nothing is written; please report this: "
        + faults.prefix(3).joined(separator: "; ") + (faults.count > 3 ? "; and \(faults.count - 3) more" : ""))
  }
}
