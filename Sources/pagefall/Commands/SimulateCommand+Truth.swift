import FunnelDocument
import Simulation

/// What the reports must show, in files.
extension SimulateCommand {
  static let truth = Option("truth", takes: "FILE", help: "write the funnel that a report must show")
  static let truthRichMedia = Option(
    "truth-rich-media", takes: "FILE", help: "write what a report of rich media must show")
  static let truthButtons = Option(
    "truth-buttons", takes: "FILE", help: "write what a report of buttons must show, once the categories are imported")
  static let truthBy = Option(
    "truth-by", takes: "FIELD",
    help: "with its groups by \(TruthGrouping.names.joined(separator: ", ")) (default: by story, if there are several)")

  /// The options that name a file, each with the option that its numbers come from.
  private static let truthFiles: [(option: Option, source: Option?)] = [
    (truth, nil), (truthRichMedia, richMedia), (truthButtons, categories),
  ]

  /// Nothing of what is asked for takes the place of another, and nothing is asked for that is not played.
  static func checkTruthFiles(_ invocation: Invocation) throws(CommandError) {
    var taken = [(name: output.name, path: invocation.value(output))]
    for (option, source) in truthFiles {
      guard let path = invocation.value(option) else { continue }
      if let source, invocation.list(source).isEmpty {
        throw .usage("--\(option.name) needs --\(source.name) FILE")
      }
      if path != "/dev/null", let other = taken.first(where: { $0.path == path }) {
        let lost = other.name == output.name ? "the events" : "the other"
        throw .usage(
          "--\(other.name) and --\(option.name) name the same file; the truth would take the place of \(lost)")
      }
      taken.append((option.name, path))
    }
  }

  static func truthGrouping(_ invocation: Invocation) throws(CommandError) -> TruthGrouping? {
    if invocation.value(truthBy) != nil, !truthFiles.contains(where: { invocation.value($0.option) != nil }) {
      throw .usage(
        "--truth-by says how the numbers of --truth, --truth-rich-media and --truth-buttons are grouped; give one of them"
      )
    }
    let zone = try invocation.timeZone().timeZone
    return try invocation.value(truthBy, as: "one of \(TruthGrouping.names.joined(separator: ", "))") {
      TruthGrouping(argument: $0, timeZone: zone)
    }
  }

  static func writeTruths(_ summary: SimulationSummary, _ invocation: Invocation) throws(CommandError) {
    try write(summary.truth.json, truth, invocation)
    if let truth = summary.richMediaTruth { try write(truth.json, truthRichMedia, invocation) }
    if let truth = summary.buttonsTruth { try write(truth.json, truthButtons, invocation) }
  }

  private static func write(_ json: JSONValue, _ option: Option, _ invocation: Invocation) throws(CommandError) {
    guard let path = invocation.value(option) else { return }
    try OutputFile.write(json.text() + "\n", to: path)
  }
}
