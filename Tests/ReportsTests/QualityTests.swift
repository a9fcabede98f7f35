import FunnelDocument
import LocalTime
import Postgres
import Testing

@testable import Reports

@Suite struct `A quality report` {
  private typealias Session = QualityWorld.Session

  private static func version(
    _ events: String, _ version: String?, app: String = "shop", day: String = "2026-11-20", clock: String = "10:00:00"
  ) -> Session {
    Session(
      session: WorldSession(
        events, app: app, startedAt: "\(day)T\(clock)Z", context: version.map { ["app_version": $0] } ?? [:]))
  }

  @Test func `counts what is missing by app version, by day, and where both meet`() throws {
    let world = try QualityWorld([
      Self.version("start/3 0 1 finish", "4.2.0"), Self.version("start/3 0 - finish", "4.2.0"),
      Self.version("- 0 - tap/2", "4.0.0", day: "2026-11-21"), Self.version("start/3 0@900 1@100", nil),
      Self.version("fallback", "4.0.0"), Self.version("media", "4.0.0"),
      Self.version("start/1 0", "4.2.0", app: "news"),
    ])
    let report = try world.report()
    #expect(report.presentations == 6)
    #expect(report.total.sessions == 5 && report.total.expectedEvents == 17 && report.total.missingEvents == 3)
    #expect(report.total.sessionsWithMissingEvents == 2)
    #expect(report.total.sessionsWithoutStart == 1 && report.total.orphanTaps == 1 && report.total.negativeDwells == 1)
    let versions = report.versions.map { "\($0.name?.app ?? "") \($0.name?.version ?? "-") \($0.faults.missingEvents)" }
    #expect(versions == ["shop 4.2.0 1", "news 4.2.0 0", "shop - 0", "shop 4.0.0 2"])
    #expect(report.days.map { "\($0.day ?? "") \($0.faults.sessions)" } == ["2026-11-20 4", "2026-11-21 1"])
    #expect(report.cells.map { $0.place?.name?.version } == ["4.0.0", "4.2.0", nil])
    #expect(report.cells.map(\.faults.missingEvents) == [2, 1, 0])
    #expect(report.cells.map { $0.place?.day } == ["2026-11-21", "2026-11-20", nil])
  }

  @Test func `takes a version that is called (none) for none, as groups do`() throws {
    let world = try QualityWorld([
      Self.version("start/3 0 - finish", "(none)"), Self.version("start/3 0 1 finish", nil),
      Self.version("start/1 0", ""), Self.version("start/1 0", "caf\u{E9}"), Self.version("start/1 0", "cafe\u{301}"),
    ])
    let report = try world.report()
    #expect(report.versions.count == 4)
    #expect(report.versions[0].name == VersionName(app: "shop", version: nil))
    #expect(report.versions[0].faults.sessions == 2 && report.versions[0].faults.missingEvents == 1)
  }

