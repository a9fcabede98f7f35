import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

/// `pagefall.stored_batches`: what loaders write down of each batch.
@Suite struct `The journal of stored batches` {
  @Test func `counts all events, and shows of each app its share`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var small = TestRecord((0..<3).map { TestEvent(session(2), $0) }, app: "little")
    small.rejected = [(.invalidJSON, "{"), (.invalidSeq, "[")]
    let flood = TestRecord((0..<1_000).map { TestEvent(session(1), $0) })
    #expect(try store.store(flood, small, TestRecord([TestEvent(session(1), 5)])) == fates(stored: 1_003, duplicate: 1))
    #expect(
      try database.psql(
        """
        SELECT cardinality(event_seqs), (SELECT count(*) FROM unnest(event_apps) u(a) JOIN pagefall.apps ON a = app_id
          WHERE name = 'little'), cardinality(rejected_hashes),
          (SELECT string_agg(concat_ws(' ', name, f, n), ', ' ORDER BY name, f)
            FROM unnest(total_apps, total_fates, total_events) u(a, f, n) JOIN pagefall.apps ON a = app_id)
        FROM pagefall.stored_batches
        """) == "103|3|2|little 0 3, little 6 2, shop 0 1000, shop 1 1")
    #expect(
      try database.psql(
        "SELECT count(*) FROM pagefall.stored_batches b, unnest(b.rejected_apps, b.rejected_hashes) k(app_id, sha256) JOIN pagefall.rejected r USING (app_id, sha256)"
      ) == "2")
  }

  @Test func `is kept for an hour, and never long`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    for number in 0..<3 { try store.store(TestRecord([TestEvent(session(UInt64(number)), 0)])) }
    _ = try database.psql(
      "UPDATE pagefall.stored_batches SET stored_at = now() - interval '61 minutes' WHERE batch_id = 1")
    var connection = try PostgresConnection(ConnectionOptions(database.connectionString))
    #expect(try Housekeeping.run(&connection).batchesRemoved == 1)
    _ = try database.psql(
      """
      INSERT INTO pagefall.stored_batches (event_apps, event_sessions, event_seqs, event_fates, rejected_apps,
        rejected_hashes, total_apps, total_fates, total_events)
      SELECT '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' FROM generate_series(1, \(Housekeeping.maximumStoredBatches))
      """)
    #expect(try Housekeeping.run(&connection).batchesRemoved == 2)
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_batches") == "\(Housekeeping.maximumStoredBatches)")
  }

  @Test func `holds nothing of a batch that was not committed`() throws {
    let database = try makeDatabase()
    _ = try database.psql("ALTER TABLE pagefall.stored_events ADD CONSTRAINT theirs CHECK (seq <> 7)")
    var store = try makeStore(database.connectionString)
    let counts = try store.store(TestRecord((0..<10).map { TestEvent(session(1), $0) }))
    #expect(counts == fates(stored: 9, refused: 1))
    #expect(
      try database.psql("SELECT total_fates, total_events FROM pagefall.stored_batches") == "{0,5}|{9,1}")
  }
}
