import FunnelDocument
import PrintedText

/// Which columns of a table of rich media fit, and how wide they are.
struct RichMediaLayout {
  /// The columns behind the name, in their order.
  enum Column: CaseIterable {
    case presentations, shown, deferred, failed, failedRate, failedInterval, closed, closedByTimer, openOrLost,
      waitingOrLost
    case wait, waitNinetieth, open, openNinetieth

    var title: String {
      switch self {
      case .presentations: "total"
      case .shown: "shown"
      case .deferred: "deferred"
      case .failed: "failed"
      case .failedRate: "failing"
      case .failedInterval: "95%"
      case .closed: "closed"
      case .closedByTimer: "timer"
      case .openOrLost: "open?"
      case .waitingOrLost: "waiting?"
      case .wait: "wait"
      case .open: "open"
      case .waitNinetieth, .openNinetieth: "p90"
      }
    }

    /// What it says of some presentations.
    func cell(_ rates: RichMediaRates) -> String {
      let counts = rates.counts
      switch self {
      case .presentations: return Self.count(counts.presentations)
      case .shown: return Self.count(counts.shown)
      case .deferred: return Self.count(counts.deferred)
      case .failed: return Self.count(counts.failed)
      case .failedRate: return FigureText.percent(rates.failed.value)
      case .failedInterval: return FigureText.interval(rates.failed.wilsonInterval)
      case .closed: return Self.count(counts.closed)
      case .closedByTimer: return counts.closedByTimer.map(Self.count) ?? FigureText.none
      case .openOrLost: return Self.count(counts.openOrLost)
      case .waitingOrLost: return Self.count(counts.waitingOrLost)
      case .wait: return Self.length(counts.wait.medianMilliseconds)
      case .waitNinetieth: return Self.length(counts.wait.ninetiethPercentileMilliseconds)
      case .open: return Self.length(counts.open.medianMilliseconds)
      case .openNinetieth: return Self.length(counts.open.ninetiethPercentileMilliseconds)
      }
    }

    /// At most eight columns: millions are shortened.
    private static func count(_ value: Int) -> String {
      let text = FigureText.count(value)
      return text.count > 7 ? FigureText.short(text) : text
    }

    /// At most nine columns, but for devices that are far from any clock.
    private static func length(_ milliseconds: Double?) -> String {
      DisplayWidth.cut(FigureText.length(milliseconds: milliseconds), to: 9)
    }
  }

  let nameWidth: Int
  let shown: [Column]
  private let widths: [Column: Int]

  private static let required: Set<Column> = [.presentations, .failed, .closed, .openOrLost, .wait, .open]
  /// What is added as long as there is room, the most wanted first.
  private static let optional: [[Column]] = [
    [.deferred], [.closedByTimer], [.waitingOrLost], [.shown], [.failedRate], [.waitNinetieth, .openNinetieth],
    [.failedInterval],
  ]
  /// A name that is wider has a line of its own before further columns go.
  private static let narrowestName = 14

  /// - Parameters:
  ///   - lines: everything that is to have a line.
  ///   - columns: of the terminal.
  ///   - widestName: of the lines and the heads of the columns.
  init(_ lines: [RichMediaRates], columns: Int, widestName: Int) {
    let gap = columns < 100 ? 1 : 2
    var widths: [Column: Int] = [:]
    for column in Column.allCases {
      let widest = lines.map { DisplayWidth.columns(of: column.cell($0)) }.max() ?? 0
      widths[column] = max(widest, column.title.count) + gap
    }
    var shown = Self.required
    func width(_ columns: some Sequence<Column>) -> Int { columns.reduce(0) { $0 + (widths[$1] ?? 0) } }
    let leastName = min(widestName, Self.narrowestName)
    for wanted in Self.optional {
      guard columns - width(shown) - leastName >= width(wanted) else { break }
      shown.formUnion(wanted)
    }
    nameWidth = min(widestName, columns - width(shown))
    self.shown = Column.allCases.filter { shown.contains($0) }
    self.widths = widths
  }

  /// The heads of the columns.
  func header(_ name: String) -> String {
    DisplayWidth.pad(DisplayWidth.cut(name, to: nameWidth), to: nameWidth)
      + shown.map { DisplayWidth.pad($0.title, to: widths[$0] ?? 0, isRightAligned: true) }.joined()
  }

  /// The cells behind a name.
  ///
  /// - Parameter faint: how an interval is written.
  func cells(_ rates: RichMediaRates, faint: (String) -> String) -> String {
    shown.map { column in
      let cell = DisplayWidth.pad(column.cell(rates), to: widths[column] ?? 0, isRightAligned: true)
      return column == .failedInterval ? faint(cell) : cell
    }.joined()
  }
}
