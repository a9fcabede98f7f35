import EventRecords
import Postgres
import StoryEvents
import TestSupport
import Testing

@testable import EventStore

@Suite struct `Rejected events that are tried again` {
  /// Bodies of a size, a millisecond apart, the latest first in the table.
  private func fill(_ database: TestDatabase, rows: Int, bytes: Int) throws {
    _ = try database.psql(
      """
      INSERT INTO pagefall.apps (name) VALUES ('shop') ON CONFLICT DO NOTHING;
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, place, body, first_received_at, last_received_at)
      SELECT 1, sha256(b), 'invalid_seq', 'm', n % 3, b, t, t FROM (
        SELECT n, convert_to(lpad(n::text, \(bytes), '0'), 'UTF8') AS b, now() - n / 3 * interval '1 ms' AS t
        FROM generate_series(1, \(rows)) n) v
      """)
  }

  private func pages(_ database: TestDatabase, _ filter: RejectedFilter = RejectedFilter()) throws -> [[RejectedBody]] {
    var connection = try connect(database)
    var cursor = try RejectedStore.begin(keys: nil, &connection)
    var pages: [[RejectedBody]] = []
    while true {
      let page = try RejectedStore.nextPage(filter, &cursor, &connection)
      if page.isEmpty { return pages }
      pages.append(page)
    }
  }

  @Test func `pages come in the order of arrival, each row once, bounded by rows and by bytes`() throws {
    for (rows, bytes, expected) in [
      (2_500, 10, [1_000, 1_000, 500]), (9, 1_500_000, [3, 3, 3]), (2, 6_000_000, [1, 1]),
    ] {
      let database = try makeDatabase()
      try fill(database, rows: rows, bytes: bytes)
      let pages = try pages(database)
      #expect(pages.map(\.count) == expected)
      let entries = pages.flatMap { $0 }.map(\.entry)
      #expect(Set(entries.map(\.key)).count == rows)
      let order = entries.map { [$0.firstReceivedAtMicroseconds, $0.place ?? -1] }
      #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
    }
  }

  @Test func `a page without one that was taken out meanwhile goes on behind it, and new ones are left for the next`()
    throws
  {
    let database = try makeDatabase()
    try fill(database, rows: 1_500, bytes: 4)
    var connection = try connect(database)
    var cursor = try RejectedStore.begin(keys: nil, &connection)
    let first = try RejectedStore.nextPage(RejectedFilter(), &cursor, &connection)
    try RejectedStore.remove(first.map(\.entry.key), &connection)
    try RejectedStore.remove(first.map(\.entry.key), &connection)
    _ = try database.psql(
      """
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at)
      SELECT 1, sha256('new'), 'invalid_seq', 'm', 'new', now(), now()
      """)
    let second = try RejectedStore.nextPage(RejectedFilter(), &cursor, &connection)
    let third = try RejectedStore.nextPage(RejectedFilter(), &cursor, &connection)
    #expect(second.count == 500 && third.isEmpty)
    #expect(try database.psql("SELECT count(*) FROM pagefall.rejected") == "501")
  }

  @Test func `a filter holds for pages as for the list`() throws {
    let database = try makeDatabase()
    try fill(database, rows: 9, bytes: 4)
    _ = try database.psql("UPDATE pagefall.rejected SET code = 'missing_field' WHERE place = 0")
    var filter = RejectedFilter()
    filter.codes = [.missingField, .unknownType]
    #expect(try pages(database, filter).flatMap { $0 }.count == 3)
    filter.appIDs = [2]
    #expect(try pages(database, filter).isEmpty)
    var connection = try connect(database)
    filter.appIDs = [1, 2]
    let (entries, totals) = try RejectedStore.list(filter, limit: 2, &connection)
    #expect(entries.count == 2)
    #expect(totals.map(\.code) == ["missing_field"] && totals.map(\.events) == [3])
  }

  @Test(arguments: [("", false), ("g", false), ("a", true), (String(repeating: "F", count: 64), true), ("é", false)])
  func `a handle is 1 to 64 hexadecimal digits`(text: String, isHandle: Bool) {
    #expect((RejectedHandle(text) != nil) == isHandle)
  }

