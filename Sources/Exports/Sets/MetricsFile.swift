#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a monitor wants to know of a run that succeeded.
struct ExportFigures: Equatable, Sendable {
  /// Where the sets lie, as it was given; the label that tells the files of two exports apart.
  var directory: String
  /// When the run ended, in seconds since 1970.
  var lastSuccessSeconds: Double
  /// How long it took.
  var durationSeconds: Double
  /// Sets that it wrote; 0 where nothing had changed.
  var daysWritten: Int
  /// Lines that it wrote.
  var rows: [ExportContent: Int]
}

/// A file for node_exporter's textfile collector (`--metrics-file`), replaced whole after each run that succeeded: so a
/// run that failed shows by the age of the last success.
struct MetricsFile: ~Copyable {
  private let file: ReplacedFile

  /// Finds out early whether there is a place for the file.
  init(path: String) throws(ExportError) {
    file = try ReplacedFile(path: path, what: "the metrics")
  }

  /// Replaces the file; everybody may read it, as the collector runs as another user.
  func write(_ figures: ExportFigures) throws(ExportError) {
    // Not `.prom` at its end, which the collector would read; not a fixed name, as two runs may have been given one
    // file.
    try file.replace(with: figures.text, aside: ".\(file.name).\(getpid()).new", permissions: 0o644)
  }
}

extension ExportFigures {
  /// Prometheus' text format.
  var text: String {
    let label = "directory=\"\(Self.escaped(directory))\""
    var text = ""
    func begin(_ name: String, _ help: String) { text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n" }
    func gauge(_ name: String, _ help: String, _ value: Double) {
      begin(name, help)
      text += "\(name){\(label)} \(Self.number(value))\n"
    }
    gauge(
      "pagefall_export_last_success_timestamp_seconds",
      "When an export last ended well, whether anything had changed or not.",
      lastSuccessSeconds)
    gauge("pagefall_export_duration_seconds", "How long that export took.", durationSeconds)
    gauge("pagefall_export_days_written", "Sets that it wrote, one a day.", Double(daysWritten))
    begin("pagefall_export_rows", "Lines that it wrote, by content.")
    for content in ExportContent.allCases {
      text += "pagefall_export_rows{\(label),content=\"\(content.rawValue)\"} \(rows[content] ?? 0)\n"
    }
    return text
  }

  /// A label's value: backslash, quote and line feed are escaped, nothing else.
  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whole numbers without a fraction.
  private static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 9e15 { return String(Int(value)) }
    return "\(value)"
  }
}
