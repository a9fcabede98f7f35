import Foundation
import FunnelDocument
import PrintedText
import SessionMetrics
import Testing

@testable import Reports

/// A funnel as metrics §5 shows it, with more pages, groups and everything that a heading can say.
private func exampleFunnel() -> Funnel {
  func page(_ index: Int, _ title: String?, _ sessions: Int, _ departures: Departures, _ dwell: DwellSummary)
    -> PageCounts
  {
    PageCounts(
      index: index, title: title, impressions: departures.total, sessions: sessions, strictSessions: sessions - index,
      completedSessions: min(sessions, departures.next + departures.finished), taps: 25, tappedSessions: 24,
      departures: departures, dwell: dwell)
  }
  let total = FunnelCounts(
    presentations: 412, fallbacks: 12, sessions: 400, finishedSessions: 160, reachedLastSessions: 210,
    tappedSessions: 40,
    pages: [
      page(
        0, "Welcome", 400,
        Departures(next: 300, nextAuto: 180, nextTap: 120, back: 20, tappedOut: 10, exited: 95, unknown: 5),
        DwellSummary(count: 320, medianMilliseconds: 3_012.5, ninetiethPercentileMilliseconds: 5_001)),
      page(
        1, "春のセール 🌸 mit Überlänge und noch mehr", 298, Departures(next: 212, back: 8, exited: 88, unknown: 2),
        DwellSummary(count: 250, medianMilliseconds: 850, ninetiethPercentileMilliseconds: 61_000)),
      page(2, nil, 210, Departures(looped: 4, finished: 160, tappedOut: 30, exited: 20), DwellSummary()),
    ],
    completeness: Completeness(
      expectedEvents: 2_100, missingEvents: 9, sessionsWithoutStart: 1, orphanTaps: 2, negativeDwells: 1,
      suspectClockSessions: 3, droppedByDevices: 4, rejectedEvents: ["invalid_text": 2, "invalid_seq": 1]))
  func group(_ name: String, _ sessions: Int) -> FunnelGroup {
    FunnelGroup(
      name: name,
      counts: FunnelCounts(
        presentations: sessions, sessions: sessions, finishedSessions: sessions / 3, reachedLastSessions: sessions / 2,
        pages: [
          PageCounts(index: 0, impressions: sessions, sessions: sessions, departures: Departures(exited: sessions))
        ]))
  }
  return Funnel(
    report: FunnelReport(
      generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
      scope: FunnelScope(
        apps: ["shop"], story: "spring-sale", from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
        timeZone: "Europe/Berlin"),
      total: total, groups: [group("4.2.0", 300), group("(none)", 112), group("", 3)]),
    groupedBy: "app_version", coversAllApps: false,
    environments: [CountedName(name: "production", sessions: 360), CountedName(name: "simulator", sessions: 40)],
    stories: [StoryCount(app: "shop", story: "spring-sale", sessions: 400)],
    observed: ObservedRange(first: "2026-11-01T00:00:07+01:00", last: "2026-11-30T23:11:00+01:00"))
}

/// The same with texts that attack whatever shows them.
private func hostileFunnel() -> Funnel {
  var funnel = exampleFunnel()
  let text =
    "=cmd|'/c calc'!A1 \u{1B}[2J\u{7}\u{202E}esrever\r\n|<img src=x>@team `x` \u{9B}31m\u{0} \"q\", https://e.vil"
  funnel.report.scope.story = text
  funnel.report.scope.apps = [text, "@b"]
  for page in funnel.report.total.pages.indices { funnel.report.total.pages[page].title = text }
  funnel.report.groups = funnel.report.groups.map { groups in
    groups.map { FunnelGroup(name: "\t" + text, counts: $0.counts) }
  }
  funnel.environments = [CountedName(name: text, sessions: 1), CountedName(name: "-b", sessions: 1)]
  return funnel
}

/// The same with all that can be asked for: conditions, devices, the largest groups and the rest.
private func fullFunnel() -> Funnel {
  var funnel = exampleFunnel()
  funnel.report.scope.filters = ["locale=de_DE|de_AT", "device_model!=iPhone17,1"]
  funnel.report.devices = DeviceCounts(distinct: 351, presentationsWithDevice: 380)
  funnel.report.groups = funnel.report.groups.map { groups in
    groups.enumerated().map { place, group in
      FunnelGroup(
        name: place == 0 ? "(other)" : place == 2 ? FunnelGroup.otherName : group.name, counts: group.counts,
        devices: DeviceCounts(distinct: 100 + place, presentationsWithDevice: group.counts.presentations),
        mergedGroups: place == 2 ? 37 : nil)
    }
  }
  return funnel
}

