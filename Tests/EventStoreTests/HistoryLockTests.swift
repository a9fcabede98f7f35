import Dispatch
import EventStore
import Foundation
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `A history and what happens at the same time` {
  /// A batch whose transaction is open while housekeeping wants to pack: held by a lock on what it writes last.
  @Test func `packing waits for the batch that is being stored, and packs what it stored`() throws {
    let database = try makeDatabase()
    let connectionString = database.connectionString
    var store = try makeStore(connectionString)
    try store.store(quietRecord([TestEvent(session(1), 0)]))
    try store.store(quietRecord([TestEvent(session(1), 1)]))
    var blocker = try connect(database)
    try blocker.executeScript("BEGIN; LOCK TABLE pagefall.event_fates")
    let ended = DispatchSemaphore(value: 0)
    Thread {
      var other = try? makeStore(connectionString, random: 2)
      _ = try? other?.store(quietRecord([TestEvent(session(1), 2), TestEvent(session(2), 0)]))
      ended.signal()
    }.start()
    let waiting =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    try waitUntil("the batch waits") { try database.psql(waiting) == "1" }
    Thread {
      _ = try? pack(database)
      ended.signal()
    }.start()
    try waitUntil("packing waits for the batch") { try database.psql(waiting) == "2" }
    try blocker.executeScript("COMMIT")
    for _ in 0..<2 { #expect(ended.wait(timeout: .now() + .seconds(30)) == .success) }
    #expect(try packed(database) == "2|2")
    try expectHistories(database)
  }

  @Test func `packing gives up where a batch takes too long, and is right the next time`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    for seq in 0..<2 as Range<Int32> { try store.store(quietRecord([TestEvent(session(1), seq)])) }
    var blocker = try connect(database)
    try blocker.executeScript("BEGIN; SELECT pg_advisory_xact_lock_shared(1885824620, 2)")
    #expect(try pack(database) == 0)
    try blocker.executeScript("COMMIT")
    #expect(try pack(database) == 1)
    try expectHistories(database)
  }

  /// What was chosen before the lock may have gone, and its events with it or not, when the lock is there.
  @Test(arguments: [true, false])
  func `a session that is deleted while packing waits is not packed, and its loose events stay known`(
    withEvents: Bool
  ) throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    for seq in 0..<2 as Range<Int32> {
      try store.store(quietRecord([TestEvent(session(1), seq), TestEvent(session(2), seq)]))
    }
    var blocker = try connect(database)
    try blocker.executeScript("BEGIN; SELECT pg_advisory_xact_lock(1885824620, 2)")
    let ended = DispatchSemaphore(value: 0)
    Thread {
      _ = try? pack(database)
      ended.signal()
    }.start()
    try waitUntil("packing waits") {
      try database.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == "1"
    }
    if withEvents { try blocker.executeScript("DELETE FROM pagefall.stored_events WHERE session_id = '\(session(1))'") }
    try blocker.executeScript("DELETE FROM pagefall.sessions WHERE session_id = '\(session(1))'; COMMIT")
    #expect(ended.wait(timeout: .now() + .seconds(30)) == .success)
    #expect(try packed(database) == "1|1")
    #expect(try database.psql("SELECT has_loose_events FROM pagefall.settings") == (withEvents ? "f" : "t"))
    try store.store(quietRecord([TestEvent(session(1), 9)]))
    try expectHistories(database)
  }

  /// Loaders wait meanwhile, so a slice ends soon even where every session has as many events as can be packed.
  @Test func `packing of very large sessions lets loaders in between`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      """
      INSERT INTO pagefall.apps (name) VALUES ('shop');
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags)
      SELECT md5(n::text)::uuid, 1, now(), now() - interval '1 hour', 0, 0 FROM generate_series(1, 150) n;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at, page_index)
      SELECT md5(n::text)::uuid, seq, 2, now(), 0 FROM generate_series(1, 150) n, generate_series(0, 3999) seq
      """)
    var connection = try connect(database)
    let looked: Int32 = try connection.execute("SELECT pagefall.pack_histories(150, interval '0')")[0, 0]
    #expect(0 < looked && looked < 150)
    #expect(try packed(database) == "150|\(looked)")
    #expect(try pack(database) == 150 - Int(looked))
  }

  @Test func `packing refuses an isolation in which it would not see what it waited for`() throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    do throws(PostgresError) {
      try connection.executeScript(
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pagefall.pack_histories(1, interval '0')")
      Issue.record("it packed")
    } catch {
      #expect(error.sqlState?.code == "25001")
    }
    withExtendedLifetime(database) {}
  }

  @Test(arguments: [CuttingProxy.Cut.beforeCommit, .afterCommit])
  func `a lost answer leaves nothing that is not so`(cut: CuttingProxy.Cut) throws {
    let database = try makeDatabase()
    let proxy = try CuttingProxy(to: database.connectionString)
    defer { proxy.stop() }
    var store = try makeStore(proxy.connectionString)
    try store.store(quietRecord([TestEvent(session(1), 0)]))
    proxy.cutNext(cut)
    #expect(throws: EventStoreError.self) {
      try store.store(quietRecord([TestEvent(session(1), 1), TestEvent(session(2), 0)]))
    }
    #expect(try store.store() == fates(stored: 2))
    #expect(try packed(database) == "2|1")
    try expectHistories(database)
  }
}
