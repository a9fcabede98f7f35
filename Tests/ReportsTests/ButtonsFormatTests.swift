import Foundation
import FunnelDocument
import PrintedText
import TestSupport
import Testing

@testable import Reports

private func counts(_ buttons: Int, _ opens: Int, _ dismissals: Int, missing: Int = 0) -> ResponseCounts {
  var counts = ResponseCounts()
  counts.responses = buttons + opens + dismissals
  (counts.buttonResponses, counts.opens, counts.dismissals) = (buttons, opens, dismissals)
  (counts.expectedEvents, counts.missingEvents) = (counts.responses + missing, missing)
  return counts
}

private func exampleButtons(isGrouped: Bool = false) -> Buttons {
  let rating = CategoryLine(
    app: "shop", categoryID: "65", isKnown: true, counts: counts(700, 260, 40),
    buttons: [
      ButtonLine(buttonID: "0", label: "Rate", isDestructive: true, opensApp: true, isCurrent: true, responses: 430),
      ButtonLine(buttonID: "1", label: "Later", isDestructive: false, opensApp: false, isCurrent: true, responses: 198),
      ButtonLine(buttonID: "3", label: "春のセール", isDestructive: false, opensApp: true, isCurrent: true),
      ButtonLine(buttonID: "2", label: "Never", isDestructive: true, opensApp: false, responses: 70),
      ButtonLine(buttonID: "9", responses: 2),
    ])
  let unknown = CategoryLine(
    app: "shop", categoryID: "66", counts: counts(11, 20, 9, missing: 1),
    buttons: [ButtonLine(buttonID: "yes", responses: 8), ButtonLine(buttonID: "no", responses: 3)])
  let plain = CategoryLine(app: "shop", categoryID: nil, counts: counts(0, 1_300, 160))
  let lines = [plain, rating, unknown]
  let total = lines.reduce(ResponseCounts()) { $0 + $1.counts }
  func half(_ lines: [CategoryLine]) -> ResponseCounts { lines.reduce(ResponseCounts()) { $0 + $1.counts } }
  let groups = [
    ButtonsGroup(name: "4.2.0", counts: half([rating, unknown]), categories: [rating, unknown]),
    ButtonsGroup(name: FunnelGroup.otherName, mergedGroups: 3, counts: half([plain]), categories: [plain]),
  ]
  return Buttons(
    report: ButtonsReport(
      generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
      scope: FunnelScope(
        apps: ["shop"], from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00", timeZone: "Europe/Berlin",
        filters: ["locale=de_DE"]),
      total: total, categories: lines, groups: isGrouped ? groups : nil,
      losses: SurfaceLosses(
        suspectClockSessions: 2, droppedByDevices: 14, rejectedEvents: ["missing_field": 3, "invalid_seq": 1])),
    groupedBy: isGrouped ? "app_version" : nil, coversAllApps: false,
    observed: ObservedRange(first: "2026-11-01T00:00:07+01:00", last: "2026-11-30T23:11:00+01:00"))
}

private func hostileButtons() -> Buttons {
  var buttons = exampleButtons(isGrouped: true)
  let text = "=cmd|'/c calc'!A1 \u{1B}[2J\u{7}\u{202E}esrever\r\n|<img src=x>@team `x` \u{0} \"q\", https://e.vil"
  buttons.report.scope.apps = [text]
  buttons.report.scope.filters = [text]
  buttons.groupedBy = text
  for place in buttons.report.categories.indices {
    buttons.report.categories[place].app = text + String(place)
    buttons.report.categories[place].categoryID = text
    for button in buttons.report.categories[place].buttons.indices {
      buttons.report.categories[place].buttons[button].buttonID = text
      if buttons.report.categories[place].buttons[button].label != nil {
        buttons.report.categories[place].buttons[button].label = text
      }
    }
  }
  buttons.report.groups?[0].name = text
  buttons.report.groups?[0].categories = []
  return buttons
}

