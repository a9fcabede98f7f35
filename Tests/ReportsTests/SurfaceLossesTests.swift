import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import TestSupport
import Testing

@Suite struct `What is lost beside the events of a surface` {
  /// A story, a presentation of rich media and a response in each of two apps, and what is known to be lost of them.
  private static func world() throws -> StoredWorld {
    let world = try StoredWorld(answered: [
      AnsweredSession([.init(action: .default, categoryID: "65")]),
      AnsweredSession([.init(action: .dismiss)]) {
        $0.app = "news"
        $0.hasSuspectClock = true
      },
    ])
    try world.store([
      WorldSession("start/1 0 finish"), WorldSession("presented closed", app: "news", hasSuspectClock: true),
    ])
    try world.execute(
      """
      INSERT INTO pagefall.device_drops SELECT app_id, 'd' || n, n, now() FROM pagefall.apps, generate_series(2, 3) n;
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at, count)
        SELECT app_id, sha256(int4send(app_id)), 'missing_field', '', '{}', '2026-11-29T12:00:00Z', '2026-11-29T12:00:00Z', 2
        FROM pagefall.apps;
      """)
    return world
  }

  @Test(arguments: [([], 1, 10, 2), (["news"], 1, 5, 1), (["shop"], 0, 5, 1)] as [([String], Int, Int, Int)])
  func `is in both reports what it is in a funnel`(
    _ apps: [String], suspect: Int, dropped: Int, rejected: Int
  ) throws {
    let world = try Self.world()
    let scope = ReportScope(apps: apps)
    let wanted = SurfaceLosses(
      suspectClockSessions: suspect, droppedByDevices: dropped, rejectedEvents: ["missing_field": rejected])
    #expect(try world.buttons(scope).report.losses == wanted)
    #expect(try world.richMedia(scope).report.losses == wanted)
    let funnel = try world.report(scope).report.total.completeness
    #expect(funnel.droppedByDevices == dropped && funnel.rejectedEvents == wanted.rejectedEvents)
  }

  @Test func `has the same keys in both, and groups have none of it`() throws {
    let world = try Self.world()
    let scope = ReportScope(groupBy: .app)
    let documents = [try world.buttons(scope).report.json, try world.richMedia(scope).report.json]
    for document in documents {
      let keys = document["completeness"]?.objectValue?.map(\.key)
      #expect(
        keys == [
          "expected_events", "missing_events", "suspect_clock_sessions", "dropped_by_devices", "rejected_events",
        ])
      let groups = try #require(document["groups"]?.arrayValue)
      #expect(!groups.isEmpty)
      for part in groups + [document] {
        #expect(part["expected_events"]?.integerValue != nil && part["missing_events"]?.integerValue == 0)
      }
      #expect(groups.allSatisfy { $0["completeness"] == nil })
    }
  }
}
