import Foundation
import FunnelDocument
import PrintedText
import Testing

@testable import Reports

/// A report with something of everything.
private func exampleReport() -> QualityReport {
  func faults(_ sessions: Int, _ expected: Int, _ missing: Int, _ others: Int = 0) -> SessionFaults {
    var faults = SessionFaults()
    faults.sessions = sessions
    faults.expectedEvents = expected
    faults.missingEvents = missing
    faults.sessionsWithMissingEvents = min(sessions, missing)
    faults.sessionsWithoutStart = others
    faults.orphanTaps = others
    faults.negativeDwells = others / 2
    faults.suspectClockSessions = others / 4
    faults.offsetClockSessions = others
    return faults
  }
  func delay(_ sessions: Int, _ factor: Double) -> ArrivalDelay {
    ArrivalDelay(
      sessions: sessions, startsAfterArrival: 2, medianSeconds: 1.2 * factor, ninetiethPercentileSeconds: 95 * factor,
      ninetyNinthPercentileSeconds: 51_234 * factor)
  }
  func name(_ app: String, _ version: String?) -> VersionName { VersionName(app: app, version: version) }
  let parts = [faults(900, 9_000, 18), faults(100, 1_000, 61, 12), faults(234, 2_000, 0, 4)]
  let total = parts.reduce(into: SessionFaults()) { $0 += $1 }
  var numbers = FateNumbers()
  numbers.stored = 11_921
  numbers.duplicates = 300
  numbers.conflictingDuplicates = 20
  numbers.refusedByDatabase = 1
  var news = FateNumbers()
  news.stored = 10
  var all = numbers
  all += news
  var report = QualityReport(
    generatedAt: "2026-11-30T03:00:00Z", dataThrough: "2026-11-30T02:59:58.113Z",
    scope: FunnelScope(
      apps: ["shop", "news"], story: "spring-sale", from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
      timeZone: "Europe/Berlin", filters: ["locale=de_DE"]),
    coversAllApps: false,
    observed: ObservedRange(first: "2026-11-01T00:00:07+01:00", last: "2026-11-30T03:11:00+01:00"), verdict: [],
    presentations: 1_300, total: total,
    versions: [
      VersionQuality(name: name("shop", "4.2.0"), faults: parts[0]),
      VersionQuality(name: name("news", "4.0.0"), faults: parts[1]), VersionQuality(name: nil, faults: parts[2]),
    ],
    days: [
      DayQuality(day: "2026-11-27", faults: parts[2], delay: delay(233, 0.5)),
      DayQuality(day: "2026-11-28", faults: parts[0], delay: delay(900, 1)),
      DayQuality(day: "2026-11-29", faults: parts[1], delay: delay(97, 4)),
    ],
    cells: [
      CellQuality(place: CellPlace(name: name("news", "4.0.0"), day: "2026-11-29"), faults: parts[1]),
      CellQuality(place: CellPlace(name: name("shop", "4.2.0"), day: "2026-11-28"), faults: parts[0]),
      CellQuality(place: nil, faults: parts[2]),
    ],
    clocks: ClockOffsets(
      sessions: 16, medianSeconds: 3_600, ninetiethPercentileSeconds: 90_000, furthestAheadSeconds: 31_536_000,
      furthestBehindSeconds: 420),
    delay: delay(1_230, 1),
    yesterday: YesterdayEstimate(
      day: "2026-11-29", sessionsSoFar: 100, secondsSinceItsEnd: 14_400,
      earlierDays: (0..<14).map { ArrivedShare(day: "2026-11-\(26 - $0)", arrived: 99, sessions: 100) }, share: 0.97,
      lowestShare: 0.95,
      highestShare: 0.999),
    fates: ReceivedFates(
      firstDay: "2026-11-01", lastDay: "2026-11-30", total: all,
      apps: [AppFates(app: "news", numbers: news), AppFates(app: "shop", numbers: numbers)]),
    rejected: [
      RejectedReason(app: "shop", code: "invalid_seq", events: 120, times: 4_000),
      RejectedReason(app: "news", code: "text_too_long", events: 1, times: 1),
    ],
    removedRejections: 7,
    fallbacks: [
      FallbackReason(reason: "missing_block", presentations: 50), FallbackReason(reason: nil, presentations: 16),
    ],
    dropped: [DroppedEvents(app: "shop", events: 44)])
  report.verdict = QualityVerdict(report, nowMicroseconds: 0, endMicroseconds: nil, 0).findings
  return report
}

