import LocalTime

/// One session, event by event, and how it counts (`pagefall report session`).
public struct SessionTimeline: Sendable, Equatable {
  /// The session.
  public var line: SessionLine
  /// Microseconds that were added to the device's clock (contract §3).
  public var clockOffsetMicroseconds: Int64
  /// What was said about it: the name of each field that has a value, in the order of the contract.
  public var context: [NamedText]
  /// A JSON object; nil where there are none.
  public var properties: String?
  /// The stored events in the order of `seq`, at most `mostEvents`.
  public var events: [TimelineEvent]
  /// Further events, which were judged but are not listed.
  public var unlistedEvents: Int
  /// The `seq` values that never arrived, in their order.
  public var gaps: [ClosedRange<Int>]
  /// How it counts as a whole.
  public var steps: [CountingStep]
  /// How it counts on each page that its events imply.
  public var pages: [PageSteps]
  /// What was refused.
  public var rejected: RejectedLook
  /// What else has to be known.
  public var remarks: [String]
  /// The zone in which times are printed.
  public var timeZone: ReportTimeZone

  /// The most events that are listed.
  public static let mostEvents = 10_000
}

/// A name and a text of a sender's.
public struct NamedText: Sendable, Equatable {
  /// The field's name.
  public var name: String
  /// Its value.
  public var text: String
}

/// An event of a timeline.
public struct TimelineEvent: Sendable, Equatable {
  /// Its number within the session.
  public var seq: Int
  /// Its type's name.
  public var type: String
  /// By the device's own clock, uncorrected, in microseconds since 1970.
  public var atMicroseconds: Int64
  /// From the session's first event to this one, by the device's clock, in microseconds; negative where that was set back.
  public var afterMicroseconds: Int64
  /// The page that was shown or tapped.
  public var page: Int?
  /// Of a `start`.
  public var pageCount: Int?
  /// The page's newest title.
  public var title: String?
  /// Its other fields.
  public var details: [NamedText]
  /// Of a `page_shown`: what became of it.
  public var impression: TimelineImpression?
  /// What is to be known of it.
  public var remark: String?
}

/// How a showing of a page ended, and why that is so (metrics §2).
public struct TimelineImpression: Sendable, Equatable {
  /// Such as `next`.
  public var departure: String
  /// Why, in a few words.
  public var reason: String
  /// How long it lasted, in microseconds of device time; nil where that cannot be known.
  public var dwellMicroseconds: Int64?
  /// Why there is no dwell; nil where there is one.
  public var dwellReason: String?
  /// Who made a `next`: `auto` or `tap`; nil where it is none or the page's duration is not known.
  public var nextCause: String?
}

/// Whether a session counts at a step of the funnel, and why.
public struct CountingStep: Sendable, Equatable {
  /// The step's name, as the JSON form of a funnel calls it.
  public var name: String
  /// Whether it counts.
  public var counts: Bool
  /// Why it does, or does not.
  public var reason: String
}

/// How a session counts on a page.
public struct PageSteps: Sendable, Equatable {
  /// The played index.
  public var page: Int
  /// The page's newest title.
  public var title: String?
  /// Its `page_shown` events.
  public var impressions: Int
  /// Its `action_tap` events.
  public var taps: Int
  /// Impressions with a dwell.
  public var dwells: Int
  /// `reached`, `strict`, `completed` and `tapped`.
  public var steps: [CountingStep]
}
