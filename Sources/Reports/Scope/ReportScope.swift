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
  /// What must hold of the sessions beside.
  public var conditions: [SessionCondition]
  /// What groups are made by; nil makes none.
  public var groupBy: SessionField?
  /// How many groups are shown, the largest; the others are one, `(other)`. Nil shows all.
  public var mostGroups: Int?
  /// Fewer presentations than this hide the rates of a group (metrics §3). At least 1.
  public var minimumCount: Int
  /// Whether devices are counted (metrics §1). It takes about 40 bytes for each, and again for each group it is in.
  public var countsDevices: Bool

  /// The most groups of a report, and of `mostGroups`: more would be read by nobody, and a field such as `device_id` must not
  /// exhaust memory.
  public static let mostGroupsAtOnce = 10_000

  /// Makes a scope; all apps, all stories, all time and UTC unless said otherwise.
  public init(
    apps: [String] = [], story: StorySelection = .all, range: TimeRange = .allTime, timeZone: ReportTimeZone = .utc,
    order: FunnelOrder = .reached, conditions: [SessionCondition] = [], groupBy: SessionField? = nil,
    mostGroups: Int? = nil, minimumCount: Int = 1, countsDevices: Bool = false
  ) {
    self.apps = apps
    self.story = story
    self.range = range
    self.timeZone = timeZone
    self.order = order
    self.conditions = conditions
    self.groupBy = groupBy
    self.mostGroups = mostGroups
    self.minimumCount = minimumCount
    self.countsDevices = countsDevices
  }

  /// Adds conditions. One that names a single story is the same as asking for that story.
  public mutating func add(_ conditions: [SessionCondition]) {
    for condition in conditions {
      if condition.field == .context(.storyID), !condition.isNegated, condition.values.count == 1, story == .all {
        story = StorySelection(argument: condition.values[0])
      } else {
        self.conditions.append(condition)
      }
    }
  }
}

/// Which story a report is about.
public enum StorySelection: Sendable, Equatable {
  /// All of them.
  case all
  /// The sessions that carry no `story_id`, and those whose sender calls their story `(none)`.
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
