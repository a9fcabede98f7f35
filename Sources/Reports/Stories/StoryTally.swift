import FunnelDocument
import SessionMetrics

/// The running counts of one story, or of all.
struct StoryTally {
  private(set) var sessions = SessionTally()
  private(set) var days = DayCounter()
  private(set) var devices = DeviceTally()
  /// The starts of its first and its last presentation, in microseconds since 1970.
  private(set) var firstStart = Int64.max
  private(set) var lastStart = Int64.min

  /// Counts a presentation.
  ///
  /// - Parameter day: the local day of its start, in days since 1970.
  mutating func count(
    _ session: borrowing JudgedSession, hasSuspectClock: Bool, startedAtMicroseconds: Int64, day: Int64
  ) {
    sessions.count(session, hasSuspectClock: hasSuspectClock)
    firstStart = min(firstStart, startedAtMicroseconds)
    lastStart = max(lastStart, startedAtMicroseconds)
    if session.isStorySession { days.count(day) }
  }

  /// Counts its device.
  mutating func count(device: TextHash?) { devices.count(device) }

  /// Takes in the devices of another story.
  mutating func addDevices(_ other: StoryTally) { devices.add(other.devices) }

  /// The line of it.
  func line(
    app: String?, story: String?, days shown: ClosedRange<Int64>?, countsDevices: Bool, _ frame: ReportFrame
  ) -> StoryLine {
    StoryLine(
      app: app, story: story, counts: sessions.counts, pageCount: sessions.pageSpan,
      firstSeen: firstStart == .max ? "" : frame.local(firstStart),
      lastSeen: firstStart == .max ? "" : frame.local(lastStart),
      sessionsByDay: shown.map { days.counts(of: $0) } ?? [], devices: countsDevices ? devices.counts : nil)
  }
}