private func emptyFunnel() -> Funnel {
  Funnel(
    report: FunnelReport(
      generatedAt: "2026-12-01T03:00:00Z", scope: FunnelScope(apps: ["shop"], from: "2026-11-01T00:00:00Z"),
      total: FunnelCounts()),
    explanation: "No story was shown here; widen --from, --to, --story or --app to see what there is.")
}

@Suite struct `The formats of a funnel` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("funnel-80.txt", { FunnelFormat.table.render(exampleFunnel()) }),
    ("funnel-120.txt", { FunnelFormat.table.render(exampleFunnel(), style: TextStyle(columns: 120)) }),
    (
      "funnel-color.txt", { FunnelFormat.table.render(exampleFunnel(), style: TextStyle(columns: 90, usesColor: true)) }
    ),
    ("funnel.json", { FunnelFormat.json.render(exampleFunnel()) }),
    ("funnel.csv", { FunnelFormat.csv.render(exampleFunnel()) }),
    ("funnel.md", { FunnelFormat.markdown.render(exampleFunnel()) }),
    ("full-80.txt", { FunnelFormat.table.render(fullFunnel()) }),
    ("full-110.txt", { FunnelFormat.table.render(fullFunnel(), style: TextStyle(columns: 110)) }),
    ("full.json", { FunnelFormat.json.render(fullFunnel()) }),
    ("full.csv", { FunnelFormat.csv.render(fullFunnel()) }),
    ("full.md", { FunnelFormat.markdown.render(fullFunnel()) }),
    ("empty-80.txt", { FunnelFormat.table.render(emptyFunnel()) }),
    ("empty.md", { FunnelFormat.markdown.render(emptyFunnel()) }),
    ("empty.csv", { FunnelFormat.csv.render(emptyFunnel()) }),
    ("hostile-80.txt", { FunnelFormat.table.render(hostileFunnel()) }),
    ("hostile.csv", { FunnelFormat.csv.render(hostileFunnel()) }),
    ("hostile.md", { FunnelFormat.markdown.render(hostileFunnel()) }),
  ]

  /// `scripts/update-goldens` writes the files anew, to be read before they are committed.
  @Test(arguments: goldens)
  func `are those of their golden files`(_ golden: (file: String, render: @Sendable () -> String)) throws {
    let url = Fixtures.url("reports/\(golden.file)")
    let text = golden.render()
    if ProcessInfo.processInfo.environment["PAGEFALL_UPDATE_GOLDENS"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    #expect(text == String(decoding: try Data(contentsOf: url), as: UTF8.self), "\(golden.file)")
  }

  @Test(arguments: [20, 64, 80, 81, 99, 120, 160, 500])
  func `fit the terminal`(_ columns: Int) {
    for funnel in [exampleFunnel(), fullFunnel(), hostileFunnel(), emptyFunnel()] {
      for line in FunnelFormat.table.render(funnel, style: TextStyle(columns: columns)).split(separator: "\n") {
        #expect(DisplayWidth.columns(of: String(line)) <= min(160, max(64, columns)), "\(line)")
      }
    }
  }

  @Test func `show what senders sent, and obey none of it`() {
    for format in [FunnelFormat.table, .markdown] {
      let text = format.render(hostileFunnel())
      let commands = text.unicodeScalars.filter { $0 != "\n" && DisplayText.escaped(String($0)) != String($0) }
      #expect(commands.isEmpty, "\(format)")
      #expect(text.contains("u{1B}") || text.contains("u\\{1B\\}"), "\(format)")
    }
    let csv = FunnelFormat.csv.render(hostileFunnel())
    #expect(csv.contains("\"'=cmd|'/c calc'!A1"))
    #expect(csv.contains("\"\\u{9}=cmd"))
    #expect(csv.unicodeScalars.allSatisfy { "\r\n".unicodeScalars.contains($0) || !DisplayText.mustBeEscaped($0) })
    let exact = FunnelFormat.csv.render(hostileFunnel(), isCSVSafe: false)
    #expect(exact.contains("\"=cmd|'/c calc'!A1 \u{1B}[2J") && exact.contains("\"\t=cmd"))
  }

  @Test func `name pages that nobody came to together`() throws {
    let world = try StoredWorld([WorldSession("start/3 0 1"), WorldSession("start/2 0 999")])
    let table = FunnelFormat.table.render(try world.report())
    #expect(table.contains("pages 2 to 998: nobody came here"))
    #expect(table.split(separator: "\n").count < 30)
  }

  @Test func `colour nothing unless they are told to`() {
    #expect(!FunnelFormat.table.render(exampleFunnel(), style: TextStyle(columns: 120)).contains("\u{1B}"))
    let plain = FunnelFormat.table.render(exampleFunnel(), style: TextStyle(columns: 90))
    let colored = FunnelFormat.table.render(exampleFunnel(), style: TextStyle(columns: 90, usesColor: true))
    #expect(colored.replacing(#/\u{1B}\[\d*m/#, with: "") == plain)
  }

  @Test func `read back as the same report`() throws {
    let report = try FunnelReport(text: FunnelFormat.json.render(exampleFunnel()).utf8)
    #expect(report.total == exampleFunnel().report.total)
    #expect(report.groups?.map(\.name) == ["4.2.0", "(none)", ""])
  }

  @Test func `have as many fields in each line of CSV`() {
    let lines = FunnelFormat.csv.render(exampleFunnel()).split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).count
    }
    #expect(lines.count == 1 + 3 + 3)
    #expect(Set(lines).count == 1)
  }
}

