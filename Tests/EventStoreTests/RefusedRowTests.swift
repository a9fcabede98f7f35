import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `Rows that PostgreSQL refuses` {
  /// Numbers of events in a batch of 37, refused by a constraint that somebody put on the table.
  @Test(arguments: [[0], [36], [17, 18], [0, 36], [1, 2, 3, 20, 35], Array(0..<37)])
  func `are set aside wherever they stand, and the others are stored`(refused: [Int32]) throws {
    let database = try makeDatabase()
    let list = refused.map(String.init).joined(separator: ",")
    _ = try database.psql("ALTER TABLE pagefall.stored_events ADD CHECK (seq NOT IN (\(list)))")
    var store = try makeStore(database.connectionString)
    let events = (0..<37).map { TestEvent(session(UInt64($0 / 5)), $0) }
    let counts = try store.store(TestRecord(Array(events[..<20])), TestRecord(Array(events[20...])))
    #expect(counts == fates(stored: 37 - refused.count, refused: refused.count))
    #expect(
      try database.psql(
        "SELECT count(*), count(*) FILTER (WHERE code = 'refused_by_database'), bool_and(sha256 = sha256(body)) FROM pagefall.rejected"
      ) == "\(refused.count)|\(refused.count)|t")
    let bodies = Set(
      try database.psql("SELECT convert_from(body, 'UTF8') FROM pagefall.rejected").split(separator: "\n"))
    #expect(bodies == Set(refused.map { Substring(events[Int($0)].json) }))
    // Once more: what was stored is known, what was refused is refused again.
    #expect(
      try store.store(TestRecord(events)) == fates(duplicate: 37 - refused.count, refused: refused.count))
    #expect(try database.psql("SELECT min(count), max(count) FROM pagefall.rejected") == "2|2")
  }

  @Test func `a repeat of a refused event in the same batch is refused too`() throws {
    let database = try makeDatabase()
    _ = try database.psql("ALTER TABLE pagefall.stored_events ADD CHECK (seq <> 1)")
    var store = try makeStore(database.connectionString)
    let events = [TestEvent(session(1), 1), TestEvent(session(1), 1), TestEvent(session(1), 0)]
    #expect(try store.store(TestRecord(events)) == fates(stored: 1, refused: 2))
  }

  @Test func `a session whose only event is refused leaves no row behind`() throws {
    let database = try makeDatabase()
    _ = try database.psql("ALTER TABLE pagefall.stored_events ADD CHECK (seq <> 1)")
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 1), TestEvent(session(2), 0)]))
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions") == "1")
  }

  @Test func `an error raised by somebody's trigger, and a unique key of somebody's, are refusals`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      """
      CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER no BEFORE INSERT ON pagefall.stored_events FOR EACH ROW WHEN (NEW.seq = 3) EXECUTE FUNCTION no();
      ALTER TABLE pagefall.stored_events ADD UNIQUE (session_id, at)
      """)
    var store = try makeStore(database.connectionString)
    let events = (0..<5).map { TestEvent(session(1), $0, at: testTime + Int64($0 == 4 ? 0 : $0)) }
    let counts = try store.store(TestRecord(events))
    #expect(counts.refusedByDatabase == 2 && counts.stored == 3)
  }

  @Test func `a trigger that swallows rows is noticed, and nothing is stored`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      """
      CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER swallow BEFORE INSERT ON pagefall.stored_events FOR EACH ROW WHEN (NEW.seq = 1)
        EXECUTE FUNCTION swallow()
      """)
    var store = try makeStore(database.connectionString)
    do {
      try store.store(TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)]))
      Issue.record("rows went missing unnoticed")
    } catch let error as EventStoreError {
      guard case .rowsMissing(sent: 2, stored: 1) = error else { throw error }
    }
    #expect(try database.psql("SELECT count(*) FROM events") == "0")
    _ = try database.psql("DROP FUNCTION swallow CASCADE")
    #expect(try store.store() == fates(stored: 2))
  }

  @Test func `a page's details that are refused do not hold up the events`() throws {
    let database = try makeDatabase()
    _ = try database.psql("ALTER TABLE pagefall.story_pages ADD CHECK (title <> 'no')")
    var store = try makeStore(database.connectionString)
    var event = TestEvent(session(1), 0)
    event.page = [.title: "no"]
    #expect(try store.store(TestRecord([event])) == fates(stored: 1))
  }
}
