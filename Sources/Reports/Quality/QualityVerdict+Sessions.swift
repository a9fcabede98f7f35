import FunnelDocument
import LocalTime

extension QualityVerdict {
  private static let dayMicroseconds: Int64 = 86_400_000_000

  mutating func judgeArrivals(nowMicroseconds: Int64, endMicroseconds: Int64?, _ dataThroughMicroseconds: Int64?) {
    let aDayAgo = nowMicroseconds - Self.dayMicroseconds
    if let through = dataThroughMicroseconds, through < aDayAgo, (endMicroseconds ?? .max) > aDayAgo {
      note(
        .nothingArrives, weight: 1, serious: 0,
        "Nothing has arrived since \(text.clock(TimestampText.rfc3339(through, in: .utc))) UTC.",
        "See whether the collector runs and whether senders get an answer of 202.")
    }
    if let p90 = report.delay.ninetiethPercentileSeconds, p90 > 86_400 {
      note(
        .lateArrivals, weight: 0.1, serious: 1,
        "One session in ten arrives more than \(text.length(p90)) after its start.",
        "The latest days will still grow. (Files that were loaded later look the same.)")
    }
    if let yesterday = report.yesterday, let share = yesterday.share, share < 0.99 {
      note(
        .yesterdayIncomplete, weight: 1 - share, serious: 0.1, text.yesterday(yesterday),
        "Compare it with other days later.")
    }
  }

  mutating func judgeSessions() {
    let total = report.total
    judge(
      .sessionsWithoutStart, total.sessionsWithoutStart, serious: 0.1,
      "have no start, so they never reach the last page",
      total.missingEvents > 0
        ? "Where events are missing the start was lost; else the app does not send it." : "The app does not send start."
    )
    judge(
      .negativeDwells, total.negativeDwells, serious: 1,
      "had an impression that ends before it begins: the clock was set back",
      "Their dwells are left out; nothing else is touched.", counting: "impressions")
    if let share = Rate(total.orphanTaps, of: total.sessions).value, share >= Self.notableShare {
      note(
        .orphanTaps, weight: min(1, share), serious: 0.1,
        "\(FigureText.count(total.orphanTaps, "tap")) on pages that were never shown in their session.",
        total.missingEvents > 0
          ? "Where events are missing the showing was lost; else the app sends wrong page indexes."
          : "Nothing is missing, so the app sends wrong page indexes, or no page_shown.")
    }
  }

  mutating func judgeClocks() {
    judge(
      .suspectClocks, report.total.suspectClockSessions, serious: 0.1,
      "have a clock that cannot be right, so they count at their arrival",
      "Leave them out of reports with --where suspect_clock=no.")
    let rate = Rate(report.clocks.sessions, of: report.total.sessions)
    if let share = rate.value, share >= 0.05 {
      note(
        .clockOffsets, weight: share, serious: 2,
        "\(text.share(rate, of: "the sessions")) came from a clock that was off by more than five minutes; they were corrected.",
        "So many are no accident: see that sent_at is stamped anew at each attempt.")
    }
  }

  /// Notes a number of sessions that is at least 1 % of all.
  private mutating func judge(
    _ code: QualityCode, _ count: Int, serious: Double, _ fact: String, _ advice: String,
    counting what: String = "sessions"
  ) {
    let rate = Rate(count, of: report.total.sessions)
    guard let share = rate.value, share >= Self.notableShare else { return }
    let subject =
      what == "sessions"
      ? "\(text.share(rate, of: "the sessions")) \(fact)." : "\(FigureText.count(count)) times a session \(fact)."
    note(code, weight: min(1, share), serious: serious, subject, advice)
  }
}
