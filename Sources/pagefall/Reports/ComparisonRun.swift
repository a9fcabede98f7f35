import ReportPages
import Reports

/// Makes a comparison and prints it, in the form that is asked for.
enum ComparisonRun {
  typealias Printing = ReportPrinting<PrintedForm<ComparisonFormat>>

  static func print(
    a: ComparedScope, b: ComparedScope, _ nowMicroseconds: Int64, _ invocation: Invocation
  ) throws(CommandError) -> ExitCode {
    let printing = try Printing(invocation, standard: .text(.table))
    let comparison = try invocation.report { connection throws(ReportError) in
      try ComparisonReporter.run(a: a, b: b, on: &connection, nowMicroseconds: nowMicroseconds)
    }
    try printing.write { form, style, isCSVSafe in
      switch form {
      case .text(let format): format.render(comparison, style: style, isCSVSafe: isCSVSafe)
      case .html: ReportPage.text(comparison)
      }
    }
    return .success
  }

  /// A scope and the same length of time before it (`--compare previous`).
  static func printPrevious(
    _ scope: ReportScope, _ nowMicroseconds: Int64, _ invocation: Invocation
  ) throws(CommandError) -> ExitCode {
    guard scope.groupBy == nil else { throw .usage("--compare goes without --by: groups are not compared") }
    let ranges: PrecedingRange
    do {
      ranges = try PrecedingRange(scope.range, in: scope.timeZone, nowMicroseconds: nowMicroseconds)
    } catch {
      throw ReportFailure.commandError(error)
    }
    var before = scope
    before.range = ranges.preceding
    var asked = scope
    asked.range = ranges.range
    return try print(
      a: ComparedScope(label: "the time before", scope: before),
      b: ComparedScope(label: "the time asked for", scope: asked), nowMicroseconds, invocation)
  }
}
