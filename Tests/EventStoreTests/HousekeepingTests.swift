import EventStore
import Foundation
import Postgres
import ServiceLog
import StoryEvents
import TestSupport
import Testing

@Suite struct `Keeping house` {
  @Test func `the oldest rejected events go when there are too many or they are too old, and are counted`() throws {
    let database = try makeDatabase()
    defer { withExtendedLifetime(database) {} }
    _ = try database.psql(
      """
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at, kept_since)
      SELECT 1, sha256(n::text::bytea), CASE WHEN n % 2 = 0 THEN 'a' ELSE 'b' END, '', '', now(), now(),
        now() - make_interval(days => n * 9)
      FROM generate_series(1, 20) n
      """)
    var connection = try connect(database)
    #expect(try Housekeeping.run(&connection, maximumRejected: 7).rejectedRemoved == 13)
    #expect(
      try database.psql("SELECT max(kept_since) > now() - interval '10 days', count(*) FROM pagefall.rejected") == "t|7"
    )
    #expect(
      try database.psql("SELECT code, reason, rows FROM pagefall.rejected_removed ORDER BY 1, 2")
        == "a|age|6\na|number|1\nb|age|5\nb|number|1")
    #expect(try Housekeeping.run(&connection, maximumRejected: 7) == HousekeepingRound())
  }

  @Test func `positions of runs of ingest that never ended go after a week, those of spools never`() throws {
    let database = try makeDatabase()
    defer { withExtendedLifetime(database) {} }
    _ = try database.psql(
      """
      INSERT INTO pagefall.spools (spool_id, kind, segment, "offset", updated_at)
      SELECT md5(kind || days)::uuid, kind, 0, 0, now() - make_interval(days => days)
      FROM unnest(ARRAY['file', 'spool']) kind, unnest(ARRAY[0, 6, 8, 800]) days
      """)
    var connection = try connect(database)
    #expect(try Housekeeping.run(&connection).positionsRemoved == 2)
    #expect(try database.psql("SELECT count(*) FROM pagefall.spools WHERE kind = 'spool'") == "4")
  }

  @Test func `the housekeeper works at once, and stops at once`() throws {
    let database = try makeDatabase()
    let housekeeper = try Housekeeper(options: ConnectionOptions(database.connectionString), log: .disabled)
    let ended = DispatchSemaphore(value: 0)
    let suffix = try database.psql("SELECT to_char(now() AT TIME ZONE 'UTC' + interval '2 months', 'YYYY_MM')")
    _ = try database.psql(
      """
      DROP TABLE pagefall.stored_events_\(suffix), pagefall.sessions_\(suffix);
      DELETE FROM pagefall.months WHERE month > now() + interval '1 month'
      """)
    Thread {
      housekeeper.run()
      ended.signal()
    }.start()
    try waitUntil("the month is made") { try database.psql("SELECT count(*) FROM pagefall.months") == "5" }
    housekeeper.stop()
    #expect(ended.wait(timeout: .now() + .seconds(2)) == .success)
  }
}

/// Waits for what another thread brings about.
func waitUntil(_ what: String, seconds: Double = 30, _ condition: () throws -> Bool) throws {
  let deadline = Date(timeIntervalSinceNow: seconds)
  while try !condition() {
    if Date() > deadline { throw WaitedInVain(what: what) }
    usleep(5_000)
  }
}

/// What did not come about.
struct WaitedInVain: Error {
  let what: String
}
