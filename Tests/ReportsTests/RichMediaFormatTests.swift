import Foundation
import FunnelDocument
import PrintedText
import TestSupport
import Testing

@testable import Reports

private func counts(
  _ presentations: Int, deferred: Int = 0, failed: Int = 0, open: Int = 0, waiting: Int = 0, byTimer: Int? = nil,
  wait: Double? = nil, length: Double? = 4_200
) -> RichMediaCounts {
  var counts = RichMediaCounts()
  counts.presentations = presentations
  counts.deferred = deferred
  counts.failed = failed
  counts.openOrLost = open
  counts.waitingOrLost = waiting
  counts.closed = presentations - failed - open - waiting
  counts.shown = counts.closed + open
  if let byTimer {
    counts.closedByTimer = byTimer
    counts.closedBeforeTimer = counts.closed - byTimer
  }
  if let wait {
    counts.wait = DwellSummary(
      count: deferred - waiting, medianMilliseconds: wait, ninetiethPercentileMilliseconds: wait * 3)
  }
  if let length {
    counts.open = DwellSummary(
      count: counts.closed, medianMilliseconds: length, ninetiethPercentileMilliseconds: length * 2.5)
  }
  counts.expectedEvents = 2 * presentations + deferred
  counts.missingEvents = open
  return counts
}

private func example(apps: Bool = false) -> RichMedia {
  let lines = [
    RichMediaLine(
      app: "shop", contentCode: "r-1A2B3-4C5D6",
      counts: counts(1_240, deferred: 310, failed: 12, open: 31, waiting: 5, byTimer: 702, wait: 3_400)),
    RichMediaLine(
      app: apps ? "news" : "shop", contentCode: "9F8E7-6D5C4", counts: counts(96, deferred: 4, failed: 48, wait: 850)),
    RichMediaLine(app: "shop", contentCode: "春のセール-🌸-mit-Überlänge-und-noch-mehr", counts: counts(7, length: 64_000)),
    RichMediaLine(app: "shop", contentCode: "", counts: counts(1, open: 1, length: nil)),
  ]
  var total = lines.map(\.counts).reduce(RichMediaCounts(), +)
  total.wait = DwellSummary(count: 309, medianMilliseconds: 3_350, ninetiethPercentileMilliseconds: 10_100)
  total.open = DwellSummary(
    count: total.closed, medianMilliseconds: 4_200, ninetiethPercentileMilliseconds: 10_500)
  let report = RichMediaReport(
    generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
    scope: FunnelScope(
      apps: apps ? ["news", "shop"] : ["shop"], from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
      timeZone: "Europe/Berlin", filters: ["environment=production"]),
    total: total, contents: lines,
    losses: SurfaceLosses(
      suspectClockSessions: 2, droppedByDevices: 14, rejectedEvents: ["missing_field": 3, "invalid_seq": 1]))
  return RichMedia(
    report: report, coversAllApps: true,
    observed: ObservedRange(first: "2026-11-01T00:00:07+01:00", last: "2026-11-30T23:11:00+01:00"))
}

/// The same as two groups, of which the second are others.
private func grouped() -> RichMedia {
  var richMedia = example(apps: true)
  let lines = richMedia.report.contents
  richMedia.groupedBy = "property:position"
  richMedia.report.groups = [
    RichMediaGroup(
      name: "bottom", counts: lines[0].counts + lines[1].counts, contents: [lines[0], lines[1]]),
    RichMediaGroup(
      name: "(other)", mergedGroups: 3, counts: lines[2].counts + lines[3].counts, contents: [lines[2]],
      hiddenContents: 1),
  ]
  richMedia.report.hiddenContents = 1
  richMedia.report.contents.removeLast()
  return richMedia
}

private func hostile() -> RichMedia {
  var richMedia = grouped()
  let text = "=cmd|'/c calc'!A1 \u{1B}[2J\u{7}\u{202E}esrever\r\n|<img src=x>@team `x` \u{0} \"q\", https://e.vil"
  richMedia.groupedBy = "property:" + text
  richMedia.report.scope.apps = [text]
  richMedia.report.scope.filters = [text]
  richMedia.report.losses.rejectedEvents = [text: 1]
  for place in richMedia.report.contents.indices {
    richMedia.report.contents[place].app = "@" + text
    richMedia.report.contents[place].contentCode = text
  }
  richMedia.report.groups?[0].name = text
  richMedia.report.groups?[0].contents[0].contentCode = text
  return richMedia
}

private func empty() -> RichMedia {
  var richMedia = example()
  richMedia.report.contents = []
  richMedia.report.total = RichMediaCounts()
  richMedia.observed = nil
  richMedia.explanation = "No rich media was presented here; widen --from, --to, --app or --where to see what there is."
  return richMedia
}

/// As large as numbers get.
private func huge() -> RichMedia {
  var richMedia = example(apps: true)
  for place in richMedia.report.contents.indices {
    richMedia.report.contents[place].counts = counts(
      .max / 8, deferred: .max / 9, failed: .max / 16, open: .max / 32, waiting: .max / 64, byTimer: .max / 512,
      wait: 9e15, length: 9e15)
  }
  richMedia.report.total = richMedia.report.contents[0].counts
  return richMedia
}

