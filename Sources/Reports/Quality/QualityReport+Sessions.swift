import FunnelDocument

/// An app version as reports name it.
public struct VersionName: Sendable, Equatable {
  /// The app.
  public var app: String
  /// The version as it was sent; nil where it was not said.
  public var version: String?

  /// By their bytes, as in the database.
  public static func == (left: VersionName, right: VersionName) -> Bool {
    left.app.isSameBytes(as: right.app) && left.version.map(ByteText.init) == right.version.map(ByteText.init)
  }
}

/// The story sessions of an app version.
public struct VersionQuality: Sendable, Equatable {
  /// Which; nil for all that are not listed.
  public var name: VersionName?
  /// What is wrong with them.
  public var faults: SessionFaults
}

/// The story sessions of a local day.
public struct DayQuality: Sendable, Equatable {
  /// The day, such as `2026-11-01`; nil for days beyond the number that is kept apart.
  public var day: String?
  /// What is wrong with them.
  public var faults: SessionFaults
  /// How long their first events took to arrive.
  public var delay: ArrivalDelay
}

/// The story sessions of an app version on a local day.
public struct CellQuality: Sendable, Equatable {
  /// Which version and day; nil for all that are not listed.
  public var place: CellPlace?
  /// What is wrong with them.
  public var faults: SessionFaults
}

/// An app version on a local day.
public struct CellPlace: Sendable, Equatable {
  /// Which version; nil for versions beyond the number that is kept apart.
  public var name: VersionName?
  /// The day, such as `2026-11-01`; nil for days beyond the number that is kept apart.
  public var day: String?
}

/// How far the clocks of devices were off, over the sessions whose start was corrected (contract §3: by more than five
/// minutes).
public struct ClockOffsets: Sendable, Equatable {
  /// Story sessions with an offset.
  public var sessions = 0
  /// The median of the offsets' sizes, in seconds; nil without any.
  public var medianSeconds: Double?
  /// Their 90th percentile, in seconds.
  public var ninetiethPercentileSeconds: Double?
  /// The clock that was furthest ahead of the server's, in seconds; nil where none was ahead.
  public var furthestAheadSeconds: Double?
  /// The clock that was furthest behind, in seconds; nil where none was behind.
  public var furthestBehindSeconds: Double?
}

/// From the corrected start of story sessions to the arrival of their first event. Quantiles are by nearest rank, exact for
/// up to 1,024 sessions and within 0.4 % beyond.
public struct ArrivalDelay: Sendable, Equatable {
  /// Sessions that were measured: all but those with a suspect clock, which have no known start.
  public var sessions = 0
  /// Of these, sessions whose start seems to lie after their arrival; they count as no delay.
  public var startsAfterArrival = 0
  /// The median in seconds; nil without sessions.
  public var medianSeconds: Double?
  /// The 90th percentile in seconds.
  public var ninetiethPercentileSeconds: Double?
  /// The 99th percentile in seconds.
  public var ninetyNinthPercentileSeconds: Double?
}

/// How complete yesterday is likely to be by now, judged by how complete earlier days were at the same time after their end
/// (docs/quality.md §5).
public struct YesterdayEstimate: Sendable, Equatable {
  /// The local day that is yesterday, such as `2026-11-29`.
  public var day: String
  /// Its story sessions so far.
  public var sessionsSoFar: Int
  /// Seconds since it ended.
  public var secondsSinceItsEnd: Int
  /// The earlier days that were looked at, the latest first, each with what had arrived of it.
  public var earlierDays: [ArrivedShare]
  /// Why nothing can be told; nil where `share` is given.
  public var obstacle: Obstacle?
  /// The median of the earlier days' shares; the lower one of the two in the middle where their number is even.
  public var share: Double?
  /// The lowest share of an earlier day.
  public var lowestShare: Double?
  /// The highest.
  public var highestShare: Double?

  /// Why nothing can be told of yesterday.
  public enum Obstacle: String, Sendable {
    /// Fewer than `leastDays` earlier days have enough sessions.
    case tooFewDays = "too_few_days"
    /// Nothing at all has arrived since yesterday ended.
    case nothingArrived = "nothing_arrived"
  }

  /// The most earlier days that are looked at.
  public static let mostDays = 28
  /// The fewest on which an estimate is made.
  public static let leastDays = 7
  /// The fewest sessions that an earlier day must have.
  public static let leastSessions = 10
  /// Days right before yesterday that are left out, for they may themselves be incomplete.
  public static let daysLeftOut = 2

  /// How many sessions are still to come, by the median share; nil where it cannot be told.
  public var expectedSessions: Int? { remaining(share) }
  /// By the highest share.
  public var fewestExpectedSessions: Int? { remaining(highestShare) }
  /// By the lowest share.
  public var mostExpectedSessions: Int? { remaining(lowestShare) }

  private func remaining(_ share: Double?) -> Int? {
    guard let share, share > 0 else { return nil }
    return Int((Double(sessionsSoFar) / share - Double(sessionsSoFar)).rounded())
  }
}

/// How much of a day had arrived by a time after its end.
public struct ArrivedShare: Sendable, Equatable {
  /// The local day, such as `2026-11-20`.
  public var day: String
  /// Its story sessions that had arrived by then.
  public var arrived: Int
  /// Its story sessions.
  public var sessions: Int

  /// arrived ÷ sessions.
  public var share: Double { Double(arrived) / Double(max(1, sessions)) }
}
