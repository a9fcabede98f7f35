import Foundation
import TestSupport
import Testing

/// A replay that is killed, doubled, or runs beside others.
@Suite struct RejectedReplayCrashTests {
  private static let count = 12_000

  /// Good events of 4,000 sessions and two apps, and one in a hundred that is still bad.
  private func rows() throws -> RejectedRows {
    let rows = try RejectedRows(apps: ["shop", "news"])
    _ = try rows.database.psql(
      """
      INSERT INTO pagefall.rejected (app_id, sha256, code, field, message, place, body, sent_at, first_received_at, last_received_at)
      SELECT 1 + s % 2, sha256(b), 'unknown_type', 'type', 'then', n % 10, b, r, r, r FROM (
        SELECT n, n % 4000 AS s, TIMESTAMPTZ '2026-11-29T10:00:05Z' + n / 10 * interval '1 ms' AS r,
          convert_to(format('{"type":"page_shown","session_id":"01a226bf-4900-7cc1-9d2e-%s","seq":%s,"at":"2026-11-29T10:00:00Z","page_index":%s}',
            lpad(to_hex(n % 4000), 12, '0'), n / 4000, CASE WHEN n % 100 = 7 THEN 1000 ELSE 0 END), 'UTF8') AS b
        FROM generate_series(0, \(Self.count - 1)) n) v
      """)
    return rows
  }

  private let left = "SELECT count(*), min(code), max(code) FROM pagefall.rejected"
  private let stored = """
    SELECT count(*), count(*) FILTER (WHERE app = 'shop'), count(*) FILTER (WHERE page_index = 0) FROM events
    """

  @Test func `killed at any moment and begun again, everything is there once`() throws {
    let rows = try rows()
    let seed = SeededGenerator.worldsSeed
    var generator = SeededGenerator(seed: seed, stream: 601)
    var killed = 0
    for _ in 1...5 {
      let run = try PagefallProcess.start(
        ["rejected", "replay", "--all", "--database", rows.database.connectionString])
      usleep(UInt32.random(in: 20_000...900_000, using: &generator))
      run.signal(SIGKILL)
      if try run.waitForExit() == 137 { killed += 1 }
      // Each is stored, or still kept, or both; nothing is lost.
      let open = try rows.database.psql(
        """
        SELECT count(*) FROM generate_series(0, \(Self.count - 1)) n WHERE n % 100 <> 7
          AND NOT EXISTS (SELECT FROM pagefall.stored_events e WHERE e.seq = n / 4000
            AND e.session_id = ('01a226bf-4900-7cc1-9d2e-' || lpad(to_hex(n % 4000), 12, '0'))::uuid)
        """)
      let kept = try #require(Int(try rows.database.psql("SELECT count(*) FROM pagefall.rejected")))
      #expect(try #require(Int(open)) <= kept - Self.count / 100, "PAGEFALL_WORLDS_SEED=\(seed)")
    }
    #expect(killed > 0, "PAGEFALL_WORLDS_SEED=\(seed)")
    let run = try rows.run("replay", "--all")
    #expect(run.exitCode == 1, "\(run.standardError)")
    #expect(run.standardOutput.hasSuffix("still rejected 120 (invalid_page_index 120)\n"), "\(run.standardOutput)")
    #expect(try rows.database.psql(left) == "120|invalid_page_index|invalid_page_index")
    #expect(try rows.database.psql(stored) == "11880|6000|11880")
    #expect(try rows.database.psql("SELECT sum(events) FROM pagefall.event_fates WHERE fate = 'stored'") == "11880")
  }

  @Test func `two at once, beside an ingest of the same events, store everything once`() throws {
    let rows = try rows()
    let connectionString = rows.database.connectionString
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/same.ndjson"
    let lines = (0..<Self.count).filter { $0 % 2 == 0 }.map { number in
      EventText.pageShown(session: number % 4000, seq: number / 4000)
    }.joined(separator: "\n")
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
    let codes = try inParallel(3) { index in
      let words = index < 2 ? ["rejected", "replay", "--all"] : ["ingest", file, "--app", "shop"]
      return try PagefallProcess.run(words + ["--database", connectionString]).exitCode
    }
    #expect(codes == [1, 1, 0])
    #expect(try rows.database.psql(left) == "120|invalid_page_index|invalid_page_index")
    #expect(try rows.database.psql(stored) == "11880|6000|11880")
    #expect(try rows.run("replay", "--all").standardOutput.hasPrefix("replayed 120, stored 0, duplicates 0, "))
  }
}