  @Test func `says how far clocks were off, in both directions`() throws {
    let offsets: [Int64] = [0, 600, -7_200, 3_600, 900]
    let sessions = offsets.map { offset in
      var session = Self.version("start/1 0", "1")
      session.clockOffsetMicroseconds = offset * 1_000_000
      return session
    }
    var suspect = Self.version("start/1 0", "1")
    suspect.session.hasSuspectClock = true
    suspect.delayMicroseconds = 0
    let report = try QualityWorld(sessions + [suspect]).report()
    #expect(
      report.clocks
        == ClockOffsets(
          sessions: 4, medianSeconds: 900, ninetiethPercentileSeconds: 7_200, furthestAheadSeconds: 7_200,
          furthestBehindSeconds: 3_600))
    #expect(report.total.suspectClockSessions == 1 && report.total.offsetClockSessions == 4)
    #expect(report.delay.sessions == 5)
  }

  @Test func `measures delays by nearest rank, and counts starts that lie after their arrival as none`() throws {
    let delays: [Int64] = [1, 2, 3, 4, 5, 6, 7, 8, 9, -60]
    let sessions = delays.map { delay in
      var session = Self.version("start/1 0", "1")
      session.delayMicroseconds = delay * 1_000_000
      return session
    }
    let report = try QualityWorld(sessions).report()
    #expect(
      report.delay
        == ArrivalDelay(
          sessions: 10, startsAfterArrival: 1, medianSeconds: 4, ninetiethPercentileSeconds: 8,
          ninetyNinthPercentileSeconds: 9))
    #expect(report.days.map(\.delay) == [report.delay])
  }

  @Test func `shows fallbacks by the reason of the first, with their share of the presentations`() throws {
    let world = try QualityWorld(
      ["fallback", "fallback", "fallback fallback", "start/1 0", "start/1 fallback"].map { Self.version($0, "1") })
    try world.world.execute(
      """
      UPDATE pagefall.stored_events e SET reason = CASE WHEN seq = 0 THEN 'bad_page_list' ELSE 'later' END
      FROM (SELECT session_id FROM pagefall.sessions ORDER BY session_id OFFSET 1) s
      WHERE type = 5 AND e.session_id = s.session_id
      """)
    let report = try world.report()
    #expect(
      report.fallbacks == [
        FallbackReason(reason: "bad_page_list", presentations: 2), FallbackReason(reason: "(none)", presentations: 1),
        FallbackReason(reason: "later", presentations: 1),
      ])
    var scope = ReportScope()
    scope.add(try SessionFilter(argument: "fallback=yes").conditions)
    #expect(try world.report(scope).fallbacks == report.fallbacks)
    // Too many to be remembered: the scope is read once more.
    var connection = try world.world.connect()
    let ids = try connection.execute("SELECT session_id FROM pagefall.sessions ORDER BY session_id LIMIT 5")
    for mostRemembered in [0, 1, 3, 4] {
      var lookup = FallbackLookup(mostRemembered: mostRemembered)
      for row in [0, 1, 2, 4] { lookup.add(try ids[row, 0]) }
      #expect(try lookup.reasons(ReportScope(), appIDs: nil, &connection) == report.fallbacks, "\(mostRemembered)")
    }
  }

  @Test func `counts fates by the dates of the range, and rejected events as funnels do`() throws {
    let world = try QualityWorld([
      Self.version("start/1 0", "1"), Self.version("start/1 0", "1", app: "news"),
    ])
    try world.world.execute(
      """
      INSERT INTO pagefall.event_fates
        SELECT s.source, a.app_id, d.day::date, f.fate, f.events FROM pagefall.apps a
        CROSS JOIN (VALUES ('file'), ('spool')) s(source)
        CROSS JOIN (VALUES ('2026-10-31'), ('2026-11-01'), ('2026-11-30'), ('2026-12-01')) d(day)
        CROSS JOIN (VALUES ('stored', 90), ('duplicate', 5), ('conflicting_duplicate', 2), ('foreign_session', 1),
          ('expired', 1), ('refused_by_database', 1)) f(fate, events);
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at, count)
        SELECT app_id, sha256((code || at || app_id)::bytea), code, 'm', '', at::timestamptz, at::timestamptz, 3
        FROM pagefall.apps CROSS JOIN (VALUES ('invalid_seq'), ('invalid_json')) c(code)
        CROSS JOIN (VALUES ('2026-10-31T22:59:59Z'), ('2026-10-31T23:00:00Z'), ('2026-11-30T22:59:59Z'),
          ('2026-11-30T23:00:00Z')) t(at);
      INSERT INTO pagefall.device_drops SELECT app_id, 'd' || app_id, 7, now() FROM pagefall.apps;
      INSERT INTO pagefall.rejected_removed SELECT app_id, 'invalid_seq', 'age', 5 FROM pagefall.apps;
      """)
    let berlin = try ReportTimeZone(named: "Europe/Berlin")
    let scope = ReportScope(apps: ["news"], range: try .days("2026-11-01", "2026-11-30", berlin), timeZone: berlin)
    let report = try world.report(scope)
    #expect(report.fates.firstDay == "2026-11-01" && report.fates.lastDay == "2026-11-30")
    #expect(report.fates.apps.map(\.app) == ["news"])
    #expect(report.fates.total.accepted == 400 && report.fates.total.duplicates == 20)
    #expect(
      report.rejected == [
        RejectedReason(app: "news", code: "invalid_json", events: 2, times: 6),
        RejectedReason(app: "news", code: "invalid_seq", events: 2, times: 6),
      ])
    #expect(report.dropped == [DroppedEvents(app: "news", events: 7)] && report.removedRejections == 5)
    let funnel = try world.world.report(scope).report.total.completeness
    #expect(funnel.rejectedEvents == ["invalid_json": 2, "invalid_seq": 2] && funnel.droppedByDevices == 7)
    let all = try world.report()
    #expect(all.fates.firstDay == nil && all.fates.total.accepted == 1_600 && all.rejected.count == 4)
  }

  @Test func `of nothing is a sentence, and of an unknown story an error with what there is`() throws {
    let empty = try QualityWorld()
    #expect(try empty.report().explanation == "No app has sent anything yet.")
    let world = try QualityWorld([Self.version("start/1 0", "1")])
    let report = try world.report(ReportScope(range: try .days("2020-01-01", "2020-01-31")))
    #expect(report.explanation?.hasPrefix("No story was shown here; widen --from") == true)
    #expect(report.yesterday == nil && report.verdict.isEmpty && report.total == SessionFaults())
    for format in QualityFormat.allCases { #expect(!format.render(report).contains("nan"), "\(format)") }
    let error = try #require(throws: ReportError.self) { try world.report(ReportScope(story: .named("sprnig"))) }
    #expect(error.kind == .usage && error.description.contains("'spring-sale'"))
  }

  @Test func `keeps apart no more versions, days and reasons than anyone reads, and loses none`() throws {
    let world = try QualityWorld([Self.version("start/1 0", "real"), Self.version("start/1 0", "real")])
    try world.world.execute(
      """
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, app_version)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 1, '2026-11-29T12:00Z'::timestamptz - i * interval '1 day',
          '2026-11-29T12:00Z', 0, 0, i::text FROM generate_series(1, 12000) i;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at, page_count)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, i % 2, 1, now(), 1 FROM generate_series(1, 12000) i;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at, reason)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 5, 5, now(), 'r' || i FROM generate_series(1, 12000) i;
      """)
    let report = try world.report()
    #expect(report.total.sessions == 12_002)
    #expect(report.versions.count == QualityTally.mostListedVersions + 1)
    #expect(report.versions.first?.name?.version == "real" && report.versions.last?.name == nil)
    #expect(report.days.count == QualityTally.mostDays + 1 && report.days.last?.day == nil)
    #expect(report.cells.count == QualityTally.mostListedCells + 1)
    #expect(report.fallbacks.count == 21 && report.fallbacks.map(\.presentations).reduce(0, +) == 12_000)
  }
}
