import Foundation
import FunnelDocument
import LocalTime
import Postgres
import PrintedText
import StoryEvents
import TestSupport
import Testing

@testable import Reports

extension StoredWorld {
  /// The timeline of the session that was stored as the `number`-th, from 1 on.
  func timeline(_ number: UInt64 = 1, zone: ReportTimeZone = .utc) throws -> SessionTimeline {
    var connection = try connect()
    let reference = try SessionReference(argument: Self.sessionID(number))
    return try SessionTimeline.read(reference, timeZone: zone, on: &connection)
  }

  static func sessionID(_ number: UInt64) -> String {
    SessionID(millisecondsSince1970: 1_795_946_400_000 + number, randomHigh: 0, randomLow: number).description
  }
}

/// What a timeline says of a session, as the numbers of a funnel, for comparing.
private func funnelNumbers(_ timeline: JSONValue) -> [String: Int] {
  var numbers: [String: Int] = [:]
  for step in ["presentation", "session", "fallback", "finished", "reached_last", "tapped"] {
    numbers[step] = timeline["counts"]?[step]?["counts"] == .bool(true) ? 1 : 0
  }
  numbers["missing"] = timeline["missing_events"]?.integerValue
  for event in timeline["events"]?.arrayValue ?? [] {
    guard let page = event["page_index"]?.integerValue, let departure = event["departure"]?.stringValue else {
      continue
    }
    numbers["\(page).\(departure)", default: 0] += 1
    if event["dwell_ms"] != .null { numbers["\(page).dwells", default: 0] += 1 }
    if event["next_cause"]?.stringValue == "auto" { numbers["\(page).next_auto", default: 0] += 1 }
  }
  for page in timeline["pages"]?.arrayValue ?? [] {
    let index = page["index"]?.integerValue ?? -1
    for step in ["reached", "strict", "completed", "tapped"] where page[step]?["counts"] == .bool(true) {
      numbers["\(index).\(step)"] = 1
    }
    for count in ["impressions", "taps"] where page[count]?.integerValue != 0 {
      numbers["\(index).\(count)"] = page[count]?.integerValue
    }
  }
  return numbers
}

/// The same numbers out of a report of that session alone.
private func funnelNumbers(_ report: FunnelReport) -> [String: Int] {
  let counts = report.total
  var numbers = [
    "presentation": counts.presentations, "session": counts.sessions, "fallback": counts.fallbacks,
    "finished": counts.finishedSessions, "reached_last": counts.reachedLastSessions, "tapped": counts.tappedSessions,
    "missing": counts.completeness.missingEvents,
  ]
  for page in counts.pages {
    let departures = page.departures
    for (name, count) in [
      ("next", departures.next), ("next_auto", departures.nextAuto ?? 0), ("back", departures.back),
      ("looped", departures.looped), ("finished", departures.finished), ("tapped_out", departures.tappedOut),
      ("exited", departures.exited), ("unknown", departures.unknown), ("dwells", page.dwell.count),
      ("reached", page.sessions), ("strict", page.strictSessions), ("completed", page.completedSessions),
      ("tapped", page.tappedSessions), ("impressions", page.impressions), ("taps", page.taps),
    ] where count != 0 { numbers["\(page.index).\(name)"] = count }
  }
  return numbers
}

@Suite struct `A timeline` {
  @Test func `says what the funnel of the session alone says, in every case of the fixtures`() throws {
    let cases = try FunnelCase.all()
    #expect(cases.count >= 9)
    for example in cases {
      let world = try StoredWorld([example.session])
      let json = try JSONValue(text: SessionTimelineFormat.json.render(try world.timeline()))
      #expect(funnelNumbers(json) == funnelNumbers(try world.report().report), "\(example.name)")
      #expect(json["events"]?.arrayValue?.count == example.session.events.count, "\(example.name)")
      let text = SessionTimelineFormat.table.render(try world.timeline())
      for event in json["events"]?.arrayValue ?? [] {
        guard let departure = event["departure"]?.stringValue else { continue }
        #expect(text.contains("└ \(departure):"), "\(example.name)")
      }
    }
  }

