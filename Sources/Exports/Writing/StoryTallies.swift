import FunnelDocument
import SessionMetrics

/// The counts of each story of a day, by app.
struct StoryTallies {
  private(set) var stories: [StoryTally] = []
  /// Places in `stories` by the hash of their columns' bytes; more than one where two have the same hash.
  private var places: [Int: [Int]] = [:]
  private var latest = 0
  /// Where the stories of an app are counted together that came when there were too many.
  private var others: [Int32: Int] = [:]
  /// See `DayLimits`.
  private let mostStories: Int

  init(_ limits: DayLimits) {
    mostStories = limits.stories
  }

  /// The place of the story of a session.
  ///
  /// Stories are told apart by their bytes: two ways to write an accent are two stories, as in the database.
  mutating func place(of row: DayRow) -> Int {
    if latest < stories.count, stories[latest].cohort.elementsEqual(row.cohort) { return latest }
    var hasher = Hasher()
    hasher.combine(bytes: row.cohort)
    let hash = hasher.finalize()
    for place in places[hash] ?? [] where stories[place].cohort.elementsEqual(row.cohort) {
      latest = place
      return place
    }
    if stories.count >= mostStories { return placeOfOthers(appID: row.appID) }
    latest = stories.count
    places[hash, default: []].append(latest)
    stories.append(StoryTally(row))
    return latest
  }

  /// A story that a sender calls by the same name goes in with them: two lines of one key would add up to neither.
  private mutating func placeOfOthers(appID: Int32) -> Int {
    if let place = others[appID] { return place }
    let namesake = stories.firstIndex { $0.appID == appID && $0.story == StoryTally.othersName }
    let place = namesake ?? stories.count
    if namesake == nil { stories.append(StoryTally(othersOf: appID)) }
    stories[place].isOthers = true
    others[appID] = place
    return place
  }

  /// Counts a session.
  mutating func count(_ session: borrowing JudgedSession, of facts: SessionFacts) {
    guard session.isPresentation else { return }
    stories[facts.story].count(session, facts)
  }
}

/// What has to be known of a session until its last event is read.
struct SessionFacts {
  /// The place of its story.
  var story: Int
  var startedAtMicroseconds: Int64
  var hasSuspectClock: Bool
  var hasDevice: Bool
}

/// The counts of one story of a day.
struct StoryTally {
  /// App and story as the database sent them.
  let cohort: [UInt8]
  let appID: Int32
  /// UTF-8; nil for sessions that named none.
  let story: [UInt8]?
  /// Whether it holds stories that are not told apart: their pages have no titles in common.
  fileprivate(set) var isOthers = false
  private var tally = FunnelTally()
  /// Presentations that say their device.
  private(set) var presentationsWithDevice = 0
  /// The starts of its first and its last presentation, in microseconds since 1970.
  private(set) var firstStartedAtMicroseconds = Int64.max
  private(set) var lastStartedAtMicroseconds = Int64.min

  init(_ row: DayRow) {
    cohort = Array(row.cohort)
    appID = row.appID
    story = row.story.map { Array($0) }
  }

  /// All stories of an app together that are not told apart.
  init(othersOf appID: Int32) {
    cohort = []
    self.appID = appID
    story = Self.othersName
  }

  /// What all stories that are not told apart are called.
  static let othersName = Array("(other)".utf8)

  /// Whether any of its sessions is a presentation: only then is it a line.
  var hasPresentations: Bool { firstStartedAtMicroseconds <= lastStartedAtMicroseconds }

  /// The story's name.
  var name: String? { story.map { String(decoding: $0, as: UTF8.self) } }

  fileprivate mutating func count(_ session: borrowing JudgedSession, _ facts: SessionFacts) {
    tally.count(session, hasSuspectClock: facts.hasSuspectClock)
    if facts.hasDevice { presentationsWithDevice += 1 }
    firstStartedAtMicroseconds = min(firstStartedAtMicroseconds, facts.startedAtMicroseconds)
    lastStartedAtMicroseconds = max(lastStartedAtMicroseconds, facts.startedAtMicroseconds)
  }

  /// The counts so far; `titles` by page index.
  func counts(titles: [Int: String] = [:]) -> FunnelCounts { tally.counts(titles: titles) }
}
