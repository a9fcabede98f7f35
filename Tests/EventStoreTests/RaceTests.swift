import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `Several that store at once` {
  @Test func `the same events from several collectors end once each`() async throws {
    let database = try makeDatabase()
    let connectionString = database.connectionString
    let accepted = 6 * 12 * 60
    let counts = try await withThrowingTaskGroup(of: FateCounts.self) { group in
      for collector in 0..<6 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(collector))
          var store = try makeStore(connectionString, random: UInt64(collector) + 100)
          var counts = FateCounts()
          for _ in 0..<12 {
            // Of 40 sessions with 30 events; a third of the collectors sends for another app.
            let events = (0..<60).map { _ in
              TestEvent(
                session(random.next() % 40), Int32(random.next() % 30),
                context: [.storyID: "s", .deviceID: "d\(random.next() % 3)"])
            }
            let record = TestRecord(events, app: collector % 3 == 0 ? "other" : "shop")
            try record.bytes.withUnsafeBytes { try store.add($0) }
            counts += try storePatiently(&store)
          }
          return counts
        }
      }
      return try await group.reduce(into: FateCounts()) { $0 += $1 }
    }
    #expect(counts.total == accepted)
    #expect(counts.conflictingDuplicates == 0 && counts.refusedByDatabase == 0)
    #expect(counts.foreignSessions > 0 && counts.duplicates > 0)
    #expect(try database.psql("SELECT count(*) FROM events") == "\(counts.stored)")
    #expect(
      try database.psql("SELECT sum(events) FROM pagefall.event_fates") == "\(accepted)")
    #expect(
      try database.psql(
        "SELECT count(*) FROM pagefall.stored_events e LEFT JOIN pagefall.sessions s USING (session_id) WHERE s IS NULL"
      )
        == "0")
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions WHERE story_id IS NULL") == "0")
    try expectAccount(database)
  }

  @Test func `sessions are erased while others store them`() async throws {
    let database = try makeDatabase()
    let connectionString = database.connectionString
    try await withThrowingTaskGroup(of: Void.self) { group in
      for collector in 0..<3 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(collector))
          var store = try makeStore(connectionString, random: UInt64(collector) + 100)
          for _ in 0..<20 {
            let events = (0..<20).map { _ in
              TestEvent(session(random.next() % 10), Int32(random.next() % 30), context: [.deviceID: "d"])
            }
            let record = TestRecord(events)
            try record.bytes.withUnsafeBytes { try store.add($0) }
            _ = try storePatiently(&store)
          }
        }
      }
      group.addTask {
        var connection = try PostgresConnection(ConnectionOptions(connectionString))
        for number in 0..<20 {
          let id = session(UInt64(number % 10))
          try connection.executeScript("SELECT pagefall.erase_sessions(ARRAY['\(id)']::uuid[])")
        }
      }
      try await group.waitForAll()
    }
    try expectAccount(database)
    #expect(
      try database.psql(
        "SELECT count(*) FROM pagefall.stored_events e WHERE NOT EXISTS (SELECT FROM pagefall.sessions s WHERE s.session_id = e.session_id)"
      ) == "0")
  }

  @Test func `months are made, and events removed, while others store`() async throws {
    let database = try makeDatabase()
    let connectionString = database.connectionString
    let day: Int64 = 86_400_000_000
    let old = testTime - 200 * day
    try await withThrowingTaskGroup(of: FateCounts.self) { group in
      for collector in 0..<3 {
        group.addTask {
          var store = try makeStore(connectionString, random: UInt64(collector) + 7)
          var counts = FateCounts()
          for batch in 0..<20 {
            let number = UInt64(collector * 1000 + batch)
            let record = TestRecord([
              TestEvent(session(number, at: old), 0, at: old), TestEvent(session(number), 0),
            ])
            try record.bytes.withUnsafeBytes { try store.add($0) }
            counts += try storePatiently(&store)
          }
          return counts
        }
      }
      group.addTask {
        var connection = try PostgresConnection(ConnectionOptions(connectionString))
        for month in 5..<9 {
          try connection.executeScript("SELECT pagefall.make_month((now() - interval '\(month) months')::date)")
        }
        return FateCounts()
      }
      var counts = FateCounts()
      for try await part in group { counts += part }
      #expect(counts == fates(stored: 120))
    }
    #expect(try database.psql("SELECT count(*) FROM events") == "120")
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_default") == "0")
    try expectAccount(database)
  }
}

/// Stores as the loader does: again where others were in the way.
func storePatiently(_ store: inout BatchStore) throws -> FateCounts {
  while true {
    do throws(EventStoreError) {
      return try store.store()
    } catch {
      if !error.isRetryable { throw error }
    }
  }
}
