import Foundation
import FunnelDocument
import PrintedText
import TestSupport
import Testing

@testable import Reports

private func exampleStories(days: Int = 30) -> StoriesReport {
  func line(_ app: String?, _ story: String?, _ sessions: Int, _ seen: (String, String), devices: Int) -> StoryLine {
    var byDay = (0..<days).map { day in sessions * (1 + (day * 7) % 5) / (3 * days) }
    if days > 0 { byDay[days - 1] += sessions - byDay.reduce(0, +) }
    return StoryLine(
      app: app, story: story,
      counts: FunnelCounts(
        presentations: sessions + 12, fallbacks: 12, sessions: sessions, finishedSessions: sessions * 2 / 5,
        reachedLastSessions: sessions / 2, tappedSessions: sessions / 10,
        completeness: Completeness(expectedEvents: sessions * 5, missingEvents: sessions > 100 ? 9 : 0)),
      pageCount: sessions > 100 ? 5 : 3, firstSeen: seen.0, lastSeen: seen.1, sessionsByDay: byDay,
      devices: DeviceCounts(distinct: devices, presentationsWithDevice: devices + 3))
  }
  return StoriesReport(
    generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
    scope: FunnelScope(
      apps: ["news", "shop"], from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
      timeZone: "Europe/Berlin", filters: ["locale=de_DE|de_AT"]),
    coversAllApps: true,
    stories: [
      line("shop", "spring-sale", 12_400, ("2026-11-01T00:00:07+01:00", "2026-11-30T23:11:00+01:00"), devices: 9_000),
      line(
        "news", "春のセール 🌸 mit Überlänge und noch mehr", 310, ("2026-11-03T10:00:00+01:00", "2026-11-29T08:00:00+01:00"),
        devices: 280),
      line("shop", nil, 40, ("2026-11-20T10:00:00+01:00", "2026-11-20T11:00:00+01:00"), devices: 0),
      line("shop", "", 0, ("2026-11-20T10:00:00+01:00", "2026-11-20T11:00:00+01:00"), devices: 2),
    ],
    total: line(nil, nil, 12_750, ("2026-11-01T00:00:07+01:00", "2026-11-30T23:11:00+01:00"), devices: 9_200),
    days: (1...max(1, days)).prefix(days).map { "2026-11-\($0 < 10 ? "0" : "")\($0)" })
}

private func withoutDevices(_ report: StoriesReport) -> StoriesReport {
  var report = report
  report.total.devices = nil
  for place in report.stories.indices { report.stories[place].devices = nil }
  return report
}

private func hostileStories() -> StoriesReport {
  var report = exampleStories()
  let text = "=cmd|'/c calc'!A1 \u{1B}[2J\u{7}\u{202E}esrever\r\n|<img src=x>@team `x` \u{0} \"q\", https://e.vil"
  report.scope.apps = [text]
  report.scope.filters = [text]
  for place in report.stories.indices {
    report.stories[place].app = "@" + text
    report.stories[place].story = text
  }
  return report
}

private func emptyStories() -> StoriesReport {
  var report = withoutDevices(exampleStories(days: 0))
  report.stories = []
  report.total = StoryLine(counts: FunnelCounts(), pageCount: 0, firstSeen: "", lastSeen: "", sessionsByDay: [])
  report.explanation = "No story was shown here; widen --from, --to, --story or --app to see what there is."
  return report
}