  static let stories = [
    "start/3 0 1 2 finish", "start/3 0 2 1", "start/4 0 1 3", "- 0 - 1 tap/1 - finish", "start/2 0@5000 1@4000 dismiss",
    "fallback", "dismiss", "media answer", "start/9 0 tap/4 1", "start/2 0~5@0 1@4900 0@5000", "start/3 1 0 2",
    "start/1 0 finish 0 finish", "start/5 0 3", "tap/0", "start/3 start/9 0 1 2", "- - - 2", "start/3 2 0 1 2 0",
  ]

  @Test(arguments: stories)
  func `agrees with the funnel where sessions are odd`(_ story: String) throws {
    let world = try StoredWorld([WorldSession(story)])
    let json = try JSONValue(text: SessionTimelineFormat.json.render(try world.timeline()))
    let timeline = funnelNumbers(json)
    let report = try world.report().report
    if story == "media answer" {
      #expect(timeline["presentation"] == 0)
    } else if report.total.sessions > 0 {
      #expect(timeline == funnelNumbers(report))
    } else {
      #expect(timeline["presentation"] == 1 && timeline["session"] == 0)
    }
  }

  @Test(
    arguments: [
      ("start/3 0~5@0 1@5000", "next", "page 1 followed, by the page's timer", nil),
      ("start/3 0~5@0 1@900", "next", "page 1 followed, before the page's timer ran out", nil),
      ("start/3 0 1", "next", "page 1 followed", nil),
      ("start/3 0 0", "back", "page 0 followed again, without a finish", nil),
      ("start/1 0 finish 0", "looped", "page 0 followed, after a finish", nil),
      ("start/1 0 finish", "finished", "a finish, and no page followed", nil),
      ("start/1 0 tap/0", "tapped_out", "a tap, and no page followed", "no page, finish or dismiss followed"),
      ("start/1 0 dismiss", "exited", "no page, finish or tap followed", nil),
      ("start/5 0 3", "unknown", "page 3 followed, where no player goes from page 0", nil),
      ("start/5 0 - 3", "unknown", "seq 2 is missing before page 3", "seq 2 is missing before its end"),
      (
        "start/5 0 - - tap/0", "unknown", "seq 2–3 are missing before the last event",
        "no page, finish or dismiss followed"
      ),
      (
        "start/5 0 - media - tap/0", "unknown", "seq 2, 4 are missing before the last event",
        "no page, finish or dismiss followed"
      ),
      ("start/2 0@5000 1@4000", "next", "page 1 followed", "the device's clock was set back"),
    ] as [(String, String, String, String?)])
  func `says why an impression left so, and why it has no dwell`(
    _ story: String, _ departure: String, _ reason: String, _ dwellReason: String?
  ) throws {
    let impression = try StoredWorld([WorldSession(story)]).timeline().events.compactMap(\.impression).first
    #expect(impression?.departure == departure)
    #expect(impression?.reason == reason)
    #expect(impression?.dwellReason == dwellReason)
    #expect((impression?.dwellMicroseconds == nil) == (dwellReason != nil))
  }

  @Test(arguments: [
    ("start/3 0 1", "finished", false, "all events came, and none is a finish"),
    ("start/3 0 - 1", "finished", false, "no finish arrived; 1 event never arrived"),
    ("start/3 0 1", "reached_last", false, "page 2, the last of 3, was not shown"),
    ("start/2 0 1", "reached_last", true, "page 1, the last of 2, was shown"),
    ("- 0 1", "reached_last", false, "no start arrived, so the page count is not known; 1 event never arrived"),
    ("fallback", "presentation", true, "it has a story event"),
    ("fallback", "session", false, "a fallback counts as a presentation, not as a session"),
    ("dismiss", "session", false, "a dismiss alone is no session"),
    ("media", "presentation", false, "it has no story event"),
    ("start/1 0 tap/0 tap/0", "tapped", true, "2 taps"),
  ])
  func `says why a session counts or does not`(
    _ story: String, _ name: String, _ counts: Bool, _ reason: String
  ) throws {
    let step = try StoredWorld([WorldSession(story)]).timeline().steps.first { $0.name == name }
    #expect(step == CountingStep(name: name, counts: counts, reason: reason))
  }

