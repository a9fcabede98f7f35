import FunnelDocument

/// The funnel of metrics §5's example, cut to one page there, with a second one here.
func exampleReport(minimumCount: Int = 1) -> FunnelReport {
  FunnelReport(
    generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
    scope: FunnelScope(
      apps: ["shop"], story: "spring-sale", from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
      timeZone: "Europe/Berlin", minimumCount: minimumCount),
    total: exampleCounts())
}

/// The counts of metrics §5's example.
func exampleCounts() -> FunnelCounts {
  FunnelCounts(
    presentations: 412, fallbacks: 12, sessions: 400, finishedSessions: 160, reachedLastSessions: 210,
    tappedSessions: 40,
    pages: [
      PageCounts(
        index: 0, title: "Welcome", link: "yourapp://page1", impressions: 430, sessions: 400, strictSessions: 400,
        completedSessions: 298,
        taps: 25, tappedSessions: 24,
        departures: Departures(next: 300, nextAuto: 180, nextTap: 120, back: 20, tappedOut: 10, exited: 95, unknown: 5),
        dwell: DwellSummary(count: 320, medianMilliseconds: 3012.5, ninetiethPercentileMilliseconds: 5001)),
      PageCounts(
        index: 1, title: "Say \"hi\"\n\u{1B}[31m", impressions: 210, sessions: 210, strictSessions: 208,
        completedSessions: 160, taps: 16, tappedSessions: 16,
        departures: Departures(finished: 160, tappedOut: 16, exited: 30, unknown: 4)),
    ],
    completeness: Completeness(
      expectedEvents: 2100, missingEvents: 9, sessionsWithoutStart: 1, rejectedEvents: ["invalid_text": 2]))
}