@Suite struct `The formats of stories` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("stories-64.txt", { FunnelFormat.table.render(withoutDevices(exampleStories()), style: TextStyle(columns: 64)) }),
    ("stories-80.txt", { FunnelFormat.table.render(withoutDevices(exampleStories())) }),
    ("stories-160.txt", { FunnelFormat.table.render(exampleStories(), style: TextStyle(columns: 160)) }),
    (
      "stories-color.txt",
      { FunnelFormat.table.render(exampleStories(), style: TextStyle(columns: 120, usesColor: true)) }
    ),
    ("stories.json", { FunnelFormat.json.render(exampleStories()) }),
    ("stories.csv", { FunnelFormat.csv.render(exampleStories()) }),
    ("stories.md", { FunnelFormat.markdown.render(exampleStories()) }),
    ("stories-empty-80.txt", { FunnelFormat.table.render(emptyStories()) }),
    ("stories-empty.json", { FunnelFormat.json.render(emptyStories()) }),
    ("stories-empty.csv", { FunnelFormat.csv.render(emptyStories()) }),
    ("stories-empty.md", { FunnelFormat.markdown.render(emptyStories()) }),
    ("stories-hostile-80.txt", { FunnelFormat.table.render(hostileStories()) }),
    ("stories-hostile.csv", { FunnelFormat.csv.render(hostileStories()) }),
    ("stories-hostile.md", { FunnelFormat.markdown.render(hostileStories()) }),
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

  @Test(arguments: [20, 64, 70, 79, 80, 81, 99, 120, 160, 200, 500])
  func `fit the terminal`(_ columns: Int) {
    for report in [exampleStories(), withoutDevices(exampleStories(days: 9)), hostileStories(), emptyStories()] {
      for line in FunnelFormat.table.render(report, style: TextStyle(columns: columns)).split(separator: "\n") {
        #expect(DisplayWidth.columns(of: String(line)) <= min(200, max(64, columns)), "\(line)")
      }
    }
  }

  @Test func `drop columns in their order where it is narrow`() {
    var seen: [String] = []
    for columns in 64...200 {
      let report = withoutDevices(exampleStories())
      let header =
        FunnelFormat.table.render(report, style: TextStyle(columns: columns)).split(separator: "\n")
        .first { $0.hasPrefix("story") } ?? ""
      for name in ["fell back", "last seen", "pages", "presented", "95%", "first seen"]
      where header.contains(name) && !seen.contains(name) { seen.append(name) }
      for name in ["sessions", "finished", "last page", "tapped"] { #expect(header.contains(name)) }
    }
    #expect(seen == ["fell back", "last seen", "pages", "presented", "95%", "first seen"])
  }

  @Test func `show what senders sent, and obey none of it`() {
    for format in [FunnelFormat.table, .markdown] {
      let text = format.render(hostileStories())
      #expect(
        text.unicodeScalars.allSatisfy { $0 == "\n" || DisplayText.escaped(String($0)) == String($0) }, "\(format)")
    }
    let csv = FunnelFormat.csv.render(hostileStories())
    #expect(csv.contains("\"'=cmd|'/c calc'!A1") && csv.contains("\"'@=cmd"))
    let exact = FunnelFormat.csv.render(hostileStories(), isCSVSafe: false)
    #expect(exact.contains("\"=cmd|'/c calc'!A1") && exact.contains("\"@=cmd"))
    #expect(csv.unicodeScalars.allSatisfy { "\r\n".unicodeScalars.contains($0) || !DisplayText.mustBeEscaped($0) })
  }

  @Test func `have as many fields in each line of CSV`() {
    let lines = FunnelFormat.csv.render(exampleStories()).split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).count
    }
    #expect(lines.count == 1 + 1 + 4 && Set(lines).count == 1)
  }
}

@Suite struct `A sparkline` {
  @Test(arguments: [
    ([0, 1, 2, 4], 10, " ▂▄█"), ([4, 4, 0, 0, 2, 2], 3, "█ ▄"), ([1, 1, 1, 1, 1], 3, "███"), ([0, 0], 5, "  "),
    ([], 5, ""),
    ([8, 0, 8], 2, "▄█"), ([5], 1, "█"),
  ])
  func `is as high as its highest, and gathers days that do not fit`(_ counts: [Int], _ columns: Int, _ text: String) {
    #expect(Sparkline(days: counts.count, atMost: columns).text(counts) == text)
  }
}

@Suite struct `Counts by day` {
  @Test func `are those of a dictionary, in any order, as far back as the window`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for spread in [3, 100, 1_500, 4_000] as [Int64] {
      var counter = DayCounter()
      var counts: [Int64: Int] = [:]
      let base = Int64.random(in: -700_000...700_000, using: &random)
      for _ in 0..<400 {
        let day = base + Int64.random(in: 0...spread, using: &random)
        counter.count(day)
        counts[day, default: 0] += 1
      }
      let last = counts.keys.max() ?? 0
      let window = (last - DayCounter.mostDays + 1)...last
      #expect(counter.counts(of: window) == window.map { counts[$0] ?? 0 }, "seed \(seed)")
      #expect(counter.days?.upperBound == last && counter.days?.lowerBound == counts.keys.filter(window.contains).min())
    }
  }
}