  @Test(arguments: [
    ("start/3 0 2 1", 2, "strict", false, "page 2 was first shown before page 1"),
    ("start/4 0 2 1 3", 3, "strict", false, "page 2 was first shown before page 1"),
    ("start/4 0 1 3", 3, "strict", false, "page 2 was not shown"),
    ("start/3 0 1", 1, "strict", true, "pages 0 to 1 were first shown in this order"),
    ("start/3 0 1", 2, "reached", false, "not shown"),
    ("start/3 0 1 0", 0, "reached", true, "2 impressions, 1 replay, 1 dwell known"),
    ("start/3 0 1 0", 1, "completed", false, "it was only left by back"),
    ("start/3 0 1 0", 0, "completed", true, "it was left by next"),
    ("start/3 0 tap/2", 2, "tapped", false, "1 tap, but the page was never shown: orphan taps"),
    ("start/3 0 tap/0", 0, "tapped", true, "1 tap"), ("start/3 0", 0, "tapped", false, "no tap"),
  ])
  func `says why a page counts or does not`(
    _ story: String, _ page: Int, _ name: String, _ counts: Bool, _ reason: String
  ) throws {
    let timeline = try StoredWorld([WorldSession(story)]).timeline()
    let step = timeline.pages[page].steps.first { $0.name == name }
    #expect(step == CountingStep(name: name, counts: counts, reason: reason))
  }

  @Test func `finds rejected events that name the session, whatever their case and bytes`() throws {
    let world = try StoredWorld([WorldSession("start/2 0 1")])
    let id = StoredWorld.sessionID(1)
    try world.execute(
      """
      INSERT INTO pagefall.rejected (app_id, sha256, code, field, message, body, first_received_at, last_received_at, count)
      SELECT (SELECT app_id FROM pagefall.apps), sha256(b), 'invalid_seq', 'seq', 'found -1', b, t, t, 3
      FROM (VALUES
        (convert_to('{"session_id":"\(id.uppercased())","seq":-1}', 'UTF8') || '\\x00ff5c'::bytea, '2026-11-29T12:00:05Z'::timestamptz),
        (convert_to('{"session_id":"\(StoredWorld.sessionID(2))"}', 'UTF8'), '2026-11-29T12:00:05Z'),
        (convert_to('{"session_id":"\(id)", "late":1}', 'UTF8'), '2026-12-29T12:00:05Z')) v(b, t)
      """)
    let look = try world.timeline().rejected
    #expect(look.found == 1 && look.lookedAt == 2 && !look.isCutShort)
    #expect(look.events.map(\.code) == ["invalid_seq"] && look.events.map(\.count) == [3])
    let text = SessionTimelineFormat.table.render(try world.timeline())
    #expect(text.contains(": 1 names this session:"), "\(text)")
    #expect(text.contains("  invalid_seq seq: found -1 (3 times)"), "\(text)")
  }

  @Test func `of a session of which all was refused tells what was`() throws {
    let world = try StoredWorld([WorldSession("start/2 0 1")])
    let error = #expect(throws: ReportError.self) { try world.timeline(7) }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("is stored: it may not have arrived yet") == true)
    try world.execute(
      """
      INSERT INTO pagefall.rejected (app_id, sha256, code, field, message, body, first_received_at, last_received_at)
      SELECT 1, sha256(b), 'invalid_seq', 'seq', 'found -1', b, now(), now()
      FROM (VALUES (convert_to('{"session_id":"\(StoredWorld.sessionID(7))"}', 'UTF8'))) v(b)
      """)
    let told = #expect(throws: ReportError.self) { try world.timeline(7) }
    #expect(
      told?.description.contains("1 rejected event of the last day names it: invalid_seq seq, pagefall rejected show ")
        == true)
  }
}

