import FunnelDocument

/// What a quality report counts of sessions, for spreadsheets (RFC 4180): a line for the total, for each app version, each
/// day, and each of the worst days of versions.
///
/// `part` says which; the lines of each part add up to that of the `total`. `(other)` is what is beyond a bound.
struct QualityCSV {
  let text: String

  /// Makes the text.
  ///
  /// - Parameter isSafe: whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  init(_ report: QualityReport, isSafe: Bool) {
    let csv = CSVLine(isSafe: isSafe)
    let other = FunnelGroup.otherName
    func line(
      _ part: String, app: String? = nil, version: String? = nil, day: String? = nil, _ faults: SessionFaults,
      _ delay: ArrivalDelay? = nil
    ) -> String {
      let names = [part] + [app, version, day].map { csv.text($0) }
      let counts = [
        faults.sessions, faults.expectedEvents, faults.missingEvents, faults.sessionsWithMissingEvents,
        faults.sessionsWithoutStart, faults.orphanTaps, faults.negativeDwells, faults.suspectClockSessions,
        faults.offsetClockSessions, faults.singleEventSessions,
      ].map(String.init)
      let delays = [delay?.medianSeconds, delay?.ninetiethPercentileSeconds, delay?.ninetyNinthPercentileSeconds]
      let numbers = [faults.missingRate.value] + delays
      return (names + counts + numbers.map { csv.number($0) }).joined(separator: ",")
    }
    func version(_ part: String, _ name: VersionName?, day: String?, _ faults: SessionFaults) -> String {
      line(
        part, app: name?.app ?? other, version: name.map { $0.version ?? StorySelection.noneText } ?? other, day: day,
        faults)
    }
    var lines = [Self.columns.joined(separator: ","), line("total", report.total, report.delay)]
    lines += report.versions.map { version("app_version", $0.name, day: nil, $0.faults) }
    lines += report.days.map { line("day", day: $0.day ?? other, $0.faults, $0.delay) }
    lines += report.cells.map { version("app_version_day", $0.place?.name, day: $0.place?.day ?? other, $0.faults) }
    text = lines.map { $0 + "\r\n" }.joined()
  }

  private static let columns = [
    "part", "app", "app_version", "day", "sessions", "expected_events", "missing_events",
    "sessions_with_missing_events", "sessions_without_start", "orphan_taps", "negative_dwells",
    "suspect_clock_sessions", "offset_clock_sessions", "single_event_sessions", "missing_rate", "delay_median_s",
    "delay_p90_s", "delay_p99_s",
  ]
}
