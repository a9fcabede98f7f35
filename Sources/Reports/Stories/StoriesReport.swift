import FunnelDocument

/// The stories in use, a line a story (`pagefall report stories`).
public struct StoriesReport: Sendable, Equatable {
  /// When the report was made, as RFC 3339.
  public var generatedAt: String
  /// The newest arrival in the database, as RFC 3339. Nil where nothing has arrived.
  public var dataThrough: String?
  /// Which sessions were asked for.
  public var scope: FunnelScope
  /// Whether all apps were asked for, rather than those that the scope names.
  public var coversAllApps: Bool
  /// The stories that have presentations in the scope, in the order that was asked for.
  public var stories: [StoryLine]
  /// All of them together.
  public var total: StoryLine
  /// The days of the sparklines, each local day from the first to the last with a session, such as `2026-11-01`; of a very
  /// long time its latest days (`StoriesReading.mostDays`).
  public var days: [String]
  /// A sentence on why the report is empty; nil where it is not.
  public var explanation: String?
  /// How many stories were left out at the end (`--limit`). They are in the total.
  public var hiddenStories = 0

  /// Whether there is no presentation in the scope.
  public var isEmpty: Bool { total.counts.presentations == 0 }

  /// The rates of a line, under this report's minimum count.
  public func rates(of line: StoryLine) -> FunnelRates {
    FunnelRates(line.counts, order: scope.order, minimumCount: scope.minimumCount)
  }
}

/// A story, or all of them.
public struct StoryLine: Sendable, Equatable {
  /// The app that it belongs to; nil of the total.
  public var app: String?
  /// Its name; nil for sessions without a story, and of the total.
  public var story: String?
  /// What was counted of its sessions, without its pages. `FunnelRates` makes the rates of it.
  public var counts: FunnelCounts
  /// How many pages its events imply.
  public var pageCount: Int
  /// The first start among its presentations, as RFC 3339 in the report's zone. Empty where there are none.
  public var firstSeen: String
  /// The last one.
  public var lastSeen: String
  /// Its story sessions of each of the report's `days`.
  public var sessionsByDay: [Int]
  /// The devices among its presentations, where they were asked for.
  public var devices: DeviceCounts?
}
