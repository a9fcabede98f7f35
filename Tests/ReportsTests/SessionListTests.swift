import Foundation
import FunnelDocument
import LocalTime
import PrintedText
import TestSupport
import Testing

@testable import Reports

extension StoredWorld {
  func list(
    _ filters: [String] = [], limit: Int = 20, isOldestFirst: Bool = false, zone: ReportTimeZone = .utc
  ) throws -> SessionList {
    var scope = ReportScope(timeZone: zone)
    for filter in filters { scope.add(try SessionFilter(argument: filter).conditions) }
    var connection = try connect()
    return try SessionFinder.run(scope, limit: limit, isOldestFirst: isOldestFirst, on: &connection)
  }
}

@Suite struct `A list of sessions` {
  /// The sessions start an hour apart, the third with the fourth.
  private static func world() throws -> StoredWorld {
    try StoredWorld([
      WorldSession("start/3 0 1 2 finish", startedAt: "2026-11-29T10:00:00Z", context: ["app_version": "4.2.0"]),
      WorldSession("start/3 0 tap/0", startedAt: "2026-11-29T11:00:00Z", context: ["app_version": "4.1.0"]),
      WorldSession("fallback", story: "other", startedAt: "2026-11-29T12:00:00Z"),
      WorldSession("- 0 - 1", startedAt: "2026-11-29T12:00:00Z", hasSuspectClock: true),
      WorldSession("media", app: "news", story: nil, startedAt: "2026-11-29T13:00:00Z"),
      WorldSession("start/2 0 1 tap/1", startedAt: "2026-11-29T14:00:00Z"),
    ])
  }

  private func numbers(_ list: SessionList) -> [Int] {
    list.sessions.map { session in (1...9).first { StoredWorld.sessionID(UInt64($0)) == session.id } ?? 0 }
  }

  @Test(
    arguments: [
      ([], 20, false, [6, 5, 4, 3, 2, 1]), ([], 20, true, [1, 2, 3, 4, 5, 6]), ([], 2, false, [6, 5]),
      ([], 3, true, [1, 2, 3]), (["finished=yes"], 20, false, [1]), (["finished=no"], 2, false, [6, 5]),
      (["finished=no"], 2, true, [2, 3]), (["missing_events=yes"], 20, false, [4]), (["tapped=yes"], 20, true, [2, 6]),
      (["app=news"], 20, false, [5]), (["story=other"], 20, false, [3]),
      (["app_version=4.2.0|4.1.0"], 20, false, [2, 1]),
      (["fallback=yes"], 20, false, [3]), (["suspect_clock=yes"], 20, false, [4]), (["hour=14"], 20, false, [6]),
      (["reached_last=yes,finished=no"], 20, false, [6]), (["started=no"], 20, true, [3, 4, 5]),
    ] as [([String], Int, Bool, [Int])])
  func `has those that were asked for, in order`(
    _ filters: [String], _ limit: Int, _ isOldestFirst: Bool, _ expected: [Int]
  ) throws {
    let world = try Self.world()
    let list = try world.list(filters, limit: limit, isOldestFirst: isOldestFirst)
    #expect(numbers(list) == expected)
    let all = try world.list(filters, limit: 100, isOldestFirst: isOldestFirst)
    #expect(list.hasMore == (all.sessions.count > limit) && !all.hasMore)
  }

