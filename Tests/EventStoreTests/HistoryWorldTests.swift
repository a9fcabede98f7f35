import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

/// Whatever happens, in whatever order: after every step each history is exact or null, and at the end, when all is quiet,
/// none is missing. `PAGEFALL_WORLDS_SEED=7 swift test` draws the same again.
@Suite struct `Histories in random worlds` {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `are exact after every step of two stores, housekeeping and people`(stream: UInt64) throws {
    let world = "world \(stream) of PAGEFALL_WORLDS_SEED=\(SeededGenerator.worldsSeed)"
    var random = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: stream)
    let database = try makeDatabase()
    var stores = Stores(
      first: try makeStore(database.connectionString, random: stream),
      second: try makeStore(database.connectionString, random: stream + 100))
    for step in 0..<60 {
      let deed = try act(&random, database, &stores)
      try expectHistories(database)
      if try database.psql(
        "SELECT count(*) FROM pagefall.stored_events e LEFT JOIN pagefall.sessions s USING (session_id) WHERE s IS NULL"
      )
        != "0"
      {
        #expect(
          try database.psql("SELECT has_loose_events FROM pagefall.settings") == "t", "\(world), \(step): \(deed)")
      }
    }
    try pack(database)
    try expectHistories(database)
    #expect(
      try database.psql("SELECT count(*) FROM pagefall.sessions WHERE history IS NULL AND flags & 2 = 0") == "0",
      "\(world)")
  }

  /// While several store, pack and erase at the same time, every snapshot shows exact histories.
  @Test func `are exact in every snapshot while all happens at once`() async throws {
    let database = try makeDatabase()
    let connectionString = database.connectionString
    let seed = SeededGenerator.worldsSeed
    try await withThrowingTaskGroup(of: Void.self) { group in
      for collector in 0..<3 as Range<UInt64> {
        group.addTask {
          var random = SeededGenerator(seed: seed, stream: collector + 50)
          var store = try makeStore(connectionString, random: collector + 100)
          for _ in 0..<30 {
            let record = Self.record(&random, sessions: 12)
            try record.bytes.withUnsafeBytes { try store.add($0) }
            _ = try storePatiently(&store)
          }
        }
      }
      group.addTask {
        var connection = try PostgresConnection(ConnectionOptions(connectionString))
        for number in 0..<60 as Range<UInt64> {
          try connection.executeScript("SELECT pagefall.pack_histories(5, interval '0')")
          if number % 10 == 9 {
            try connection.executeScript("SELECT pagefall.erase_sessions(ARRAY['\(session(number / 10))']::uuid[])")
          }
        }
      }
      group.addTask {
        for _ in 0..<15 { try expectHistories(database) }
      }
      try await group.waitForAll()
    }
    try pack(database)
    try expectHistories(database)
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions WHERE history IS NULL") == "0", "seed \(seed)")
    try expectAccount(database)
  }

  private struct Stores: ~Copyable {
    var first: BatchStore
    var second: BatchStore
  }

  private func act(
    _ random: inout SeededGenerator, _ database: TestDatabase, _ stores: inout Stores
  ) throws -> String {
    let id = session(random.next() % 9)
    switch random.next() % 20 {
    case 0: return try run("DELETE FROM pagefall.stored_events WHERE session_id = '\(id)' AND seq < 4", database)
    case 1: return try run("SELECT pagefall.erase_sessions(ARRAY['\(id)']::uuid[])", database)
    case 2: return try run("UPDATE pagefall.stored_events SET duration = 9 WHERE session_id = '\(id)'", database)
    case 3: return try run("DELETE FROM pagefall.sessions WHERE session_id = '\(id)'", database)
    case 4 where random.next() % 3 == 0: return try run("TRUNCATE pagefall.stored_events", database)
    case 5 where random.next() % 3 == 0: return try run("TRUNCATE pagefall.sessions", database)
    case 6:
      return try run(
        "DELETE FROM pagefall.stored_events e WHERE NOT EXISTS (SELECT FROM pagefall.sessions s WHERE s.session_id = e.session_id)",
        database)
    case 7, 8, 9: return try run("SELECT pagefall.pack_histories(\(random.next() % 4 + 1), interval '0')", database)
    case 10: return "packed \(try pack(database))"
    default:
      let records = (0...random.next() % 3).map { _ in Self.record(&random, sessions: 9) }
      let isFirst = random.next() % 2 == 0
      for record in records {
        try record.bytes.withUnsafeBytes {
          if isFirst { try stores.first.add($0) } else { try stores.second.add($0) }
        }
      }
      let counts = isFirst ? try stores.first.store() : try stores.second.store()
      return "\(isFirst ? "first" : "second") stored \(counts.stored) of \(counts.total)"
    }
  }

  private func run(_ statement: String, _ database: TestDatabase) throws -> String {
    _ = try database.psql(statement)
    return statement
  }

  private static func record(_ random: inout SeededGenerator, sessions: UInt64) -> TestRecord {
    let events = (0...random.next() % 12).map { _ in
      let number = random.next() % sessions
      var event = TestEvent(number == 8 ? randomSession(8) : session(number), Int32(random.next() % 14))
      // The same key mostly brings the same content.
      event.type = random.next() % 20 == 0 ? .finish : event.seq == 0 ? .start : .pageShown
      if event.seq < 3 { event.pageDurations = [Double(event.seq), 2] }
      if event.seq % 2 == 0 { event.duration = 1.5 }
      if random.next() % 4 == 0 { event.context = [.locale: "de"] }
      return event
    }
    // Some happen just now: their sessions seem to go on.
    return random.next() % 3 == 0 ? TestRecord(events, received: testTime - 3_600_000_000) : quietRecord(events)
  }
}
