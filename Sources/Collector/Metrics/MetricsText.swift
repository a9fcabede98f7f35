/// Writes figures in Prometheus' text format.
struct MetricsText {
  private(set) var text = ""

  /// What kind of figure a family is.
  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  /// Begins a family of figures.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// One figure with one label; names and values come from this program, so nothing is escaped.
  mutating func sample(_ name: String, _ label: String, _ labelValue: String, _ value: Double) {
    text += "\(name){\(label)=\"\(labelValue)\"} \(Self.number(value))\n"
  }

  /// A counter without labels.
  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    begin(name, .counter, help)
    text += "\(name) \(value)\n"
  }

  /// A gauge without labels.
  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    begin(name, .gauge, help)
    text += "\(name) \(Self.number(value))\n"
  }

  /// A histogram.
  mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
    begin(name, .histogram, help)
    var total = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      total += count
      sample(name + "_bucket", "le", Self.number(bound), Double(total))
    }
    total += histogram.counts.last ?? 0
    sample(name + "_bucket", "le", "+Inf", Double(total))
    text += "\(name)_sum \(Self.number(histogram.sum))\n\(name)_count \(total)\n"
  }

  /// Whole numbers without a fraction.
  private static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 9e15 { return String(Int(value)) }
    return "\(value)"
  }
}
