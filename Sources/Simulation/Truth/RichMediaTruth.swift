import FunnelDocument
import StoryEvents

/// Counts what a report of rich media must show, session by session, by the definitions of docs/rich-media.md in plain
/// Swift. It shares nothing with the reports.
///
/// It holds the length of every wait and of every time open, since quantiles need them all.
struct RichMediaTruth: Sendable {
  private var total = Lines()
  private var groups = GroupTallies(Lines())
  private var naming: GroupNaming
  private var suspectClockSessions = 0
  /// After how long a content's window closes itself, in microseconds; nil is never.
  private let timers: [Int64?]

  private struct Lines: Sendable {
    var all = RichMediaTally()
    var byCode = GroupTallies(RichMediaTally())

    var lines: [(code: String, counts: RichMediaCounts)] {
      zip(byCode.names, byCode.tallies).map { (code: $0, counts: $1.counts) }
    }
  }

  init(_ world: RichMediaWorld, _ configuration: WorldConfiguration) {
    naming = GroupNaming(configuration)
    timers = world.contents.map { content in
      content.content.window.autoCloseSeconds.map { Int64(($0 * 1_000_000).rounded()) }
    }
  }

  /// Counts a session from the events that are delivered of it. They may be out of order and repeated.
  mutating func count(_ session: SimulatedSession) {
    let events = SessionEvents(session.events)
    guard case .richMedia(let content) = session.surface, let code = events.events.first?.contentCode else { return }
    if session.hasSuspectClock { suspectClockSessions += 1 }
    let timer = timers[content]
    func count(_ lines: inout Lines) {
      lines.all.count(events, timerMicroseconds: timer)
      lines.byCode.update(code) { $0.count(events, timerMicroseconds: timer) }
    }
    count(&total)
    if naming.isExplicit { groups.update(naming.name(of: session), count) }
  }

  /// The report; with groups where the configuration asks for some.
  func report(_ configuration: WorldConfiguration, dataThrough: String?) -> RichMediaReport {
    let app = configuration.appName
    func lines(_ lines: Lines) -> [RichMediaLine] {
      lines.lines.map { RichMediaLine(app: app, contentCode: $0.code, counts: $0.counts) }
        .sorted(by: RichMediaLine.precedes)
    }
    let named = zip(groups.names, groups.tallies).map { name, tally in
      RichMediaGroup(name: name, counts: tally.all.counts, contents: lines(tally))
    }
    return RichMediaReport(
      generatedAt: TimestampWriter.text(configuration.endingMicroseconds), dataThrough: dataThrough,
      scope: configuration.surfaceScope, total: total.all.counts, contents: lines(total),
      groups: naming.isExplicit ? naming.ordered(named, name: \.name) { $0.counts.presentations } : nil,
      losses: SurfaceLosses(suspectClockSessions: suspectClockSessions))
  }
}

extension WorldConfiguration {
  /// What a report of a surface other than stories is asked for.
  var surfaceScope: FunnelScope { FunnelScope(apps: [appName], timeZone: truthGrouping?.timeZoneName ?? "UTC") }
}