  @Test func `says what each session did`() throws {
    let list = try Self.world().list(isOldestFirst: true)
    #expect(
      list.sessions.map(\.summary) == [
        "finished", "tapped", "fallback", "left on page 1", "open or lost rich media", "reached last, tapped",
      ])
    let others = try StoredWorld(
      ["deferred", "presented closed", "answer", "failed answer", "start/1 0 finish presented closed"].enumerated().map
      {
        WorldSession($1, startedAt: "2026-11-29T1\($0):00:00Z")
      }
    ).list(isOldestFirst: true)
    #expect(
      others.sessions.map(\.summary) == [
        "waiting or lost rich media", "closed rich media", "response", "failed rich media",
        "finished, closed rich media",
      ])
    #expect(list.sessions.map(\.events) == [5, 3, 1, 2, 1, 4])
    #expect(list.sessions.map(\.missingEvents) == [0, 0, 0, 2, 0, 0])
    #expect(list.sessions.map(\.pagesReached) == [3, 1, 0, 2, 0, 2])
    #expect(list.sessions.map(\.pageCount) == [3, 3, nil, nil, nil, 2])
    #expect(list.sessions.map(\.app) == ["shop", "shop", "shop", "shop", "news", "shop"])
  }

  @Test func `passes over sessions without events, however many`() throws {
    var sessions = [WorldSession("start/1 0", startedAt: "2026-11-29T10:00:00Z")]
    for hour in 11...20 { sessions.append(WorldSession("", startedAt: "2026-11-29T\(hour):00:00Z")) }
    let world = try StoredWorld(sessions)
    #expect(numbers(try world.list(limit: 2)) == [1])
    #expect(numbers(try world.list(["finished=no"], limit: 2)) == [1])
  }

  @Test func `is in the order of the ids as they were sent where sessions start at once`() throws {
    let world = try StoredWorld([])
    let ids = [
      "01a226bf-4900-7000-8000-000000000001", "f0000000-0000-4000-8000-000000000001",
      "00000000-0000-1000-8000-000000000001",
    ]
    try world.execute("INSERT INTO pagefall.apps (name) VALUES ('shop')")
    for id in ids {
      try world.execute(
        """
        INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags)
          VALUES (pagefall.stored_session_id('\(id)'), 1, '2026-11-29T10:00:00Z', '2026-11-29T10:00:00Z', 0, 0);
        INSERT INTO pagefall.stored_events (session_id, seq, type, at)
          VALUES (pagefall.stored_session_id('\(id)'), 0, 6, '2026-11-29T10:00:00Z')
        """)
    }
    for limit in 1...3 {
      for filters in [[], ["finished=no"]] {
        let newest = try world.list(filters, limit: limit)
        #expect(newest.sessions.map(\.id) == Array(ids.sorted(by: >).prefix(limit)))
        let oldest = try world.list(filters, limit: limit, isOldestFirst: true)
        #expect(oldest.sessions.map(\.id) == Array(ids.sorted().prefix(limit)))
      }
    }
  }

  @Test func `keeps the first of very many in little memory, in whatever order they come`() {
    var random = SeededGenerator(seed: 7)
    for isOldestFirst in [false, true] {
      var best = BestSessions(5, isOldestFirst: isOldestFirst)
      var all: [(Int64, String)] = []
      for _ in 0..<500 {
        let start = Int64(random.next() % 60)
        let line = SessionLine(id: "\(random.next())", start: start)
        all.append((start, line.id))
        if best.wants(startedAtMicroseconds: start) { best.add(line) }
      }
      all.sort { isOldestFirst ? $0 < $1 : $0 > $1 }
      #expect(best.sorted().map(\.id) == all.prefix(5).map(\.1))
    }
  }

  @Test(arguments: [20, 80, 99, 100, 160, 400])
  func `fits the terminal`(_ columns: Int) throws {
    let texts = "\u{1B}[2J春のセール🌸 and so on and so on"
    let world = try StoredWorld([
      WorldSession(
        "start/9 0 1 2 tap/2 finish", story: texts, context: ["app_version": texts]),
      WorldSession("- 0", story: nil, startedAt: "2025-11-29T10:00:00Z"),
    ])
    let text = SessionListFormat.table.render(try world.list(), style: TextStyle(columns: columns))
    for line in text.split(separator: "\n").prefix(3) {
      #expect(DisplayWidth.columns(of: String(line)) <= max(columns, 80), "\(line)")
    }
    #expect(!text.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: SessionListFormat.allCases)
  func `is that of its golden file`(_ format: SessionListFormat) throws {
    let zone = try ReportTimeZone(named: "Europe/Berlin")
    let text = format.render(try Self.world().list(limit: 5, zone: zone))
    try expectGolden(text, "sessions.\(format == .table ? "txt" : format.rawValue)")
  }

  @Test func `that is empty says why`() throws {
    #expect(try StoredWorld().list().explanation == "No app has sent anything yet.")
    #expect(try Self.world().list(["app_version=9"]).explanation?.hasPrefix("No session is like this") == true)
    let error = #expect(throws: ReportError.self) { try Self.world().list(["story=none of these"]) }
    #expect(error?.description.contains("there is 'spring-sale', 'other'") == true)
  }
}

@Suite struct `A printed timeline` {
  private static func world() throws -> StoredWorld {
    let world = try StoredWorld([
      WorldSession(
        "start/6[5,4] 0@4 1@5004 tap/1@6000 - - 0@9000 media@9500 2@9600 tap/5@9700 dismiss@8000",
        context: ["app_version": "4.2.0", "locale": "de_DE"], properties: #"{"plan":"\u001b[2Jgold"}"#)
    ])
    try world.execute(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at)
      SELECT app_id, 'spring-sale', i, t, now() FROM pagefall.apps, (VALUES (0, 'Welcome'), (1, E'\\x1b[2J春のセール')) v(i, t)
      """)
    return world
  }

  @Test(arguments: SessionTimelineFormat.allCases)
  func `is that of its golden file`(_ format: SessionTimelineFormat) throws {
    let zone = try ReportTimeZone(named: "Europe/Berlin")
    let text = format.render(try Self.world().timeline(zone: zone))
    try expectGolden(text, "session.\(format == .table ? "txt" : format.rawValue)")
    #expect(!text.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: [20, 64, 80, 120, 500])
  func `fits the terminal`(_ columns: Int) throws {
    let text = SessionTimelineFormat.table.render(try Self.world().timeline(), style: TextStyle(columns: columns))
    for line in text.split(separator: "\n") {
      #expect(DisplayWidth.columns(of: String(line)) <= min(160, max(64, columns)), "\(line)")
    }
  }
}

/// Compares with a file of Tests/Fixtures/reports, which `scripts/update-goldens` writes anew.
func expectGolden(_ text: String, _ name: String) throws {
  let url = Fixtures.url("reports/\(name)")
  if ProcessInfo.processInfo.environment["PAGEFALL_UPDATE_GOLDENS"] == "1" { try Data(text.utf8).write(to: url) }
  #expect(text == String(decoding: try Data(contentsOf: url), as: UTF8.self), "\(name)")
}

extension SessionLine {
  fileprivate init(id: String, start: Int64) {
    self.init(
      id: id, app: "", startedAtMicroseconds: start, arrivedAtMicroseconds: 0, events: 0, missingEvents: 0,
      pagesReached: 0, isPresentation: true, facts: [])
  }
}