/// The same with texts that attack whatever shows them.
private func hostileReport() -> QualityReport {
  let text =
    "=cmd|'/c calc'!A1 \u{1B}[2J\u{7}\u{202E}esrever\r\n|<img src=x>@team `x` \u{9B}31m\u{0} \"q\", https://e.vil"
  var report = exampleReport()
  report.scope.story = text
  report.scope.apps = [text, "$(reboot)"]
  report.scope.filters = ["locale=\(text)"]
  for place in report.versions.indices where report.versions[place].name != nil {
    report.versions[place].name = VersionName(app: text, version: "\t\(place)" + text)
  }
  for place in report.cells.indices where report.cells[place].place != nil {
    report.cells[place].place?.name = VersionName(app: text, version: text)
  }
  report.fates.apps = report.fates.apps.map { AppFates(app: text, numbers: $0.numbers) }
  report.rejected = report.rejected.map {
    RejectedReason(app: text, code: text, events: $0.events, times: $0.times)
  }
  report.fallbacks[0].reason = text
  report.days[2].day = nil
  report.cells[1].place = CellPlace(name: VersionName(app: text, version: nil), day: nil)
  report.dropped[0].app = text
  report.verdict = QualityVerdict(report, nowMicroseconds: 0, endMicroseconds: nil, 0).findings
  return report
}

private func emptyReport() -> QualityReport {
  QualityReport(
    generatedAt: "2026-12-01T03:00:00Z", scope: FunnelScope(apps: ["shop"], from: "2026-11-01T00:00:00Z"),
    coversAllApps: true, verdict: [], presentations: 0, total: SessionFaults(), versions: [], days: [], cells: [],
    clocks: ClockOffsets(), delay: ArrivalDelay(), fates: ReceivedFates(), rejected: [], removedRejections: 0,
    fallbacks: [], dropped: [], explanation: "No story was shown here; widen --from to see what there is.")
}

@Suite struct `The formats of a quality report` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("quality-80.txt", { QualityFormat.table.render(exampleReport()) }),
    (
      "quality-color.txt",
      { QualityFormat.table.render(exampleReport(), style: TextStyle(columns: 100, usesColor: true)) }
    ),
    ("quality.json", { QualityFormat.json.render(exampleReport()) }),
    ("quality.csv", { QualityFormat.csv.render(exampleReport()) }),
    ("quality-empty.txt", { QualityFormat.table.render(emptyReport()) }),
    ("quality-empty.json", { QualityFormat.json.render(emptyReport()) }),
    ("quality-hostile.txt", { QualityFormat.table.render(hostileReport()) }),
    ("quality-hostile.csv", { QualityFormat.csv.render(hostileReport()) }),
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

  @Test(arguments: [20, 80, 81, 100, 120, 500])
  func `fit the terminal`(_ columns: Int) {
    for report in [exampleReport(), hostileReport(), emptyReport()] {
      for line in QualityFormat.table.render(report, style: TextStyle(columns: columns)).split(separator: "\n") {
        // A command is not cut, whatever an app is called.
        if line.contains("--app '=cmd") || line.contains("--code '=cmd") { continue }
        #expect(DisplayWidth.columns(of: String(line)) <= min(120, max(80, columns)), "\(line)")
      }
    }
  }

  @Test func `show what senders sent, and obey none of it`() throws {
    let text = QualityFormat.table.render(hostileReport())
    let commands = text.unicodeScalars.filter { $0 != "\n" && DisplayText.escaped(String($0)) != String($0) }
    #expect(commands.isEmpty && text.contains("u{1B}"))
    // Nothing that is pasted runs what an app's name says.
    #expect(text.contains("--app '$(reboot)'"))
    let csv = QualityFormat.csv.render(hostileReport())
    #expect(csv.contains("\"'=cmd|'/c calc'!A1") && csv.contains("\"\\u{9}0=cmd"))
    #expect(csv.unicodeScalars.allSatisfy { "\r\n".unicodeScalars.contains($0) || !DisplayText.mustBeEscaped($0) })
    let exact = QualityFormat.csv.render(hostileReport(), isCSVSafe: false)
    #expect(exact.contains("\"=cmd|'/c calc'!A1 \u{1B}[2J") && exact.contains("\"\t0=cmd"))
    let json = try JSONValue(text: QualityFormat.json.render(hostileReport()))
    #expect(json["scope"]?["story"]?.stringValue == hostileReport().scope.story)
  }

  @Test func `colour nothing unless they are told to`() {
    let plain = QualityFormat.table.render(exampleReport())
    let colored = QualityFormat.table.render(exampleReport(), style: TextStyle(usesColor: true))
    #expect(!plain.contains("\u{1B}") && colored.replacing(#/\u{1B}\[\d*m/#, with: "") == plain)
  }

  @Test func `have lines that add up to the total, and as many fields in each`() throws {
    let lines = QualityFormat.csv.render(exampleReport()).split(separator: "\r\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    #expect(Set(lines.map(\.count)).count == 1)
    for part in ["app_version", "day", "app_version_day"] {
      for column in 4..<14 {
        let sum = lines.filter { $0[0] == part }.compactMap { Int($0[column]) }.reduce(0, +)
        #expect(sum == Int(lines[1][column]), "\(part) \(lines[0][column])")
      }
    }
  }
}

