import FunnelDocument
import LocalTime

/// Which sessions a report is about, and how they are grouped.
public struct ReportScope: Sendable, Equatable {
  /// The names of the apps; empty takes all.
  public var apps: [String]
  /// The story.
  public var story: StorySelection
  /// When the sessions started.
  public var range: TimeRange
  /// The zone that days, weeks and hours are of, and in which times are printed.
  public var timeZone: ReportTimeZone
  /// What the reach and step rates count.
  public var order: FunnelOrder
  /// What groups are made by; nil makes none.
  public var groupBy: GroupField?
  /// Fewer presentations than this hide the rates of a group (metrics §3). At least 1.
  public var minimumCount: Int

  /// Makes a scope; all apps, all stories, all time and UTC unless said otherwise.
  public init(
    apps: [String] = [], story: StorySelection = .all, range: TimeRange = .allTime, timeZone: ReportTimeZone = .utc,
    order: FunnelOrder = .reached, groupBy: GroupField? = nil, minimumCount: Int = 1
  ) {
    self.apps = apps
    self.story = story
    self.range = range
    self.timeZone = timeZone
    self.order = order
    self.groupBy = groupBy
    self.minimumCount = minimumCount
  }
}

/// Which story a report is about.
public enum StorySelection: Sendable, Equatable {
  /// All of them.
  case all
  /// The sessions that carry no `story_id`.
  case withoutStory
  /// The sessions of this `story_id`.
  case named(String)

  /// How a missing value is shown, and asked for (contract §1, `story_id`).
  public static let noneText = "(none)"

  /// Reads the value of `--story`: `(none)` is the sessions without a story.
  public init(argument: String) {
    self = argument == Self.noneText ? .withoutStory : .named(argument)
  }

  /// As the JSON form shows it: nil for all.
  var name: String? {
    switch self {
    case .all: nil
    case .withoutStory: Self.noneText
    case .named(let name): name
    }
  }
}