private func emptyButtons() -> Buttons {
  var buttons = exampleButtons()
  buttons.report.categories = []
  buttons.report.total = ResponseCounts()
  buttons.report.losses = SurfaceLosses()
  buttons.observed = nil
  buttons.explanation = "No notification was answered yet."
  return buttons
}

@Suite struct `The formats of buttons` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("buttons-60.txt", { FunnelFormat.table.render(exampleButtons(isGrouped: true), style: TextStyle(columns: 60)) }),
    ("buttons-80.txt", { FunnelFormat.table.render(exampleButtons()) }),
    ("buttons-groups-80.txt", { FunnelFormat.table.render(exampleButtons(isGrouped: true)) }),
    (
      "buttons-color.txt",
      { FunnelFormat.table.render(exampleButtons(isGrouped: true), style: TextStyle(columns: 100, usesColor: true)) }
    ),
    ("buttons.json", { FunnelFormat.json.render(exampleButtons()) }),
    ("buttons.csv", { FunnelFormat.csv.render(exampleButtons(isGrouped: true)) }),
    ("buttons.md", { FunnelFormat.markdown.render(exampleButtons(isGrouped: true)) }),
    ("buttons-empty-80.txt", { FunnelFormat.table.render(emptyButtons()) }),
    ("buttons-empty.json", { FunnelFormat.json.render(emptyButtons()) }),
    ("buttons-empty.csv", { FunnelFormat.csv.render(emptyButtons()) }),
    ("buttons-empty.md", { FunnelFormat.markdown.render(emptyButtons()) }),
    ("buttons-hostile-80.txt", { FunnelFormat.table.render(hostileButtons()) }),
    ("buttons-hostile.csv", { FunnelFormat.csv.render(hostileButtons()) }),
    ("buttons-hostile.md", { FunnelFormat.markdown.render(hostileButtons()) }),
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

  @Test(arguments: [20, 60, 64, 79, 80, 81, 99, 120, 200])
  func `fit the terminal`(_ columns: Int) {
    for buttons in [exampleButtons(), exampleButtons(isGrouped: true), hostileButtons(), emptyButtons()] {
      for line in FunnelFormat.table.render(buttons, style: TextStyle(columns: columns)).split(separator: "\n") {
        #expect(DisplayWidth.columns(of: String(line)) <= min(120, max(60, columns)), "\(line)")
      }
    }
  }

  @Test func `obey nothing that a sender wrote`() {
    for format in FunnelFormat.allCases {
      let text = format.render(hostileButtons())
      let obeyed = text.unicodeScalars.filter {
        $0 != "\n" && $0 != "\r" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
      }
      // CSV keeps what was sent for programs; it is quoted, and no formula.
      if format != .csv { #expect(obeyed.isEmpty, "\(format)") }
    }
  }

  @Test func `of CSV have as many cells in each line`() throws {
    for buttons in [exampleButtons(isGrouped: true), hostileButtons(), emptyButtons()] {
      let rows = try StrictCSV(Array(FunnelFormat.csv.render(buttons).utf8)).records
      #expect(Set(rows.map(\.count)).count == 1)
    }
  }

  @Test func `contradictions are found`() {
    #expect(exampleButtons(isGrouped: true).report.conservationFaults().isEmpty)
    let changes: [(inout ButtonsReport) -> Void] = [
      { $0.total.opens += 1 }, { $0.total.responses += 1 }, { $0.categories.removeLast() },
      { $0.categories[1].buttons[0].responses += 1 }, { $0.categories[0].counts.dismissals += 1 },
      { $0.groups?.removeLast() }, { $0.groups?[0].categories.removeLast() }, { $0.total.missingEvents += 1 },
      { $0.categories[2].buttons[0].isCurrent = true }, { $0.groups?[0].counts.missingEvents = -1 },
      { $0.categories[1].counts.responses += 1 },
    ]
    for (number, change) in changes.enumerated() {
      var report = exampleButtons(isGrouped: true).report
      change(&report)
      #expect(!report.conservationFaults().isEmpty, "\(number)")
    }
  }
}