  @Test func `a handle of any length finds what begins so, at the edges too`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      """
      INSERT INTO pagefall.apps (name) VALUES ('shop');
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at)
      SELECT 1, decode(h, 'hex'), 'c', 'm', '', now(), now() FROM unnest(ARRAY[repeat('0', 64), repeat('f', 64),
        'ab' || repeat('0', 62), 'ab' || repeat('f', 62), 'ac' || repeat('0', 62)]) h
      """)
    var connection = try connect(database)
    for (text, count) in [
      ("0", 1), ("F", 1), ("a", 3), ("aB", 2), ("ab0", 1), ("b", 0), (String(repeating: "f", count: 64), 1),
    ] {
      let handle = try #require(RejectedHandle(text))
      #expect(try RejectedStore.find(handle, RejectedFilter(), &connection).count == count, "\(text)")
    }
  }

  /// A store with an event, and a batch in it of one of each fate.
  private func batch(_ database: TestDatabase, _ connectionString: String) throws -> BatchStore {
    var before = try makeStore(database.connectionString)
    try before.store(TestRecord([TestEvent(session(1), 0)]))
    var store = try makeStore(connectionString, source: .replay)
    let events = [
      TestEvent(session(1), 0), TestEvent(session(2), 0), TestEvent(session(1), 0, at: testTime + 1),
      TestEvent(session(1), 1),
    ]
    try TestRecord(events).bytes.withUnsafeBytes { try store.add($0) }
    try TestRecord([TestEvent(session(1), 2)], app: "other").bytes.withUnsafeBytes { try store.add($0) }
    return store
  }

  private static let expected: [EventFate] = [.duplicate, .stored, .conflictingDuplicate, .stored, .foreignSession]

  @Test func `a replay tells the fate of each, in order, and raises no count of what stays`() throws {
    let database = try makeDatabase()
    for _ in 1...2 {
      var store = try batch(database, database.connectionString)
      let fates = try store.storeReplayed()
      #expect(fates == Self.expected || fates == Self.expected.map { $0 == .stored ? .duplicate : $0 })
      let isEmpty = store.isEmpty
      #expect(isEmpty)
      #expect(try store.storeReplayed().isEmpty)
    }
    #expect(
      try database.psql("SELECT app_id, code, count FROM pagefall.rejected ORDER BY 1")
        == "1|conflicting_duplicate|1\n2|foreign_session|1")
    #expect(try database.psql("SELECT sum(events) FROM pagefall.event_fates WHERE source = 'replay'") == "10")
    #expect(try account(database).contains("replayed|1|2"))
    try expectAccount(database)
  }

  @Test func `an event without a fate is told to nobody as stored: its row may be the only copy`() throws {
    var random = SystemRandomNumberGenerator()
    var batch = EventBatch(hash: KeyedHash(random: &random))
    let bytes = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)]).bytes
    try bytes.withUnsafeBytes { try batch.add($0) { _ in 0 } }
    batch.events.base[0].fate = .duplicate
    do throws(EventStoreError) {
      Issue.record("the fates are \(try batch.decidedFates())")
    } catch {
      guard case .unexpected = error else { throw error }
      #expect(!error.isRetryable)
      #expect(error.description.contains("no fate"))
    }
    batch.events.base[1].fate = .stored
    #expect(try batch.decidedFates() == [.duplicate, .stored])
  }

  @Test(arguments: [CuttingProxy.Cut.beforeCommit, .afterCommit, .duringCommit])
  func `the fates are known after a commit whose answer was lost`(cut: CuttingProxy.Cut) throws {
    let database = try makeDatabase()
    let proxy = try CuttingProxy(to: database.connectionString)
    defer { proxy.stop() }
    var store = try batch(database, proxy.connectionString)
    _ = try store.open()
    proxy.cutNext(cut)
    #expect(throws: EventStoreError.self) { try store.storeReplayed() }
    #expect(try store.storeReplayed() == Self.expected)
    #expect(try database.psql("SELECT sum(events) FROM pagefall.event_fates WHERE source = 'replay'") == "5")
    #expect(try database.psql("SELECT count(*) FROM events") == "3")
  }

  @Test func `a reason is changed and nothing else`() throws {
    let database = try makeDatabase()
    try fill(database, rows: 2, bytes: 4)
    var connection = try connect(database)
    let key = try #require(try pages(database).first?.first).entry.key
    let rest = """
      SELECT md5(string_agg((to_jsonb(r) - 'code' - 'field' - 'message')::text, ',' ORDER BY sha256)) FROM pagefall.rejected r
      """
    let before = try database.psql(rest)
    try RejectedStore.update(
      [(key, RejectedReason(code: "missing_field", field: "type", message: "it's \\ \u{1F600}"))], &connection)
    #expect(try database.psql(rest) == before)
    let found = try RejectedStore.list(RejectedFilter(), limit: 9, &connection).entries.first { $0.key == key }
    #expect(found?.reason == RejectedReason(code: "missing_field", field: "type", message: "it's \\ \u{1F600}"))
  }
}
