import FunnelDocument
import Reports

/// The stories of a report: a row a story, and all of them together at the end.
struct StoriesTable {
  private let report: StoriesReport
  private let showsApps: Bool
  private let showsDevices: Bool

  init(_ report: StoriesReport) {
    self.report = report
    showsApps = Set(report.stories.map(\.app)).count > 1
    showsDevices = report.total.devices != nil
  }

  /// The table.
  var html: HTML {
    var table = PageTable(
      id: "stories", caption: "Stories in numbers", columns: columns, rows: [])
    table.rows = report.stories.enumerated().map { place, line in
      HTML("tr", ["data-story": String(place)]) {
        Cell.name(.sender(StoriesText.name(line)), value: line.story ?? "")
        if showsApps { HTML("td", ["class": "text", "data-value": line.app ?? ""]) { HTML.sender(line.app ?? "") } }
        cells(line)
      }
    }
    table.lastRows = [
      HTML("tr") {
        Cell.name(.text("all"), value: "")
        if showsApps { HTML("td") }
        cells(report.total)
      }
    ]
    return table.html
  }

  private var columns: [PageTable.Column] {
    [.text("story")] + (showsApps ? [.text("app")] : []) + [.number("sessions a day")]
      + ["presentations", "sessions", "fell back", "finished", "reached last", "tapped", "pages"].map { .number($0) }
      + (showsDevices ? [.number("devices"), .number("known")] : []) + [.text("first seen"), .text("last seen")]
  }

  private func cells(_ line: StoryLine) -> HTML {
    let rates = report.rates(of: line)
    let counts = line.counts
    return .several([
      days(line), Cell.count("presentations", counts.presentations), Cell.count("sessions", counts.sessions),
      Cell.rate("fallback_rate", rates.fallback), Cell.rate("completion_rate", rates.completion, hasBar: true),
      Cell.rate("reached_last_rate", rates.reachedLast, hasBar: true), Cell.rate("tap_rate", rates.tap, hasBar: true),
      Cell.count("pages", line.pageCount),
      showsDevices ? Cell.devices(line.devices, of: rates) : .nothing,
      day(line.firstSeen), day(line.lastSeen),
    ])
  }

  /// The sessions of each day. Sorts by those of the latest third of the days as a share of all: what is growing.
  private func days(_ line: StoryLine) -> HTML {
    let values = line.sessionsByDay
    let all = values.reduce(0, +)
    let late = values.suffix(max(1, values.count / 3)).reduce(0, +)
    return HTML("td", ["data-value": all == 0 ? nil : (Double(late) / Double(all)).description]) {
      SmallDrawing.columns(values.map(Double.init), width: 120, height: 28)
      HTML("span", ["class": "unseen"]) { words(values) }
    }
  }

  private func words(_ values: [Int]) -> String {
    guard let most = values.max(), most > 0, let place = values.firstIndex(of: most), place < report.days.count else {
      return "no sessions"
    }
    return "most on \(report.days[place]): \(FigureText.count(most)); on the last day "
      + FigureText.count(values.last ?? 0)
  }

  private func day(_ time: String) -> HTML {
    HTML("td", ["class": "day", "data-value": time]) { StoriesText.day(time) }
  }
}
