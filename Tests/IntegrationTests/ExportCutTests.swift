import FunnelDocument
import Postgres
import TestSupport
import Testing

/// Events whose transaction is open when a set is made: in the next revision, once.
@Suite struct ExportCutTests {
  let fixture: ExportFixture
  let day = "2026-11-20"

  init() throws {
    fixture = try ExportFixture()
    for app in ["a", "b", "c"] {
      try fixture.ingest([ExportEvent.line(app == "a" ? 1 : app == "b" ? 2 : 3, at: day)], app: app)
    }
    try fixture.write(["--day", day])
  }

  @Test func `an event whose transaction is open is in no set yet, and in the next once`() throws {
    let late = try LateEvents(fixture, app: "a", 10...12, at: day)
    #expect(try fixture.write(["--day", day]).hasPrefix("nothing to write"))
    #expect(try fixture.set(day).revision == 1)
    // Another's events in between do not make up for it.
    try fixture.ingest([ExportEvent.line(4, at: day)], app: "b")
    try expectRevision(2, "late_events 1 1", sessions: [1, 2, 3, 4])
    try late.commit()
    try expectRevision(3, "late_events 3 3", sessions: [1, 2, 3, 4, 10, 11, 12])
    #expect(try fixture.write(["--day", day]).hasPrefix("nothing to write"))
  }

  @Test func `transactions that commit in another order than they began are each in the set after their commit`() throws
  {
    let first = try LateEvents(fixture, app: "a", 10...10, at: day)
    let second = try LateEvents(fixture, app: "b", 20...21, at: day)
    let third = try LateEvents(fixture, app: "c", 30...32, at: day)
    try third.commit()
    try expectRevision(2, "late_events 3 3", sessions: [1, 2, 3, 30, 31, 32])
    try first.commit()
    try expectRevision(3, "late_events 1 1", sessions: [1, 2, 3, 10, 30, 31, 32])
    try second.commit()
    try expectRevision(4, "late_events 2 2", sessions: [1, 2, 3, 10, 20, 21, 30, 31, 32])
  }

  @Test func `events whose transaction is rolled back are in no set`() throws {
    let late = try LateEvents(fixture, app: "a", 10...12, at: day)
    try late.kill()
    #expect(try fixture.write(["--day", day]).hasPrefix("nothing to write"))
    try fixture.ingest(ExportEvent.lines(10...12, at: day), app: "a")
    try expectRevision(2, "late_events 3 3", sessions: [1, 2, 3, 10, 11, 12])
  }

  @Test func `an erasure whose transaction is open leaves the set as it is`() throws {
    var erasing = try PostgresConnection(ConnectionOptions(fixture.database.connectionString))
    try erasing.execute("BEGIN")
    try erasing.execute("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(2))']::uuid[])")
    #expect(try fixture.write(["--day", day]).hasPrefix("nothing to write"))
    try erasing.execute("COMMIT")
    try expectRevision(2, "erased 1 1", sessions: [1, 3])
  }

  private func expectRevision(_ revision: Int, _ reason: String, sessions: [Int]) throws {
    try fixture.write(["--day", day])
    let set = try fixture.set(day)
    #expect(set.revision == revision)
    #expect(set.reasons == [reason])
    let exported = try set.rows("events").map { $0["session_id"] ?? "" }
    #expect(exported.sorted() == sessions.map(ExportEvent.session))
    try fixture.expectComplete(day)
  }
}
