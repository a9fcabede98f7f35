import FunnelDocument
import Reports

/// A table in a region of its own, which scrolls where the page is narrower than it, by keyboard as well.
struct PageTable {
  /// A column's heading.
  struct Column {
    /// What it says.
    var title: HTML
    /// Whether numbers stand below.
    var isNumber: Bool

    /// A column of names or texts.
    static func text(_ title: HTML) -> Column { Column(title: title, isNumber: false) }
    /// A column of names or texts.
    static func text(_ title: String) -> Column { .text(HTML.text(title)) }
    /// A column of numbers.
    static func number(_ title: String) -> Column { Column(title: .text(title), isNumber: true) }
  }

  /// The beginning of its ids; unique on the page.
  let id: String
  /// What it holds.
  let caption: String
  /// The headings, one a column.
  let columns: [Column]
  /// The rows, each with a cell a column.
  var rows: [HTML]
  /// Rows that stay at the end however it is sorted.
  var lastRows: [HTML] = []
  /// Whether it can be sorted where scripts run.
  var isSortable = true

  /// Rows beyond which the region scrolls down, too, rather than the whole page.
  private static let tallRows = 60

  /// The table.
  var html: HTML {
    HTML(
      "div",
      [
        "class": rows.count > Self.tallRows ? "scroll tall" : "scroll", "role": "region", "tabindex": "0",
        "aria-labelledby": "\(id)-caption",
      ]
    ) {
      HTML("table", ["id": id, "class": isSortable ? "sortable" : nil]) {
        HTML("caption", ["id": "\(id)-caption"]) { caption }
        HTML("thead") {
          HTML("tr") {
            for column in columns {
              HTML("th", ["scope": "col", "class": column.isNumber ? "number" : nil]) { column.title }
            }
          }
        }
        HTML("tbody") { HTML.several(rows) }
        if !lastRows.isEmpty { HTML("tfoot") { HTML.several(lastRows) } }
      }
    }
  }

  /// A row that says something instead of numbers.
  func remark(_ text: String) -> HTML {
    HTML("tr") { HTML("td", ["colspan": String(columns.count), "class": "nothing"]) { text } }
  }
}

/// Cells of tables: what people read, and in `data-value` the number itself, exact, by which the column is sorted.
/// `data-key` is the number's key in the JSON form.
enum Cell {
  /// The name of a row.
  static func name(_ content: HTML, value: String) -> HTML {
    HTML("th", ["scope": "row", "class": "name", "data-value": value]) { content }
  }

  /// A page's title above its link; a dash where neither is known. The link is text: nobody knows where it leads.
  static func title(_ page: PageCounts) -> HTML {
    HTML("td", ["class": "text", "data-value": page.title ?? ""]) {
      if let title = page.title { HTML.sender(title) }
      if let link = page.link { HTML("span", ["class": "interval"]) { HTML.sender(link) } }
      if page.title == nil, page.link == nil { Self.nothing }
    }
  }

  /// A count.
  static func count(_ key: String, _ value: Int?) -> HTML {
    HTML("td", ["class": "number", "data-key": key, "data-value": value.map(String.init)]) {
      if let value { FigureText.count(value) } else { Self.nothing }
    }
  }

  /// A rate above its interval, with a bar where it is wanted.
  static func rate(_ key: String, _ rate: Rate?, hasBar: Bool = false) -> HTML {
    HTML("td", ["class": "number", "data-key": key, "data-value": rate?.value.map(\.description)]) {
      if let rate, rate.value != nil {
        FigureText.percent(rate.value)
        if hasBar { SmallDrawing.bar(rate, width: 72) }
        if rate.wilsonInterval != nil {
          HTML("span", ["class": "interval"]) { FigureText.interval(rate.wilsonInterval) }
        }
      } else {
        Self.nothing
      }
    }
  }

  /// A rate without its interval.
  static func plainRate(_ key: String, _ value: Double?) -> HTML {
    HTML("td", ["class": "number", "data-key": key, "data-value": value.map(\.description)]) {
      if let value { FigureText.percent(value) } else { Self.nothing }
    }
  }

  /// Two cells: distinct devices, and the share of presentations that have one.
  static func devices(_ devices: DeviceCounts?, of rates: FunnelRates) -> HTML {
    let share = devices?.share(ofPresentations: rates.counts.presentations, isHidden: rates.areHidden)
    return .several([count("devices.distinct", devices?.distinct), plainRate("devices.share", share?.value)])
  }

  /// A length of time.
  static func length(_ key: String, milliseconds: Double?) -> HTML {
    HTML("td", ["class": "number", "data-key": key, "data-value": milliseconds.map(\.description)]) {
      if milliseconds != nil { FigureText.length(milliseconds: milliseconds) } else { Self.nothing }
    }
  }

  private static var nothing: HTML { HTML("span", ["class": "nothing"]) { FigureText.none } }
}
