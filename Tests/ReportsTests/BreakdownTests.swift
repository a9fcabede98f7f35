import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import TestSupport
import Testing

@Suite struct `Breakdowns` {
  @Test func `by every field add up, and have the numbers of a naive reading`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("breakdowns: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let sessions = (0..<120).map { _ in RandomSession.draw(story: nil, &random) }
    let world = try StoredWorld(sessions)
    for (number, field) in (SessionField.names.dropLast() + ["property:tier", "property:nobody"]).enumerated() {
      let zone = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe"][number % 4]
      let naive = NaiveCondition(zone: zone)
      let byValue = Dictionary(
        grouping: try NaiveFunnel(sessions).sessions.map { ($0, try naive.value(of: field, $0)) }
      ) {
        $0.1 ?? "(none)"
      }.mapValues { $0.map(\.0) }
      for most in [nil, 1, 3] {
        let scope = ReportScope(
          timeZone: try ReportTimeZone(named: zone), groupBy: try SessionField(argument: field), mostGroups: most,
          countsDevices: true)
        let report = try world.report(scope).report
        let groups = try #require(report.groups)
        let name = "\(field), \(most ?? 0) of seed \(seed)"
        #expect(report.conservationFaults() == [], "\(name)")
        #expect(report.devices == naiveDevices(sessions), "\(name)")
        let shown = groups.filter { $0.mergedGroups == nil }
        for group in shown {
          let own = byValue[group.name] ?? []
          #expect(group.counts.withoutTitles == NaiveFunnel(own).counts, "\(group.name) by \(name)")
          #expect(group.devices == naiveDevices(own), "\(group.name) by \(name)")
        }
        #expect(shown.count == min(most ?? .max, byValue.count), "\(name)")
        let others = byValue.filter { value, _ in !shown.contains { $0.name == value } }
        #expect(groups.last?.mergedGroups == (others.isEmpty ? nil : others.count), "\(name)")
        if !others.isEmpty {
          let own = others.values.flatMap { $0 }
          #expect(groups.last?.name == "(other)")
          #expect(groups.last?.counts.withoutQuantiles == NaiveFunnel(own).counts.withoutQuantiles, "\(name)")
          #expect(groups.last?.devices == naiveDevices(own), "\(name)")
          let smallest = shown.map(\.counts.presentations).min() ?? 0
          #expect((others.values.map(\.count).max() ?? 0) <= smallest, "\(name)")
        }
        if ["day", "week", "hour"].contains(field) {
          #expect(shown.map(\.name) == shown.map(\.name).sorted(), "\(name)")
        }
      }
    }
  }

  @Test func `name the largest of very many values, and the rest together`() throws {
    let world = try StoredWorld([WorldSession("start/1 0", context: ["device_id": "(other)"])])
    // 20,000 devices: those below 100 come more than once, device 5 the most.
    try world.execute(
      """
      CREATE TEMPORARY TABLE many AS SELECT row_number() OVER () AS i, d.device FROM (
        SELECT n AS device FROM generate_series(1, 20000) n
        UNION ALL SELECT n FROM generate_series(1, 99) n, generate_series(1, 2)
        UNION ALL SELECT 5 FROM generate_series(1, 10)) d;
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, device_id)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 1, '2000-01-01'::timestamptz + i * interval '1 day', now(), 0, 0, device
        FROM many;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 0, 5, now() FROM many;
      """)
    var scope = ReportScope(groupBy: .context(.deviceID), countsDevices: true)
    let refused = try #require(throws: ReportError.self) { try world.report(scope) }
    #expect(refused.kind == .usage && refused.description.contains("--top"))
    for most in [1, 50, 99] {
      scope.mostGroups = most
      let report = try world.report(scope).report
      let groups = try #require(report.groups)
      #expect(groups.count == most + 1 && groups[0].name == "5" && groups[0].counts.presentations == 13)
      #expect(groups[1...].prefix(most - 1).allSatisfy { $0.counts.presentations == 3 })
      #expect(groups.last?.mergedGroups == 20_001 - most)
      #expect(report.devices == DeviceCounts(distinct: 20_001, presentationsWithDevice: 20_209))
      #expect(groups.last?.devices?.distinct == 20_001 - most)
      #expect(report.conservationFaults() == [])
    }
    // At the edge one of many equal values is taken, and always the same.
    scope.mostGroups = 200
    let first = try world.report(scope).report.groups?.map(\.name)
    #expect(try first?.count == 201 && world.report(scope).report.groups?.map(\.name) == first)
    // Days, too, in their order.
    scope.groupBy = .time(.day)
    scope.mostGroups = 3
    let days = try #require(try world.report(scope).report.groups)
    #expect(days.count == 4 && days.prefix(3).map(\.name) == days.prefix(3).map(\.name).sorted())
    #expect(days.last?.mergedGroups == 20_205)
  }

