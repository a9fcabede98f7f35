import FunnelDocument
import Reports

/// Differences of rates, B − A, as dots with their 95 % intervals around zero.
struct DifferenceChart {
  /// A rate and what its row is called.
  struct Row {
    /// The rate's name, plain.
    var name: String
    /// The rate.
    var rate: ComparedRate
  }

  private let id: String
  private let title: String
  private let rows: [Row]
  private let comparison: Comparison
  /// What the chart's half is wide, in points ÷ 100.
  private let scale: Double

  private static let scales = [0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1]

  /// - Parameter scale: the chart's half; nil for the smallest that holds all rows.
  init(id: String, title: String, _ rows: [Row], of comparison: Comparison, scale: Double? = nil) {
    self.id = id
    self.title = title
    self.rows = rows
    self.comparison = comparison
    self.scale = scale ?? Self.scale(rows.map(\.rate))
  }

  /// The smallest half that holds all intervals.
  static func scale(_ rates: [ComparedRate]) -> Double {
    let widest = rates.compactMap(\.comparison.differenceInterval).map { max(abs($0.lower), abs($0.upper)) }.max() ?? 0
    return scales.first { $0 >= widest } ?? 1
  }

  /// The drawing.
  var html: HTML {
    let words = rows.map { "\($0.name): \(Self.words($0.rate.comparison))" }
    var chart = Chart(
      id: id, title: title,
      description: "Differences B minus A in percentage points with 95% intervals. " + words.joined(separator: "; ")
        + ". The table has all numbers.")
    for row in rows { draw(row, &chart) }
    for (share, text, anchor) in [(0, -1, "faint"), (0.5, 0, "faint middle"), (1, 1, "faint end")] {
      let points = Double(text) * scale
      let words = text == 0 ? "no difference" : DifferenceText.points(points).replacing(".0", with: "")
      chart.text(words, at: share, top: 14, class: anchor)
    }
    chart.advance(20)
    return chart.html
  }

  private func draw(_ row: Row, _ chart: inout Chart) {
    let compared = row.rate.comparison
    let holds = comparison.holds(row.rate)
    chart.label(holds ? HTML("b") { row.name } : .text(row.name), width: 0.5)
    chart.text(Self.words(compared) + (holds ? " *" : ""), at: 1, top: 14, class: holds ? "end strong" : "end")
    chart.advance(20)
    chart.rectangle(width: 1, height: 18, class: "fill-track")
    chart.line(from: (0.5, 0), to: (0.5, 18), class: "axis")
    if let difference = compared.difference, let interval = compared.differenceInterval {
      let drawn = ConfidenceInterval(lower: place(interval.lower), upper: place(interval.upper))
      chart.whisker(drawn, middle: 9, halfHeight: 4, class: "whisker")
      chart.dot(at: place(difference), middle: 9, class: holds ? "dot holds" : "dot")
    }
    chart.advance(28)
  }

  private func place(_ difference: Double) -> Double { 0.5 + difference / scale / 2 }

  private static func words(_ compared: RateComparison) -> String {
    let interval = DifferenceText.interval(compared.differenceInterval)
    return DifferenceText.points(compared.difference) + (interval.isEmpty ? "" : " (\(interval))")
  }
}
