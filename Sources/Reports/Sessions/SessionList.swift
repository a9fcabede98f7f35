import LocalTime

/// The sessions that were asked for, a line a session (`pagefall report sessions`).
public struct SessionList: Sendable, Equatable {
  /// In the order of their start; by id where two started at once.
  public var sessions: [SessionLine]
  /// Whether the oldest start stands first, rather than the newest.
  public var isOldestFirst: Bool
  /// Whether there are more than are listed.
  public var hasMore: Bool
  /// The zone in which times are printed.
  public var timeZone: ReportTimeZone
  /// The newest arrival in the database, in microseconds since 1970. Nil where nothing has arrived.
  public var dataThroughMicroseconds: Int64?
  /// A sentence on why there is none; nil where there are some.
  public var explanation: String?
}

/// A session, and what it did.
public struct SessionLine: Sendable, Equatable {
  /// The id as it was sent, in lower case.
  public var id: String
  /// The app's name.
  public var app: String
  /// The session's start: what decides its day (metrics §1). In microseconds since 1970, as all times here.
  public var startedAtMicroseconds: Int64
  /// When its first event was received.
  public var arrivedAtMicroseconds: Int64
  /// The story; nil where it was not said, as below.
  public var story: String?
  /// Version of the app.
  public var appVersion: String?
  /// Model of the device.
  public var deviceModel: String?
  /// What the sender calls the device.
  public var deviceID: String?
  /// Such as `production`.
  public var environment: String?
  /// How many events are stored.
  public var events: Int
  /// How many are missing below the highest `seq`.
  public var missingEvents: Int
  /// How many pages it showed.
  public var pagesReached: Int
  /// How many pages the story has; nil without a start.
  public var pageCount: Int?
  /// The page shown last.
  public var lastPage: Int?
  /// Whether it has a story event at all (metrics §1, "presentation").
  public var isPresentation: Bool
  /// What it did beside a story, such as `closed rich media` or `response`; nil without such events.
  public var surface: String?
  /// What is so of it, in the order of `SessionFact`.
  public var facts: [SessionFact]

  /// What it did, in a few words.
  public var summary: String {
    guard isPresentation else { return surface ?? "no story event" }
    var words: [String] = []
    if facts.contains(.finished) {
      words.append("finished")
    } else if facts.contains(.reachedLast) {
      words.append("reached last")
    }
    if facts.contains(.tapped) { words.append("tapped") }
    if facts.contains(.fallback) { words.append("fallback") }
    if words.isEmpty { words.append(lastPage.map { "left on page \($0)" } ?? "showed no page") }
    if let surface { words.append(surface) }
    return words.joined(separator: ", ")
  }
}
