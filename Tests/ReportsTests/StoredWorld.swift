import EventStore
import Foundation
import Postgres
import Reports
import StoryEvents
import TestSupport

/// A session as a test writes it down.
struct WorldSession {
  var app = "shop"
  var story: String? = "spring-sale"
  var startedAt = "2026-11-29T10:00:00Z"
  /// Context fields by name, but for the story.
  var context: [String: String] = [:]
  /// A JSON object.
  var properties: String?
  var hasSuspectClock = false
  var events: [WorldEvent]

  init(
    _ events: String, app: String = "shop", story: String? = "spring-sale", startedAt: String = "2026-11-29T10:00:00Z",
    context: [String: String] = [:], properties: String? = nil, hasSuspectClock: Bool = false
  ) {
    self.events = WorldEvent.parse(events)
    self.app = app
    self.story = story
    self.startedAt = startedAt
    self.context = context
    self.properties = properties
    self.hasSuspectClock = hasSuspectClock
  }
}

/// An event as a test writes it down. Times are milliseconds since the story began.
struct WorldEvent: Equatable {
  var seq: Int
  var type: EventType
  var number: Int?
  var milliseconds: Double
  var durationSeconds: Double?
  var pageDurations: [Double?]?
  /// Of a fallback.
  var reason: String?
  /// Of rich media.
  var contentCode: String?

  /// Reads a story such as `start/3 0~5 1 tap/1 - 2@9000 finish`: a number is a `page_shown`, `~` its duration in seconds,
  /// `-` a lost event, `@` a time in milliseconds (else a second after the one before), `start/2[5,?]` has the durations of
  /// its pages, `presented/r-1` a content code.
  static func parse(_ text: String) -> [WorldEvent] {
    var events: [WorldEvent] = []
    var milliseconds = -1_000.0
    for (seq, word) in text.split(separator: " ").enumerated() {
      milliseconds += 1_000
      if word == "-" { continue }
      let timed = word.split(separator: "@")
      if timed.count > 1, let time = Double(timed[1]) { milliseconds = time }
      let lasting = timed[0].split(separator: "~")
      let listed = lasting[0].split(separator: "[")
      let parts = listed[0].split(separator: "/")
      let durations = listed.count > 1 ? listed[1].dropLast().split(separator: ",").map { Double($0) } : nil
      let type = Int(parts[0]) == nil ? type(String(parts[0])) : .pageShown
      let isRichMedia = (EventType.richMediaDeferred.rawValue...EventType.richMediaFailed.rawValue).contains(
        type.rawValue)
      events.append(
        WorldEvent(
          seq: seq, type: type,
          number: Int(parts[0]) ?? (parts.count > 1 ? Int(parts[1]) : nil), milliseconds: milliseconds,
          durationSeconds: lasting.count > 1 ? Double(lasting[1]) : nil, pageDurations: durations,
          contentCode: isRichMedia ? parts.count > 1 ? String(parts[1]) : "r-1" : nil))
    }
    return events
  }

  private static func type(_ word: String) -> EventType {
    switch word {
    case "tap": .actionTap
    case "media", "presented": .richMediaPresented
    case "deferred": .richMediaDeferred
    case "closed": .richMediaClosed
    case "failed": .richMediaFailed
    case "answer": .notificationResponse
    case _: EventType(name: word) ?? .dismiss
    }
  }
}

/// A database with the tables of this version, filled by a test.
final class StoredWorld {
  let database: TestDatabase
  private var nextSession: UInt64 = 1

  init(_ sessions: [WorldSession] = []) throws {
    database = try TestDatabase(template: "reports") { connectionString in
      var connection = try PostgresConnection(ConnectionOptions(connectionString))
      try Migrator.migrate(&connection)
    }
    try store(sessions)
  }

  func connect() throws -> PostgresConnection { try PostgresConnection(ConnectionOptions(database.connectionString)) }

  func execute(_ sql: String) throws {
    var connection = try connect()
    try connection.executeScript(sql)
  }

  func store(_ sessions: [WorldSession]) throws {
    guard !sessions.isEmpty else { return }
    var sessionRows: [String] = []
    var eventRows: [String] = []
    for session in sessions {
      let id = Self.id(nextSession)
      nextSession += 1
      sessionRows.append(try Self.row(session, id))
      eventRows += try session.events.map { try Self.row($0, id, startedAt: session.startedAt) }
    }
    // By their bytes, as the database tells them apart.
    let apps = Set(sessions.map { Array($0.app.utf8) }).map { String(decoding: $0, as: UTF8.self) }.sorted()
    try execute(
      """
      INSERT INTO pagefall.apps (name, data_through)
        SELECT unnest(ARRAY[\(try apps.map(SQLText.literal).joined(separator: ","))]), '2026-11-30T03:00:00.113Z'
        ON CONFLICT DO NOTHING;
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, story_id, properties,
        \(Self.contextFields.joined(separator: ", "))) VALUES \(sessionRows.joined(separator: ",\n"));
      \(eventRows.isEmpty ? "" : """
        INSERT INTO pagefall.stored_events (session_id, seq, type, at, page_index, page_count, duration, page_durations,
          reason, content_code)
        VALUES \(eventRows.joined(separator: ",\n"));
        """)
      """)
  }

  /// The report of a scope, seen from 2026-11-30T03:00:00Z.
  func report(_ scope: ReportScope = ReportScope()) throws -> Funnel {
    var connection = try connect()
    return try FunnelReporter.run(scope, on: &connection, nowMicroseconds: reportTimeMicroseconds)
  }

  private static func id(_ number: UInt64) -> String {
    SessionID(millisecondsSince1970: 1_795_946_400_000 + number, randomHigh: 0, randomLow: number).description
  }

  private static let contextFields = ContextField.allCases.filter { $0 != .storyID && $0 != .properties }.map(\.name)

  private static func row(_ session: WorldSession, _ id: String) throws -> String {
    func text(_ value: String?) throws -> String { try value.map(SQLText.literal) ?? "NULL" }
    let context = try contextFields.map { try text(session.context[$0]) }
    return """
      ('\(id)', (SELECT app_id FROM pagefall.apps WHERE name = \(try text(session.app))), '\(session.startedAt)',
        '2026-11-29T12:00:00Z', 0, \(session.hasSuspectClock ? 1 : 0), \(try text(session.story)),
        \(try text(session.properties))::jsonb, \(context.joined(separator: ", ")))
      """
  }

  private static func row(_ event: WorldEvent, _ id: String, startedAt: String) throws -> String {
    func number<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "NULL" }
    let durations = event.pageDurations.map { "ARRAY[\($0.map { number($0) }.joined(separator: ","))]::float8[]" }
    return """
      ('\(id)', \(event.seq), \(event.type.rawValue), '\(startedAt)'::timestamptz + interval '\(event.milliseconds) ms',
        \(event.type == .start ? "NULL" : number(event.number)), \(event.type == .start ? number(event.number) : "NULL"),
        \(number(event.durationSeconds)), \(durations ?? "NULL"), \(try event.reason.map(SQLText.literal) ?? "NULL"),
        \(try event.contentCode.map(SQLText.literal) ?? "NULL"))
      """
  }
}

/// 2026-11-30T03:00:00Z.
let reportTimeMicroseconds: Int64 = 1_796_007_600_000_000
