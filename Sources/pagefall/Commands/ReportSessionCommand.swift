import Reports

/// `pagefall report session`: one session as a timeline, and how it counts (docs/why.md).
enum ReportSessionCommand {
  static let command = Command(
    "report", "session", summary: "Show a session as a timeline, and why it counts or does not",
    operands: "ID",
    options: [CommonOptions.timeZone, ReportPrinting<SessionTimelineFormat>.format, ReportOutput.file],
    discussion: """
      ID is the session id as it was sent, in either case, or at least its first \(SessionReference.leastCharacters)
      characters. Times are the device's own; `after` counts from the session's first event. Each impression says how
      it left and why, and below stands how the session counts at each step of the funnel.
      """,
    examples: [
      "pagefall report session 01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f",
      "pagefall report session 01a226bf-4900-7cc1 --tz Europe/Berlin --format json",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.count == 1 else {
      throw .usage("say which session: report session ID (pagefall report sessions finds them)")
    }
    let zone = try invocation.timeZone()
    let printing = try ReportPrinting<SessionTimelineFormat>(invocation, standard: .table)
    let reference: SessionReference
    do { reference = try SessionReference(argument: invocation.operands[0]) } catch {
      throw ReportFailure.commandError(error)
    }
    let timeline = try invocation.report { connection throws(ReportError) in
      try SessionTimeline.read(reference, timeZone: zone, on: &connection)
    }
    try printing.write { format, style, _ in format.render(timeline, style: style) }
    return .success
  }
}
