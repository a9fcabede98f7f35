import FunnelDocument

/// A quality report for programs; its keys are those of docs/quality.md §8. Rates are not rounded, lengths are seconds.
struct QualityJSON {
  let text: String

  init(_ report: QualityReport) {
    var members = Self.heading(report)
    members.append(JSONMember("verdict", .array(report.verdict.map(Self.finding))))
    members.append(JSONMember("explanation", .optional(report.explanation)))
    members.append(Self.count("presentations", report.presentations))
    members += Self.faults(report.total)
    members.append(JSONMember("clock_offsets", Self.clocks(report.clocks)))
    members.append(JSONMember("arrival_delay", Self.delay(report.delay)))
    members.append(JSONMember("yesterday", report.yesterday.map(Self.yesterday) ?? .null))
    members += [
      JSONMember(
        "app_versions",
        .array(report.versions.map { .object(Self.name($0.name) + Self.faults($0.faults)) })),
      JSONMember(
        "days",
        .array(
          report.days.map { day in
            .object(
              [Self.day(day.day)] + Self.faults(day.faults) + [JSONMember("arrival_delay", Self.delay(day.delay))])
          })),
      JSONMember(
        "app_version_days",
        .array(
          report.cells.map { cell in
            .object(Self.name(cell.place?.name) + [Self.day(cell.place?.day)] + Self.faults(cell.faults))
          })),
    ]
    members += Self.events(report)
    text = JSONValue.object(members).printed()
  }

  private static func heading(_ report: QualityReport) -> [JSONMember] {
    [
      JSONMember("report", .string("quality")),
      JSONMember("definitions", .string(FunnelReport.definitions)),
      JSONMember("generated_at", .string(report.generatedAt)),
      text("data_through", report.dataThrough),
      JSONMember("scope", report.scope.json),
    ]
  }

  private static func finding(_ finding: QualityFinding) -> JSONValue {
    .object([
      text("code", finding.code.rawValue), text("severity", finding.severity.rawValue),
      text("sentence", finding.sentence), text("advice", finding.advice),
      text("command", finding.command.isEmpty ? nil : finding.command.joined(separator: " ")),
    ])
  }

  private static func faults(_ faults: SessionFaults) -> [JSONMember] {
    [
      count("sessions", faults.sessions), count("expected_events", faults.expectedEvents),
      count("missing_events", faults.missingEvents), number("missing_rate", faults.missingRate.value),
      count("sessions_with_missing_events", faults.sessionsWithMissingEvents),
      count("sessions_without_start", faults.sessionsWithoutStart), count("orphan_taps", faults.orphanTaps),
      count("negative_dwells", faults.negativeDwells), count("suspect_clock_sessions", faults.suspectClockSessions),
      count("offset_clock_sessions", faults.offsetClockSessions),
      count("single_event_sessions", faults.singleEventSessions),
    ]
  }

  private static func clocks(_ clocks: ClockOffsets) -> JSONValue {
    .object([
      count("sessions", clocks.sessions), number("median_s", clocks.medianSeconds),
      number("p90_s", clocks.ninetiethPercentileSeconds), number("furthest_ahead_s", clocks.furthestAheadSeconds),
      number("furthest_behind_s", clocks.furthestBehindSeconds),
    ])
  }

  private static func delay(_ delay: ArrivalDelay) -> JSONValue {
    .object([
      count("sessions", delay.sessions), count("starts_after_arrival", delay.startsAfterArrival),
      number("median_s", delay.medianSeconds), number("p90_s", delay.ninetiethPercentileSeconds),
      number("p99_s", delay.ninetyNinthPercentileSeconds),
    ])
  }

  private static func yesterday(_ estimate: YesterdayEstimate) -> JSONValue {
    let days = estimate.earlierDays.map { day in
      JSONValue.object([
        text("day", day.day), count("sessions", day.sessions), count("arrived", day.arrived),
        number("share", day.share),
      ])
    }
    return .object([
      text("day", estimate.day), count("sessions_so_far", estimate.sessionsSoFar),
      count("seconds_since_its_end", estimate.secondsSinceItsEnd), text("obstacle", estimate.obstacle?.rawValue),
      number("share", estimate.share), number("lowest_share", estimate.lowestShare),
      number("highest_share", estimate.highestShare), count("still_expected_sessions", estimate.expectedSessions),
      count("fewest_expected_sessions", estimate.fewestExpectedSessions),
      count("most_expected_sessions", estimate.mostExpectedSessions), JSONMember("earlier_days", .array(days)),
    ])
  }

  // MARK: Members

  static func count(_ key: String, _ value: Int?) -> JSONMember { JSONMember(key, .optional(value)) }

  static func number(_ key: String, _ value: Double?) -> JSONMember { JSONMember(key, .optional(value)) }

  static func text(_ key: String, _ value: String?) -> JSONMember { JSONMember(key, .optional(value)) }

  private static let other = FunnelGroup.otherName

  private static func day(_ day: String?) -> JSONMember { text("day", day ?? other) }

  private static func name(_ name: VersionName?) -> [JSONMember] {
    [
      text("app", name?.app ?? other),
      text("app_version", name.map { $0.version ?? StorySelection.noneText } ?? other),
    ]
  }
}
