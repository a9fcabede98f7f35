import FunnelDocument
import Reports

/// The same rates of both sides, from 0 to 100 %: A above B, each a dot with its 95 % interval.
struct BothSidesChart {
  private let rates: [ComparedRate]

  init(_ rates: [ComparedRate]) { self.rates = rates }

  /// The drawing.
  var html: HTML {
    let words = rates.map { "\($0.name.shortTitle): \(Self.words($0))" }
    var chart = Chart(
      id: "both-sides-chart", title: "Rates of both sides",
      description: "Each rate of A and of B with its 95% interval. " + words.joined(separator: "; ") + ".")
    for rate in rates { draw(rate, &chart) }
    for (share, name) in [(0.0, "faint"), (0.5, "faint middle"), (1.0, "faint end")] {
      chart.text("\(Int(share * 100))%", at: share, top: 14, class: name)
    }
    chart.advance(20)
    return chart.html
  }

  private func draw(_ rate: ComparedRate, _ chart: inout Chart) {
    chart.label(.text(rate.name.shortTitle), width: 0.5)
    chart.text(Self.words(rate), at: 1, top: 14, class: "end")
    chart.advance(20)
    chart.rectangle(width: 1, height: 38, class: "fill-track")
    for quarter in [0.25, 0.5, 0.75] { chart.line(from: (quarter, 0), to: (quarter, 38), class: "grid") }
    side("A", rate.comparison.a, middle: 11, class: "side-a", &chart)
    side("B", rate.comparison.b, middle: 27, class: "side-b", &chart)
    chart.advance(48)
  }

  private func side(_ letter: String, _ rate: Rate, middle: Double, class name: String, _ chart: inout Chart) {
    guard let value = rate.value else { return }
    let interval = rate.wilsonInterval ?? ConfidenceInterval(lower: value, upper: value)
    chart.whisker(interval, middle: middle, halfHeight: 4, class: "whisker \(name)")
    chart.dot(at: value, middle: middle, class: "dot \(name)")
    // The letter stands behind the interval, or before it where there is no room behind.
    if interval.upper < 0.9 {
      chart.text(letter, at: interval.upper, shift: 8, top: middle + 4.5, class: "strong")
    } else {
      chart.text(letter, at: interval.lower, shift: -8, top: middle + 4.5, class: "strong end")
    }
  }

  private static func words(_ rate: ComparedRate) -> String {
    "A \(FigureText.percent(rate.comparison.a.value)) · B \(FigureText.percent(rate.comparison.b.value))"
  }
}
