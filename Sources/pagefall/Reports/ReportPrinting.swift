import Reports

/// How a report is printed, and where it goes: the options of every report, read before the database is asked.
struct ReportPrinting<Form: RawRepresentable<String> & CaseIterable & Equatable> {
  /// The form that was asked for.
  let form: Form
  private let isCSVExact: Bool
  private let destination: String
  private let style: TextStyle

  /// The option for the forms that there are, of which the first is the default.
  static var format: Option {
    let first = Form.allCases.first.map { " (default \($0.rawValue))" } ?? ""
    return Option("format", takes: "FORMAT", help: names + first)
  }

  /// Reads the options.
  ///
  /// - Parameter standard: the form where none is given.
  init(_ invocation: Invocation, standard: Form) throws(CommandError) {
    form = try invocation.value(Self.format, as: Self.names) { Form(rawValue: $0) } ?? standard
    isCSVExact = try invocation.flag(ReportOutput.csvExact)
    guard !isCSVExact || form.rawValue == "csv" else { throw .usage("--csv-exact goes with --format csv") }
    destination = invocation.value(ReportOutput.file) ?? "-"
    style = Console.style(toTerminal: destination == "-", invocation.environment)
  }

  /// Writes the text to where it was asked for.
  ///
  /// - Parameter text: gets the form, the style, and of CSV whether texts that a spreadsheet would run get a `'`.
  func write(_ text: (_ form: Form, _ style: TextStyle, _ isCSVSafe: Bool) -> String) throws(CommandError) {
    try OutputFile.write(text(form, style, !isCSVExact), to: destination)
  }

  /// `table, json or csv`.
  private static var names: String {
    let names = Form.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
  }
}

/// The options of printing that are the same whatever the forms are.
enum ReportOutput {
  static let csvExact = Option(
    "csv-exact", help: "with csv: no ' before texts that spreadsheets would run as formulas; for programs")
  static let file = Option("output", short: "o", takes: "FILE", help: "write there instead of to standard output")
}