@Suite struct `A verdict on quality` {
  @Test func `has codes that its document explains`() throws {
    let url = Fixtures.url("../../docs/quality.md")
    let document = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    for code in QualityCode.allCases { #expect(document.contains("`\(code.rawValue)`"), "\(code)") }
  }

  private func report(_ versions: [(String, sessions: Int, expected: Int, missing: Int)]) -> QualityReport {
    var report = emptyReport()
    report.explanation = nil
    for (version, sessions, expected, missing) in versions {
      var faults = SessionFaults()
      faults.sessions = sessions
      faults.expectedEvents = expected
      faults.missingEvents = missing
      report.versions.append(VersionQuality(name: VersionName(app: "shop", version: version), faults: faults))
      report.total += faults
    }
    return report
  }

  private func findings(_ report: QualityReport) -> [QualityFinding] {
    QualityVerdict(report, nowMicroseconds: 0, endMicroseconds: nil, nil).findings
  }

  @Test func `names the version that loses events, and tells it from the others`() {
    let found = findings(report([("4.0.0", 100, 1_000, 61), ("4.1.0", 500, 5_000, 10), ("4.2.0", 500, 5_000, 10)]))
    #expect(found.map(\.code) == [.missingEventsOfVersion])
    #expect(found[0].severity == .serious)
    #expect(found[0].sentence == "4.0.0 loses 6.1% of its events (61 of 1,000); all others 0.2%.")
    #expect(found[0].command == ["--where 'app_version!=4.0.0'"])
  }

  @Test func `does not let two bad versions hide each other, nor one the whole`() {
    let two = findings(report([("1", 100, 1_000, 80), ("2", 100, 1_000, 40), ("3", 900, 9_000, 9)]))
    #expect(two.map(\.code) == [.missingEventsOfVersion, .missingEventsOfVersion])
    #expect(two.allSatisfy { $0.sentence.hasSuffix("all others 0.1%.") })
    let all = findings(report([("1", 100, 1_000, 80), ("2", 100, 1_000, 70)]))
    #expect(all.map(\.code) == [.missingEvents] && all[0].sentence.hasPrefix("7.5% of the events (150 of 2,000) never"))
    #expect(findings(report([("1", 10, 100, 20), ("2", 9_000, 90_000, 90)])).isEmpty)
    #expect(findings(report([("1", 100, 1_000, 9), ("2", 100, 1_000, 0)])).isEmpty)
    #expect(findings(report([])).isEmpty)
  }

  @Test func `does not blame a day for what a version lost on it`() {
    func faults(_ missing: Int) -> SessionFaults {
      var faults = SessionFaults()
      faults.sessions = 100
      faults.expectedEvents = 1_000
      faults.missingEvents = missing
      return faults
    }
    var report = report([("1", 100, 1_000, 80), ("2", 900, 9_000, 9)])
    report.days = (1...10).map {
      DayQuality(day: "2026-11-0\($0)", faults: faults($0 == 1 ? 80 : 1), delay: ArrivalDelay())
    }
    #expect(findings(report).map(\.code) == [.missingEventsOfVersion, .missingEventsOfDay])
    report.cells = [
      CellQuality(place: CellPlace(name: report.versions[0].name, day: "2026-11-01"), faults: report.versions[0].faults)
    ]
    #expect(findings(report).map(\.code) == [.missingEventsOfVersion])
  }

  @Test func `puts what is serious first, and by how much it touches`() {
    var report = report([("1", 1_000, 10_000, 0)])
    report.total.singleEventSessions = 950
    report.versions[0].faults.singleEventSessions = 950
    report.total.sessionsWithoutStart = 20
    report.total.suspectClockSessions = 150
    report.fates.total.stored = 9_000
    report.fates.total.refusedByDatabase = 1_000
    report.rejected = [
      RejectedReason(app: "a b", code: "invalid_seq", events: 50, times: 60),
      RejectedReason(app: "a b", code: "refused_by_database", events: 1_000, times: 1_000),
    ]
    let found = findings(report)
    #expect(
      found.map(\.code) == [.noSequence, .suspectClocks, .refusedByDatabase, .sessionsWithoutStart, .rejectedEvents])
    #expect(found.map(\.severity) == [.serious, .serious, .serious, .notable, .notable])
    #expect(found[4].sentence.hasPrefix("0.5% of the events that came (50 of 10,050) were rejected"))
    #expect(
      found[4].command == [
        "pagefall rejected list", "--app 'a b'", "--code invalid_seq", "--from 2026-11-01T00:00:00Z",
      ])
  }
}
