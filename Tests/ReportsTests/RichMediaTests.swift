import FunnelDocument
import LocalTime
import Postgres
import Reports
import StoryEvents
import TestSupport
import Testing

extension StoredWorld {
  /// The rich media of a scope, seen from 2026-11-30T03:00:00Z.
  func richMedia(
    _ scope: ReportScope = ReportScope(), order: RichMediaOrder = RichMediaOrder(), limit: Int? = nil
  ) throws -> RichMedia {
    var connection = try connect()
    return try RichMediaReporter.run(
      scope, order: order, limit: limit, on: &connection, nowMicroseconds: reportTimeMicroseconds)
  }
}

@Suite struct `Rich media` {
  private static let zone = "America/Sao_Paulo"

  @Test func `of random worlds has the numbers of the naive definitions, and groups add up`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("rich media: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let sessions = (0..<400).map { _ in NaiveRichMedia.draw(&random) }
    let world = try StoredWorld(sessions)
    try check(world, sessions, "\(seed)")
    // Packed, which is read by the other way.
    try world.execute(
      "DO $$ BEGIN WHILE pagefall.pack_histories(1000, interval '-100 years') > 0 LOOP END LOOP; END $$")
    try check(world, sessions, "packed, \(seed)")
  }

  private func check(_ world: StoredWorld, _ sessions: [WorldSession], _ seed: String) throws {
    let naive = NaiveRichMedia(sessions)
    let condition = NaiveCondition(zone: Self.zone)
    let fields = [
      "app_version", "app", "day", "hour", "weekday", "environment", "property:position", "tapped", "suspect_clock",
      "fallback_reason",
    ]
    for field in [nil] + fields {
      let scope = ReportScope(
        timeZone: try ReportTimeZone(named: Self.zone), groupBy: try field.map { try SessionField(argument: $0) })
      let report = try world.richMedia(scope).report
      #expect(report.total == naive.counts, "seed \(seed)")
      #expect(report.contents == naive.lines, "seed \(seed)")
      #expect(report.losses.suspectClockSessions == naive.sessions.filter(\.hasSuspectClock).count)
      #expect(report.conservationFaults() == [])
      guard let field else { continue }
      let groups = Dictionary(
        grouping: naive.sessions, by: { (try? condition.value(of: field, $0)) ?? "(none)" })
      let found = try #require(report.groups)
      #expect(Set(found.map(\.name)) == Set(groups.keys), "\(field) of seed \(seed)")
      for group in found {
        let own = NaiveRichMedia(groups[group.name] ?? [])
        #expect(group.counts == own.counts && group.contents == own.lines, "\(field) \(group.name) of seed \(seed)")
      }
      // The same through JSON.
      #expect(try RichMediaReport(text: report.json.text().utf8) == report)
    }
  }