@Suite struct `The formats of rich media` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("rich-media-64.txt", { FunnelFormat.table.render(example(), style: TextStyle(columns: 64)) }),
    ("rich-media-80.txt", { FunnelFormat.table.render(example()) }),
    ("rich-media-160.txt", { FunnelFormat.table.render(example(apps: true), style: TextStyle(columns: 160)) }),
    (
      "rich-media-color.txt",
      { FunnelFormat.table.render(grouped(), style: TextStyle(columns: 120, usesColor: true)) }
    ),
    ("rich-media-groups-80.txt", { FunnelFormat.table.render(grouped()) }),
    ("rich-media.json", { FunnelFormat.json.render(grouped()) }),
    ("rich-media.csv", { FunnelFormat.csv.render(grouped()) }),
    ("rich-media.md", { FunnelFormat.markdown.render(grouped()) }),
    ("rich-media-empty-80.txt", { FunnelFormat.table.render(empty()) }),
    ("rich-media-empty.json", { FunnelFormat.json.render(empty()) }),
    ("rich-media-empty.csv", { FunnelFormat.csv.render(empty()) }),
    ("rich-media-empty.md", { FunnelFormat.markdown.render(empty()) }),
    ("rich-media-hostile-80.txt", { FunnelFormat.table.render(hostile()) }),
    ("rich-media-hostile.csv", { FunnelFormat.csv.render(hostile()) }),
    ("rich-media-hostile.md", { FunnelFormat.markdown.render(hostile()) }),
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

  @Test(arguments: [20, 64, 65, 70, 79, 80, 81, 99, 100, 101, 120, 160, 200, 500])
  func `fit the terminal`(_ columns: Int) {
    for richMedia in [example(), example(apps: true), grouped(), hostile(), empty(), huge()] {
      for line in FunnelFormat.table.render(richMedia, style: TextStyle(columns: columns)).split(separator: "\n") {
        #expect(DisplayWidth.columns(of: String(line)) <= min(200, max(64, columns)), "\(line)")
      }
    }
  }

  @Test func `show at 80 columns what was asked for, and every code whole`() {
    let text = FunnelFormat.table.render(example(apps: true))
    let header = text.split(separator: "\n").first { $0.hasPrefix("content code") } ?? ""
    #expect(
      header.split(separator: " ").dropFirst(2)
        == ["total", "deferred", "failed", "closed", "timer", "open?", "waiting?", "wait", "open"])
    for name in ["shop: r-1A2B3-4C5D6", "news: 9F8E7-6D5C4", "shop: 春のセール-🌸-mit-Überlänge-und-noch-mehr"] {
      #expect(text.contains(name))
    }
  }

  @Test func `show what senders sent, and obey none of it`() {
    for format in [FunnelFormat.table, .markdown] {
      let text = format.render(hostile())
      #expect(
        text.unicodeScalars.allSatisfy { $0 == "\n" || DisplayText.escaped(String($0)) == String($0) }, "\(format)")
    }
    let csv = FunnelFormat.csv.render(hostile())
    #expect(csv.contains("\"'=cmd|'/c calc'!A1") && csv.contains("\"'@=cmd"))
    let exact = FunnelFormat.csv.render(hostile(), isCSVSafe: false)
    #expect(exact.contains("\"=cmd|'/c calc'!A1") && exact.contains("\"@=cmd"))
    #expect(csv.unicodeScalars.allSatisfy { "\r\n".unicodeScalars.contains($0) || !DisplayText.mustBeEscaped($0) })
    let json = FunnelFormat.json.render(hostile())
    #expect(json.unicodeScalars.allSatisfy { $0 == "\n" || !DisplayText.mustBeEscaped($0) })
  }

  @Test func `have as many fields in each line of CSV, and read back from JSON`() throws {
    let lines = FunnelFormat.csv.render(grouped()).split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).count
    }
    #expect(lines.count == 1 + 4 + 3 + 2 && Set(lines).count == 1)
    let read = try RichMediaReport(text: FunnelFormat.json.render(grouped()).utf8)
    #expect(read.additionalMembers == [JSONMember("grouped_by", .string("property:position"))])
    var report = grouped().report
    report.additionalMembers = read.additionalMembers
    #expect(read == report)
  }
}

@Suite struct `A report of rich media` {
  static let damages: [(String, @Sendable (inout RichMediaReport) -> Void)] = [
    ("presentations, but", { $0.total.failed += 1 }), ("add up", { $0.contents.removeLast() }),
    ("content r-1A2B3-4C5D6", { $0.contents[0].counts.closed -= 1 }),
    ("one half", { $0.contents[1].counts.closedByTimer = 1 }),
    (
      "nothing in it",
      {
        $0.contents[1].counts.closedByTimer = 0
        $0.contents[1].counts.closedBeforeTimer = 0
      }
    ),
    ("deferred", { $0.contents[2].counts.deferred = 8 }), ("shown", { $0.contents[2].counts.shown = 8 }),
    ("lengths of waits", { $0.contents[2].counts.wait.count = 1 }),
    ("lengths of time open", { $0.contents[2].counts.open.count = 8 }),
    ("missing events", { $0.contents[2].counts.missingEvents = 99 }),
    ("groups do not add up", { $0.groups = [] }),
    (
      "group a: content codes do not add up",
      { report in report.groups = [RichMediaGroup(name: "a", counts: report.total, contents: [])] }
    ),
  ]

  @Test(arguments: damages)
  func `notices what cannot be`(_ damage: (words: String, make: @Sendable (inout RichMediaReport) -> Void)) {
    var report = example().report
    #expect(report.conservationFaults() == [])
    damage.make(&report)
    #expect(report.conservationFaults().contains { $0.contains(damage.words) }, "\(report.conservationFaults())")
  }
}
