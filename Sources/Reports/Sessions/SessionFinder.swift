import LocalTime
import Postgres
import SessionMetrics
import StoryEvents

/// Finds sessions: the newest, or the oldest, of a scope.
public enum SessionFinder {
  /// Most lines of a list.
  public static let mostSessions = 10_000

  /// Reads at most `limit` sessions, in one read-only snapshot; blocks until it is done.
  ///
  /// Where the database can decide the whole scope it looks at no more than it lists; else every session of the scope is
  /// judged, and memory still only holds what is listed.
  ///
  /// - Parameter limit: 1 … `mostSessions`.
  /// - Throws: `.usage` for an app or story that is not there; `.database`.
  public static func run(
    _ scope: ReportScope, limit: Int, isOldestFirst: Bool, on connection: inout PostgresConnection
  ) throws(ReportError) -> SessionList {
    try ReportSnapshot.read(&connection) { connection in
      try list(scope, limit: limit, isOldestFirst: isOldestFirst, &connection)
    }
  }

  private static func list(
    _ scope: ReportScope, limit: Int, isOldestFirst: Bool, _ connection: inout PostgresConnection
  ) throws -> SessionList {
    let frame = try ReportFrame(scope, &connection)
    let canPush = SessionChooser(scope).isIdle
    // One more than is listed, to know whether there are more.
    var best = BestSessions(limit + 1, isOldestFirst: isOldestFirst)
    var stream = try SessionStream(
      scope, appIDs: frame.appIDs, columns: SessionLine.columns,
      narrowing: canPush ? .first(limit + 1, isOldestFirst: isOldestFirst) : .all)
    try stream.read(&connection) { session, history, row in
      guard best.wants(startedAtMicroseconds: row.startedAtMicroseconds) else { return }
      best.add(try SessionLine(session, history, row, frame.apps))
    }
    var lines = best.sorted()
    if lines.isEmpty { try frame.requireStory(&connection) }
    let hasMore = lines.count > limit
    lines = Array(lines.prefix(limit))
    return SessionList(
      sessions: lines, isOldestFirst: isOldestFirst, hasMore: hasMore, timeZone: scope.timeZone,
      dataThroughMicroseconds: frame.apps.dataThroughMicroseconds,
      explanation: lines.isEmpty
        ? frame.explanationOfNothing(
          narrowed: "No session is like this; widen --from, --to, --story, --app or --where.",
          empty: "There is no session.")
        : nil)
  }
}

/// The sessions that stand first, of as many as there are, in bounded memory.
struct BestSessions {
  private let limit: Int
  private let isOldestFirst: Bool
  private var lines: [SessionLine] = []
  /// The start of the last that is wanted; nil while all are.
  private var bound: Int64?

  init(_ limit: Int, isOldestFirst: Bool) {
    self.limit = limit
    self.isOldestFirst = isOldestFirst
  }

  /// Whether a session of this start may stand among the first.
  func wants(startedAtMicroseconds start: Int64) -> Bool {
    guard let bound else { return true }
    return isOldestFirst ? start <= bound : start >= bound
  }

  mutating func add(_ line: SessionLine) {
    lines.append(line)
    // Twice as many before they are sorted: a step for each session then costs little, in whatever order they come.
    guard lines.count >= 2 * limit else { return }
    lines = sorted()
    bound = lines.last?.startedAtMicroseconds
  }

  func sorted() -> [SessionLine] {
    Array(
      lines.sorted { left, right in
        let (first, second) = isOldestFirst ? (left, right) : (right, left)
        return (first.startedAtMicroseconds, first.id) < (second.startedAtMicroseconds, second.id)
      }.prefix(limit))
  }
}

extension SessionLine {
  /// What is asked of each session for a line.
  static let columns: [SessionColumn] = [
    .sessionID, .appID, .arrivedAt, .hasSuspectClock, .context(.storyID), .context(.appVersion),
    .context(.deviceModel), .context(.deviceID), .context(.environment),
  ]

  init(
    _ session: borrowing JudgedSession, _ history: borrowing SessionHistory, _ read: SessionRow, _ apps: AppDirectory
  ) throws(CopyRowReader.Damaged) {
    var row = CopyRowReader(bytes: read.columns)
    id = try row.sessionID()
    app = apps.name(of: try row.int32())
    startedAtMicroseconds = read.startedAtMicroseconds
    arrivedAtMicroseconds = try row.instant()
    let hasSuspectClock = try row.flag()
    story = try row.text()
    appVersion = try row.text()
    deviceModel = try row.text()
    deviceID = try row.text()
    environment = try row.text()
    events = history.events.count
    missingEvents = session.missingEvents
    pagesReached = session.visits.count { $0.impressions > 0 }
    pageCount = session.pageCount
    lastPage = session.impressions.last?.page
    isPresentation = session.isPresentation
    surface = RichMediaPresentation(history.events, autoCloseSeconds: nil)?.summary
    if surface == nil, history.events.contains(where: { $0.type == .notificationResponse }) { surface = "response" }
    facts = []
    for fact in SessionFact.allCases where fact == .hasSuspectClock ? hasSuspectClock : session.holds(fact) {
      facts.append(fact)
    }
  }
}

extension CopyRowReader {
  /// A `uuid` that is never null, in its 36 characters.
  mutating func sessionID() throws(Damaged) -> String {
    guard let bytes = try field(), let id = PostgresUUID(bytes: bytes) else { throw Damaged() }
    return id.description
  }
}
