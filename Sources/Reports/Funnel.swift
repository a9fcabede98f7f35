import FunnelDocument

/// A funnel, and what its heading says beside the numbers.
public struct Funnel: Sendable {
  /// The numbers.
  public var report: FunnelReport
  /// The field that groups are made by, as it was asked for.
  public var groupedBy: String?
  /// Whether all apps were asked for, rather than those that the scope names.
  public var coversAllApps: Bool
  /// How many story sessions came from each environment, the most first; `(none)` where it was not said.
  public var environments: [CountedName]
  /// How many story sessions each story of the scope has, the most first.
  public var stories: [StoryCount]
  /// Story sessions of further stories, beyond those that are listed.
  public var otherStorySessions: Int
  /// Where pages changed within the range, the oldest first; of a report about one story.
  public var pageChanges: [PageChange]
  /// The first and the last start among the presentations, as RFC 3339 in the report's zone.
  public var observed: ObservedRange?
  /// A sentence on why the report is empty; nil where it is not.
  public var explanation: String?

  /// Whether there is no presentation in the scope.
  public var isEmpty: Bool { report.total.presentations == 0 }

  init(
    report: FunnelReport, groupedBy: String? = nil, coversAllApps: Bool = true, environments: [CountedName] = [],
    stories: [StoryCount] = [],
    otherStorySessions: Int = 0, pageChanges: [PageChange] = [], observed: ObservedRange? = nil,
    explanation: String? = nil
  ) {
    self.report = report
    self.groupedBy = groupedBy
    self.coversAllApps = coversAllApps
    self.environments = environments
    self.stories = stories
    self.otherStorySessions = otherStorySessions
    self.pageChanges = pageChanges
    self.observed = observed
    self.explanation = explanation
  }
}

/// A name with its story sessions.
public struct CountedName: Sendable, Equatable {
  /// The name.
  public var name: String
  /// Its story sessions.
  public var sessions: Int
}

/// A story with its story sessions.
public struct StoryCount: Sendable, Equatable {
  /// The app that it belongs to.
  public var app: String
  /// Its name; nil for sessions without a story.
  public var story: String?
  /// Its story sessions.
  public var sessions: Int
}

/// From the first to the last start of what was counted.
public struct ObservedRange: Sendable, Equatable {
  /// The first start, as RFC 3339.
  public var first: String
  /// The last start, as RFC 3339.
  public var last: String
}
