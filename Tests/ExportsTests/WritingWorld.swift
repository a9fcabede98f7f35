import EventStore
import Foundation
import LocalTime
import Postgres
import Reports
import StoryEvents
import Synchronization
import TestSupport

@testable import Exports

/// A session as a test of written files stores it.
struct StoredSession {
  var app = "shop"
  var story: String? = "spring-sale"
  var startedAt = "2026-11-29T10:00:00Z"
  var arrivedAt = "2026-11-29T12:00:00Z"
  var clockOffsetMicroseconds: Int64 = 0
  var hasSuspectClock = false
  /// Context fields by name, but for the story.
  var context: [String: String] = [:]
  /// A UUID as it is stored; one of the session's own unless said otherwise.
  var storedID: String?
  var events: [StoredRow] = []
}

/// An event as a test of written files stores it.
struct StoredRow {
  var seq: Int
  var type: EventType
  /// SQL: an instant.
  var at = "2026-11-29T10:00:00Z"
  /// The other columns by name, as SQL.
  var columns: [String: String] = [:]
}

/// A database of this version's tables, and days of it written to files.
final class WritingWorld: Sendable {
  let database: TestDatabase
  private let nextSession = Atomic<UInt64>(1)

  init(_ sessions: [StoredSession] = []) throws {
    database = try TestDatabase(template: "writing") { connectionString in
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

  func store(_ sessions: [StoredSession]) throws {
    var statements: [String] = []
    for session in sessions {
      let number = nextSession.add(1, ordering: .relaxed).oldValue
      let id =
        session.storedID
        ?? SessionID(millisecondsSince1970: 1_795_946_400_000 + number, randomHigh: 0, randomLow: number).description
      statements.append(try sql(session, id))
      statements += session.events.map { sql($0, id) }
    }
    if !statements.isEmpty { try execute(statements.joined(separator: ";\n")) }
  }

  /// Writes a day into a new directory.
  func write(
    _ options: ExportOptions = ExportOptions(compression: .none), on day: String = "2026-11-29", zone: String = "UTC",
    apps: [String]? = nil, limits: DayLimits = DayLimits()
  ) throws -> DayOnDisk {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2]) else {
      throw WritingTestError("\(day) is no day")
    }
    let exported = ExportDay(date, in: try ReportTimeZone(named: zone))
    let directory = try TemporaryDirectory()
    let opened = try OpenDirectory(path: directory.path)
    var connection = try connect()
    let written = try connection.transaction(isolation: .repeatableRead, readOnly: true) { connection in
      var appIDs: [Int32]?
      if let apps {
        let numbers = try connection.execute(
          "SELECT app_id FROM pagefall.apps WHERE name = ANY ($1)", [.textArray(apps)])
        appIDs = try (0..<numbers.rowCount).map { try numbers[$0, 0] as Int32 }
      }
      return try DayWriter.write(
        exported, try AppDirectory(&connection), appIDs: appIDs, options, into: opened, &connection, limits: limits)
    }
    return DayOnDisk(written: written, options: options, directory: directory)
  }

  private func sql(_ session: StoredSession, _ id: String) throws -> String {
    let context = session.context.sorted { $0.key < $1.key }
    return """
      INSERT INTO pagefall.apps (name) VALUES (\(try SQLText.literal(session.app))) ON CONFLICT DO NOTHING;
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, story_id\
      \(context.map { ", " + $0.key }.joined()))
      VALUES ('\(id)', (SELECT app_id FROM pagefall.apps WHERE name = \(try SQLText.literal(session.app))),
        '\(session.startedAt)', '\(session.arrivedAt)', \(session.clockOffsetMicroseconds),
        \(session.hasSuspectClock ? 1 : 0), \(try session.story.map(SQLText.literal) ?? "NULL")\
      \(try context.map { ", " + (try SQLText.literal($0.value)) }.joined()))
      """
  }

  private func sql(_ event: StoredRow, _ id: String) -> String {
    let columns = event.columns.sorted { $0.key < $1.key }
    return """
      INSERT INTO pagefall.stored_events (session_id, seq, type, at\(columns.map { ", " + $0.key }.joined()))
      VALUES ('\(id)', \(event.seq), \(event.type.rawValue), '\(event.at)'\(columns.map { ", " + $0.value }.joined()))
      """
  }
}

/// The files of a written day.
struct DayOnDisk {
  let written: WrittenDay
  let options: ExportOptions
  let directory: TemporaryDirectory

  func file(_ content: ExportContent) throws -> WrittenFile {
    guard let file = written.files.first(where: { $0.content == content }) else {
      throw WritingTestError("there is no file of \(content)")
    }
    return file
  }

  func path(_ content: ExportContent) throws -> String { directory.path + "/" + (try file(content).name) }

  /// The bytes on the disk.
  func bytes(_ content: ExportContent) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: try path(content))))
  }

  /// The lines below the header.
  func rows(_ content: ExportContent) throws -> [FileRow] {
    let bytes = try PlainBytes.of(try bytes(content), named: try file(content).name)
    switch options.format {
    case .csv: return try StrictCSV(bytes).rows()
    case .ndjson: return try StrictNDJSON.rows(bytes, content.columns)
    }
  }
}