@Suite struct `Texts of a table` {
  @Test(arguments: [
    ("abc", 3), ("春", 2), ("🌸", 2), ("👨‍👩‍👧", 2), ("é", 1), ("e\u{301}", 1), ("한글", 4), ("▎", 1), ("❤️", 2), ("", 0),
    ("ｆ", 2),
  ])
  func `are as wide as a terminal draws them`(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test(arguments: [("春のセール", 5, "春の…"), ("春のセール", 10, "春のセール"), ("abcdef", 3, "ab…"), ("abc", 0, ""), ("abc", 1, "…")])
  func `are cut at whole characters`(_ text: String, _ width: Int, _ cut: String) {
    #expect(DisplayWidth.cut(text, to: width) == cut)
  }

  @Test(
    arguments: [
      (0.4, "40.0%"), (0, "0.0%"), (1, "100.0%"), (0.9999, ">99.9%"), (0.0001, "<0.1%"), (1.234, "123.4%"), (nil, "–"),
    ] as [(Double?, String)])
  func `say percentages without rounding to all or nothing`(_ value: Double?, _ text: String) {
    #expect(FigureText.percent(value) == text)
  }

  @Test(
    arguments: [
      (850, "850 ms"), (999.4, "999 ms"), (999.6, "1.0 s"), (59_940, "59.9 s"), (59_990, "1.0 min"),
      (3_600_000, "1.0 h"),
      (0, "0 ms"), (nil, "–"),
    ] as [(Double?, String)])
  func `say lengths in the unit that fits`(_ milliseconds: Double?, _ text: String) {
    #expect(FigureText.length(milliseconds: milliseconds) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "−12,345")])
  func `group digits by thousands`(_ value: Int, _ text: String) { #expect(FigureText.count(value) == text) }

  @Test(arguments: [
    ("2,147,483,647", "2,147M"), ("1,234,567", "1,234k"), ("9,999", "9,999"), ("–", "–"),
    ("9,223,372,036,854,775,807", "9,223P"),
  ])
  func `are cut to what has room`(_ count: String, _ short: String) { #expect(FigureText.short(count) == short) }

  @Test(arguments: [(0.0, ""), (1, "████"), (0.5, "██"), (0.53, "██▏"), (0.001, "▏"), (7, "████")])
  func `draw bars in eighths`(_ share: Double, _ bar: String) { #expect(Bar.text(share, width: 4) == bar) }
}

@Suite struct `A histogram of dwells` {
  @Test func `is exact for few lengths, and within a hundredth for many`() throws {
    var exact = DwellHistogram()
    var values: [Int64] = []
    for number in 0..<(DwellHistogram.mostExactLengths * 2) {
      let value = Int64(number) * 7_919 % 10_000_019
      values.append(value)
      exact.add(value)
      guard number == 5_000 else { continue }
      #expect(exact.summary.medianMilliseconds == Double(values.sorted()[2_500]) / 1_000)
    }
    values.sort()
    let median = try #require(exact.summary.medianMilliseconds)
    let truth = Double(values[(values.count + 1) / 2 - 1]) / 1_000
    #expect(abs(median - truth) / truth < 0.01)
    #expect(exact.count == values.count)
  }

  @Test func `adds up, whichever of two is coarse`() {
    var fine = DwellHistogram()
    var coarse = DwellHistogram()
    var whole = DwellHistogram()
    for value in 0..<Int64(DwellHistogram.mostExactLengths + 10) {
      coarse.add(value * 31)
      whole.add(value * 31)
    }
    for value in 0..<Int64(100) {
      fine.add(value * 977)
      whole.add(value * 977)
    }
    var left = fine
    left.add(coarse)
    var right = coarse
    right.add(fine)
    #expect(left.summary == whole.summary && right.summary == whole.summary)
  }
}