  @Test func `tell a sender's (other) from the others`() throws {
    let world = try StoredWorld(
      ["(other)", "(other)", "(other)", "a", "b"].map { WorldSession("start/1 0", context: ["locale": $0]) })
    let funnel = try world.report(ReportScope(groupBy: .context(.locale), mostGroups: 1))
    let groups = try #require(funnel.report.groups)
    #expect(groups.map(\.name) == ["(other)", "(other)"])
    #expect(groups.map(\.mergedGroups) == [nil, 2] && groups.map(\.counts.sessions) == [3, 2])
    let json = try JSONValue(text: FunnelFormat.json.render(funnel).utf8)["groups"]?.arrayValue
    #expect(json?.map { $0["merged_groups"] } == [nil, .integer(2)])
    for format in [FunnelFormat.table, .markdown] {
      let text = format.render(funnel)
      #expect(text.contains("\"(other)\"") && text.contains("(other) is 2 smaller groups together."))
    }
    let read = try FunnelReport(text: FunnelFormat.json.render(funnel).utf8)
    #expect(read.groups?.map(\.mergedGroups) == [nil, 2])
  }

  @Test func `of devices show them in every format`() throws {
    let world = try StoredWorld(
      [("ann", "de"), ("ann", "fr"), ("bob", "de"), (nil, "de"), ("", "de")].map { device, locale in
        WorldSession(
          "start/1 0", context: device.map { ["device_id": $0, "locale": locale] } ?? ["locale": locale])
      } + [WorldSession("media", context: ["device_id": "no presentation"])])
    let funnel = try world.report(ReportScope(groupBy: .context(.locale), countsDevices: true))
    #expect(funnel.report.devices == DeviceCounts(distinct: 3, presentationsWithDevice: 4))
    #expect(funnel.report.groups?.map { $0.devices?.distinct } == [3, 1])
    let json = try JSONValue(text: FunnelFormat.json.render(funnel).utf8)
    #expect(json["devices"]?.text(layout: .compact) == #"{"distinct":3,"presentations_with_device":4,"share":0.8}"#)
    #expect(json["groups"]?.arrayValue?.last?["devices"]?["share"] == .number(1))
    for format in [FunnelFormat.table, .markdown] {
      #expect(format.render(funnel).contains("3 devices; 4 of 5 presentations (80.0%) have one"))
    }
    let csv = FunnelFormat.csv.render(funnel).split(separator: "\r\n")
    #expect(csv[1].hasSuffix(",,,3,4,0.8") && csv[3].hasSuffix(",,,1,1,1.0"))
    #expect(try FunnelReport(text: FunnelFormat.json.render(funnel).utf8).groups == funnel.report.groups)
    // Not asked for, they are not there.
    let plain = try world.report(ReportScope(groupBy: .context(.locale)))
    #expect(plain.report.devices == nil && !FunnelFormat.json.render(plain).contains("\"devices\""))
  }
}

extension FunnelCounts {
  var withoutTitles: FunnelCounts {
    var counts = self
    for page in counts.pages.indices { counts.pages[page].title = nil }
    return counts
  }
}