  @Test func `of conditions and of what they exclude adds up, and of ranges, too`() throws {
    var random = SeededGenerator(seed: 5)
    let sessions = (0..<200).map { _ in NaiveRichMedia.draw(&random) }
    let world = try StoredWorld(sessions)
    let condition = NaiveCondition()
    for (field, value) in [
      ("app", "shop"), ("app_version", "a"), ("property:position", "top"), ("weekday", "Monday"), ("started", "yes"),
      ("missing_events", "yes"), ("suspect_clock", "no"),
    ] {
      for isNegated in [false, true] {
        let filter = try SessionFilter(argument: field + (isNegated ? "!=" : "=") + value)
        let report = try world.richMedia(ReportScope(conditions: filter.conditions)).report
        let chosen = try sessions.filter { try condition.holds(field, isNegated: isNegated, [value], $0) }
        #expect(report.total == NaiveRichMedia(chosen).counts, "\(field) \(isNegated)")
        #expect(report.contents == NaiveRichMedia(chosen).lines)
      }
    }
    let range = try TimeRange(
      from: "2026-10-15", to: "2026-11-15", timeZone: .utc, nowMicroseconds: reportTimeMicroseconds)
    let chosen = sessions.filter { $0.startedAt >= "2026-10-15" && $0.startedAt < "2026-11-16" }
    #expect(try world.richMedia(ReportScope(range: range)).report.total == NaiveRichMedia(chosen).counts)
    #expect(
      try world.richMedia(ReportScope(apps: ["news"])).report.contents
        == NaiveRichMedia(sessions.filter { $0.app == "news" }).lines)
  }

  @Test func `content codes are told apart by app and by their bytes; the first event's counts`() throws {
    let world = try StoredWorld(
      [("shop", "caf\u{E9}"), ("shop", "cafe\u{301}"), ("news", "caf\u{E9}"), ("shop", "caf\u{E9}")].map {
        WorldSession("presented/\($0.1) closed/\($0.1)", app: $0.0, story: nil)
      } + [
        WorldSession("answer deferred/first presented/second closed/third", story: nil),
        WorldSession("start/1 0 finish"), WorldSession("answer", story: nil),
      ])
    let report = try world.richMedia().report
    #expect(
      report.contents.map { "\($0.app ?? "?") \($0.contentCode) \($0.counts.presentations)" }
        == ["shop caf\u{E9} 2", "news caf\u{E9} 1", "shop cafe\u{301} 1", "shop first 1"])
    #expect(report.total.presentations == 5 && report.total.deferred == 1)
  }

  @Test func `is sorted by any column, either way, what is not there last`() throws {
    let world = try Self.sorting
    for column in RichMediaOrder.Column.allCases {
      for isReversed in [false, true] { try check(world, column, isReversed: isReversed) }
    }
  }

  private func check(_ world: StoredWorld, _ column: RichMediaOrder.Column, isReversed: Bool) throws {
    let argument = (isReversed ? "-" : "") + column.rawValue
    let report = try world.richMedia(
      ReportScope(groupBy: .context(.locale)), order: RichMediaOrder(argument: argument)
    ).report
    for lines in [report.contents] + (report.groups ?? []).map(\.contents) {
      if column == .app || column == .contentCode {
        let names = lines.map { Array(((column == .app ? $0.app : $0.contentCode) ?? "").utf8) }
        #expect(
          names == names.sorted { isReversed ? $1.lexicographicallyPrecedes($0) : $0.lexicographicallyPrecedes($1) })
        continue
      }
      let numbers = lines.map { line -> Double? in
        let rates = report.rates(of: line.counts)
        switch column {
        case .app, .contentCode: return nil
        case .presentations: return Double(line.counts.presentations)
        case .deferred: return Double(line.counts.deferred)
        case .deferredRate: return rates.deferred.value
        case .shown: return Double(line.counts.shown)
        case .shownRate: return rates.shown.value
        case .failed: return Double(line.counts.failed)
        case .failedRate: return rates.failed.value
        case .closed: return Double(line.counts.closed)
        case .closedByTimer: return line.counts.closedByTimer.map(Double.init)
        case .closedByTimerRate: return rates.closedByTimer.value
        case .openOrLost: return Double(line.counts.openOrLost)
        case .waitingOrLost: return Double(line.counts.waitingOrLost)
        case .wait: return line.counts.wait.medianMilliseconds
        case .open: return line.counts.open.medianMilliseconds
        }
      }
      let present = numbers.compactMap { $0 }
      #expect(present == present.sorted(by: isReversed ? { $0 < $1 } : { $0 > $1 }))
      #expect(numbers.prefix(present.count).allSatisfy { $0 != nil })
    }
  }

  private static var sorting: StoredWorld {
    get throws {
      var random = SeededGenerator(seed: 9)
      return try StoredWorld((0..<120).map { _ in NaiveRichMedia.draw(&random) })
    }
  }

  @Test func `beyond the limit is in the total`() throws {
    let world = try Self.sorting
    let scope = ReportScope(groupBy: .context(.locale))
    let all = try world.richMedia(scope).report
    let some = try world.richMedia(scope, limit: 2)
    #expect(some.report.contents == Array(all.contents.prefix(2)) && some.report.total == all.total)
    #expect(some.report.hiddenContents == all.contents.count - 2)
    for (group, whole) in zip(some.report.groups ?? [], all.groups ?? []) {
      #expect(group.counts == whole.counts && group.contents == Array(whole.contents.prefix(2)))
      #expect(group.hiddenContents == whole.contents.count - group.contents.count)
    }
    #expect(try world.richMedia(limit: 1_000).report.hiddenContents == 0)
    for format in [FunnelFormat.table, .markdown] { #expect(format.render(some).contains("not shown (--limit)")) }
    let json = FunnelFormat.json.render(some)
    #expect(try JSONValue(text: json.utf8)["hidden_contents"] == .integer(Int64(some.report.hiddenContents)))
    #expect(try RichMediaReport(text: json.utf8).contents == some.report.contents)
  }

  @Test func `groups beyond the largest are one, and add up`() throws {
    let world = try Self.sorting
    for field in ["hour", "device_model", "app"] {
      let field = try SessionField(argument: field)
      let all = try #require(try world.richMedia(ReportScope(groupBy: field)).report.groups)
      let some = try world.richMedia(ReportScope(groupBy: field, mostGroups: 1)).report
      let groups = try #require(some.groups)
      #expect(groups.count == 2 && groups[1].mergedGroups == all.count - 1 && groups[1].name == "(other)")
      #expect(groups[0].counts.presentations == all.map(\.counts.presentations).max())
      #expect(some.conservationFaults() == [])
      let whole = try world.richMedia(ReportScope(groupBy: field, mostGroups: all.count)).report
      #expect(whole.groups == all && whole.groups?.contains { $0.mergedGroups != nil } == false)
    }
  }

  @Test func `rates of few presentations are hidden, and counts stay`() throws {
    let world = try StoredWorld([WorldSession("presented/r-1 failed", story: nil)])
    let report = try world.richMedia(ReportScope(minimumCount: 2)).report
    #expect(report.rates(of: report.total).failed.value == nil && report.total.failed == 1)
    #expect(report.json["failed_rate"] == .null && report.json["failed"] == .integer(1))
    #expect(report.json["scope"]?["min_count"] == .integer(2))
  }

  @Test func `of nothing is empty and says so`() throws {
    let world = try StoredWorld()
    #expect(try world.richMedia().explanation == "No app has sent anything yet.")
    try world.store([WorldSession("start/1 0"), WorldSession("answer", story: nil)])
    let empty = try world.richMedia()
    #expect(empty.isEmpty && empty.report.contents == [] && empty.explanation?.contains("yet") == true)
    for format in FunnelFormat.allCases { #expect(!format.render(empty).isEmpty) }
    try world.store([WorldSession("presented", story: nil)])
    let scope = ReportScope(
      conditions: try SessionFilter(argument: "locale=fr").conditions, groupBy: .context(.locale))
    #expect(try world.richMedia(scope).explanation?.contains("widen --from") == true)
    #expect(try world.richMedia(scope).report.groups == [])
    let error = try #require(throws: ReportError.self) { try world.richMedia(ReportScope(apps: ["nwes"])) }
    #expect(error.kind == .usage && error.description.contains("there is no app 'nwes'"))
    for column in ["", "-", "colour", "--failed", "Failed"] {
      let error = try #require(throws: ReportError.self) { try RichMediaOrder(argument: column) }
      #expect(error.description.contains("content_code, presentations"))
    }
  }

  @Test func `with too many content codes, or of too many groups, is refused with what to do`() throws {
    let world = try StoredWorld([WorldSession("presented", story: nil)])
    func add(_ numbers: ClosedRange<Int>, code: String) throws {
      try world.execute(
        """
        INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, device_id)
          SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 1, now(), now(), 0, 0, i / 11
          FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) i;
        INSERT INTO pagefall.stored_events (session_id, seq, type, at, content_code)
          SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 0, 8, now(), \(code)
          FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) i;
        """)
    }
    try add(1...9_999, code: "'c-' || i")
    #expect(try world.richMedia().report.contents.count == 10_000)
    #expect(try world.richMedia(limit: 3).report.hiddenContents == 9_997)
    try add(10_000...10_000, code: "'one more'")
    let error = try #require(throws: ReportError.self) { try world.richMedia() }
    #expect(error.kind == .usage && error.description.contains("more than 10000 content codes"))
    #expect(error.description.contains("--from"))
    try world.execute("DELETE FROM pagefall.stored_events WHERE content_code = 'one more'")
    // Eleven content codes of each of ten thousand devices.
    try add(20_000...129_998, code: "'c-' || 1 + i % 11")
    let groups = ReportScope(groupBy: .context(.deviceID))
    let tooMany = try #require(throws: ReportError.self) { try world.richMedia(groups) }
    #expect(tooMany.kind == .usage && tooMany.description.contains("--top N"), "\(tooMany)")
    #expect(!tooMany.description.contains("--story"), "it has no such option")
    let top = try world.richMedia(ReportScope(groupBy: .context(.deviceID), mostGroups: 2)).report
    #expect(top.groups?.count == 3 && top.total.presentations == 119_999)
  }
}
