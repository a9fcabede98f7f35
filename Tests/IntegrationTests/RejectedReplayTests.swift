import Foundation
import TestSupport
import Testing

/// `pagefall rejected replay`: what passes now is stored as if it had been accepted then, what does not stays.
@Suite struct RejectedReplayTests {
  private func bytes(_ session: Int, seq: Int = 0, page: String = "") -> [UInt8] {
    Array(EventText.pageShown(session: session, seq: seq, page: page).utf8)
  }

  @Test func `an event that passes now is stored once, with its arrival and its clock, and leaves`() throws {
    let rows = try RejectedRows()
    // Sent at 10:00:05 by a clock that was two hours slow.
    try rows.reject(
      bytes(1), received: "'2026-11-29T12:00:05.123456Z'", sent: "'2026-11-29T10:00:05.000001Z'", count: 3)
    let run = try rows.run("replay", "--all")
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput == "replayed 1, stored 1, duplicates 0, still rejected 0\n")
    #expect(
      try rows.database.psql(
        """
        SELECT app, started_at = '2026-11-29T12:00:00.123455Z', arrived_at = '2026-11-29T12:00:05.123456Z', clock_offset,
          suspect_clock FROM story_sessions
        """) == "shop|t|t|02:00:00.123455|f")
    #expect(
      try rows.database.psql("SELECT source, received_day, fate, events FROM pagefall.event_fates")
        .hasSuffix("|2026-11-29|stored|1"))
    #expect(try rows.handles().isEmpty)
    let again = try rows.run("replay", "--all")
    #expect(again.exitCode == 0)
    #expect(again.standardOutput == "replayed 0, stored 0, duplicates 0, still rejected 0\n")
    #expect(try rows.database.psql("SELECT count(*) FROM pagefall.spools") == "0")
  }

  @Test func `the session is what it would have been, had the collector accepted the event`() throws {
    let directory = try TemporaryDirectory()
    let rows = try RejectedRows()
    let key = try createKey(rows.database.connectionString, app: "shop")
    let collector = try RunningCollector("\(directory.path)/data", database: rows.database.connectionString)
    func batch(_ type: String) -> String {
      let event = EventText.pageShown(session: 1, page: ",\"context\":{\"story_id\":\"s\"}")
        .replacingOccurrences(of: "page_shown", with: type)
      return "{\"sent_at\":\"2026-11-20T08:00:00.000007Z\",\"events\":[\(event)]}"
    }
    #expect(try HTTPCall.postEvents(batch("page_seen"), port: collector.port, key: key).status == 422)
    #expect(try eventually { try rows.handles().count == 1 })
    #expect(try HTTPCall.postEvents(batch("page_shown"), port: collector.port, key: key).status == 202)
    #expect(try eventually { try rows.events() == "01|0" })
    #expect(try collector.terminate().exitCode == 0)
    let session =
      "SELECT story_id, sessions.clock_offset_us - extract(epoch FROM arrived_at) * 1000000, flags FROM pagefall.sessions"
    let then = try rows.database.psql(session)
    // The same event as if only its type had not been known.
    _ = try rows.database.psql(
      """
      DELETE FROM pagefall.stored_events; DELETE FROM pagefall.sessions;
      UPDATE pagefall.rejected SET body = convert_to(replace(convert_from(body, 'UTF8'), 'page_seen', 'page_shown'), 'UTF8');
      UPDATE pagefall.rejected SET sha256 = sha256(body)
      """)
    #expect(try rows.run("replay", "--code", "unknown_type").exitCode == 0)
    #expect(try rows.database.psql(session) == then)
    #expect(try rows.handles().isEmpty)
  }

  @Test func `the event that arrived first fixes the session, whatever their hashes`() throws {
    let rows = try RejectedRows()
    for number in 1...20 {
      try rows.reject(
        bytes(1, seq: number, page: ",\"context\":{\"user_id\":\"u\(number)\"}"), place: 50 - number,
        received: "TIMESTAMPTZ '2026-11-29T10:00:00Z' + interval '\((number + 13) % 20 / 2) s'")
    }
    #expect(try rows.run("replay", "--all").standardOutput.hasPrefix("replayed 20, stored 20,"))
    // 7 and 8 came first, in one request; there 8 stood before 7.
    #expect(
      try rows.database.psql("SELECT user_id, arrived_at = '2026-11-29T10:00:00Z' FROM story_sessions") == "u8|t")
  }

  @Test func `filters and handles say which, and the others stay`() throws {
    let rows = try RejectedRows(apps: ["shop", "news"])
    try rows.reject(bytes(1), code: "invalid_seq", field: "seq")
    try rows.reject(bytes(2), app: "news")
    try rows.reject(bytes(2), received: "'2026-11-25T00:00:00Z'")
    try rows.reject(bytes(3))
    try rows.reject(bytes(4))
    #expect(try rows.run("replay", "--code", "invalid_seq").standardOutput.hasPrefix("replayed 1, stored 1,"))
    #expect(try rows.run("replay", "--app", "news").standardOutput.hasPrefix("replayed 1, stored 1,"))
    #expect(try rows.events() == "01|0 02|0")
    // The session is the other app's now.
    let foreign = try rows.run("replay", "--to", "2026-11-25")
    #expect(foreign.exitCode == 1)
    #expect(foreign.standardOutput == "replayed 1, stored 0, duplicates 0, still rejected 1 (foreign_session 1)\n")
    let handle = try rows.database.psql(
      "SELECT left(encode(sha256, 'hex'), 12) FROM pagefall.rejected WHERE convert_from(body, 'UTF8') LIKE '%0004%'")
    #expect(try rows.run("replay", handle, handle).standardOutput.hasPrefix("replayed 1, stored 1,"))
    #expect(try rows.events() == "01|0 02|0 04|0")
    #expect(try rows.database.psql("SELECT code FROM pagefall.rejected ORDER BY 1") == "foreign_session\nunknown_type")
    #expect(try rows.database.psql("SELECT app FROM story_sessions ORDER BY session_id") == "shop\nnews\nshop")
  }

  @Test func `what is still refused stays as it is, unless its reason is another one now`() throws {
    let rows = try RejectedRows()
    let bad = EventText.pageShown(session: 1, seq: -1)
    let real = try PagefallProcess.run(
      ["ingest", "-", "--app", "shop", "--database", rows.database.connectionString], input: Array(bad.utf8))
    #expect(real.exitCode == 1)
    try rows.reject(
      Array(EventText.pageShown(session: 2, seq: -1).utf8), place: 9, sent: "'2026-11-29T10:00:00Z'", count: 5)
    let before = try rows.database.psql("SELECT xmin FROM pagefall.rejected WHERE code = 'invalid_seq'")
    let run = try rows.run("replay", "--all")
    #expect(run.exitCode == 1)
    #expect(run.standardOutput == "replayed 2, stored 0, duplicates 0, still rejected 2 (invalid_seq 2)\n")
    #expect(try rows.database.psql("SELECT xmin FROM pagefall.rejected WHERE count = 1") == before)
    #expect(
      try rows.database.psql(
        """
        SELECT code, field, message, place, count, sent_at = '2026-11-29T10:00:00Z', first_received_at = '2026-11-29T10:00:05Z'
        FROM pagefall.rejected WHERE count = 5
        """) == "invalid_seq|seq|seq is -1; expected an integer from 0 to 2147483647|9|5|t|t")
  }

  @Test func `a conflicting duplicate is told apart and stays, and its count is not raised`() throws {
    let rows = try RejectedRows()
    let first = EventText.pageShown(session: 1)
    let other = first.replacingOccurrences(of: "10:00:00", with: "10:00:01")
    for text in [first, other] {
      _ = try PagefallProcess.run(
        ["ingest", "-", "--app", "shop", "--database", rows.database.connectionString], input: Array(text.utf8))
    }
    // One more by hand, under a reason that holds no more.
    try rows.reject(Array(first.replacingOccurrences(of: "10:00:00", with: "10:00:02").utf8), count: 3)
    for _ in 1...2 {
      let run = try rows.run("replay", "--all")
      #expect(run.exitCode == 1)
      #expect(run.standardOutput == "replayed 2, stored 0, duplicates 0, still rejected 2 (conflicting_duplicate 2)\n")
      #expect(
        try rows.database.psql("SELECT code, count, field FROM pagefall.rejected ORDER BY 2")
          == "conflicting_duplicate|1|\nconflicting_duplicate|3|")
    }
    let dry = try rows.run("replay", "--all", "--dry-run")
    #expect(
      dry.standardOutput
        == "would replay 2: pass the rules 0, decided when they are stored 2 (conflicting_duplicate 2), "
        + "still rejected 0\n")
    #expect(try rows.database.psql("SELECT at = '2026-11-29T10:00:00Z' FROM events") == "t")
  }

  @Test func `a row that PostgreSQL refused stays until it refuses it no more`() throws {
    let rows = try RejectedRows()
    _ = try rows.database.psql("ALTER TABLE pagefall.stored_events ADD CONSTRAINT no_three CHECK (seq <> 3)")
    try rows.reject(bytes(1, seq: 3))
    for number in 4...40 { try rows.reject(bytes(1, seq: number)) }
    let refused = try rows.run("replay", "--all")
    #expect(refused.exitCode == 1)
    #expect(
      refused.standardOutput == "replayed 38, stored 37, duplicates 0, still rejected 1 (refused_by_database 1)\n")
    #expect(try rows.database.psql("SELECT code, count FROM pagefall.rejected") == "refused_by_database|1")
    _ = try rows.database.psql("ALTER TABLE pagefall.stored_events DROP CONSTRAINT no_three")
    #expect(try rows.run("replay", "--code", "refused_by_database").exitCode == 0)
    #expect(try rows.database.psql("SELECT count(*) FROM events WHERE seq = 3") == "1")
  }

  @Test func `what is older than the retention line ends as expired and leaves`() throws {
    let rows = try RejectedRows()
    _ = try rows.database.psql("SELECT pagefall.set_retention_line('2026-12-01')")
    try rows.reject(bytes(1))
    let run = try rows.run("replay", "--all")
    #expect(run.standardOutput == "replayed 1, stored 0, duplicates 0, expired 1, still rejected 0\n")
    #expect(try rows.handles().isEmpty)
  }

  @Test func `a dry run says what would pass, and changes nothing`() throws {
    let rows = try RejectedRows()
    try rows.reject(bytes(1))
    try rows.reject(bytes(2, seq: -1))
    let dump = "SELECT md5(string_agg(r::text, ' ' ORDER BY sha256)) FROM pagefall.rejected r"
    let before = try rows.database.psql(dump)
    let run = try rows.run("replay", "--all", "--dry-run")
    #expect(run.exitCode == 1)
    #expect(run.standardOutput == "would replay 2: pass the rules 1, still rejected 1 (invalid_seq 1)\n")
    #expect(try rows.database.psql(dump) == before)
    #expect(try rows.events().isEmpty)
    #expect(try rows.database.psql("SELECT count(*) FROM pagefall.spools") == "0")
  }
}