@Suite struct `The id of a session` {
  @Test(arguments: [
    "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", "01A226BF-4900-7CC1-9D2E-5A1B2C3D4E5F", "01a226bf-4900-7cc1",
    "01a226bf-4900-7cc1-", "01a226bf-4900-7cc1-9", "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae-7dec-11d0-a7",
  ])
  func `is taken whole or from its beginning, in either case`(_ text: String) throws {
    let reference = try SessionReference(argument: text)
    let whole = text.lowercased() + String("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f".dropFirst(text.count))
    let id = try #require(SessionID(whole))
    #expect(reference.lowest <= PostgresUUID(high: id.storedHigh, low: id.low))
    #expect(PostgresUUID(high: id.storedHigh, low: id.low) <= reference.highest)
    #expect(reference.isWhole == (text.count == 36))
  }

  @Test(arguments: [
    "", "x", "01a226bf-4900-7cc", "01a226bf49007cc19d2e5a1b2c3d4e5f", "01a226bf-4900-9cc1-9d2e-5a1b2c3d4e5f",
    "01a226bf-4900-7cc1-1d2e-5a1b2c3d4e5f", "01a226bf-4900-7cc1-1", "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f0",
    "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5g", "０1a226bf-4900-7cc1-9d2e", "01a226bf-4900-7cc1' OR true", "\u{1B}[2J",
  ])
  func `is refused in one line where it is none`(_ text: String) {
    let error = #expect(throws: ReportError.self) { try SessionReference(argument: text) }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("is no session id") == true)
    #expect(error?.description.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test func `that means several is told with what there is`() throws {
    let world = try StoredWorld([WorldSession("start/1 0")])
    let id = StoredWorld.sessionID(1)
    let other = id.dropLast() + "f"
    try world.execute(
      "INSERT INTO pagefall.sessions SELECT ('\(other)'::uuid), app_id, started_at, arrived_at, 0, 0 FROM pagefall.sessions"
    )
    var connection = try world.connect()
    let reference = try SessionReference(argument: String(id.prefix(20)))
    let error = #expect(throws: ReportError.self) {
      try SessionTimeline.read(reference, timeZone: .utc, on: &connection)
    }
    #expect(error?.description == "'\(id.prefix(20))' may be \(id), \(other): write more of the id")
  }
}

@Suite struct `A timeline of rich media and responses` {
  @Test(
    arguments: [
      (
        "deferred@0 presented@3200 closed@8200 closed@9000",
        ["waited 3.200 s", "open for 5.000 s", "closed: it counts as closed", "a later closing: the first counts"],
        "It counts as a presentation of rich media that was closed by its timer."
      ),
      (
        "deferred@5000 presented@3200 - closed@4000 failed",
        [
          "the device's clock was set back", "an event is missing before seq 3, so its length is not known",
          "closed: but it counts as failed", "it counts as failed, whatever else was told",
        ], "It counts as a presentation of rich media that failed."
      ),
      ("presented closed@1500", ["open for 1.500 s"], "rich media that was closed before its timer."),
      ("presented - closed", [], "rich media that was closed."),
      (
        "presented presented", ["no rich_media_closed followed", "a later one of its kind"], "is still open, or its end"
      ),
      ("deferred", ["no rich_media_presented followed"], "is still waiting, or what followed was lost."),
      (
        "answer answer", ["the response that counts", "a later response: the first counts"],
        "It counts as a response to a notification."
      ),
    ] as [(String, [String], String)])
  func `says how each event counts, and what the session does`(
    _ story: String, _ remarks: [String], _ sentence: String
  ) throws {
    let world = try StoredWorld([WorldSession(story, story: nil, properties: #"{"auto_close_seconds": 5}"#)])
    let timeline = try world.timeline()
    let said = timeline.events.compactMap(\.remark)
    for remark in remarks { #expect(said.contains { $0.hasPrefix(remark) }, "\(remark) in \(said)") }
    #expect(timeline.remarks.contains { $0.hasSuffix(sentence) || $0.contains(sentence) }, "\(timeline.remarks)")
    #expect(timeline.remarks.last == "It is no presentation of a story, so no number of a funnel counts it.")
    let text = SessionTimelineFormat.table.render(timeline)
    #expect(text.contains("auto_close_seconds") && (story.contains("answer") || text.contains("content_code r-1")))
  }
}
