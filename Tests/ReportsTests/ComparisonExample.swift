import FunnelDocument

@testable import Reports

/// Sides of comparisons as tests write them down.
enum ComparisonExample {
  /// A side of a story of three pages.
  ///
  /// - Parameters:
  ///   - sessions: how many of the sessions reached each page.
  ///   - exited: how many left from each.
  static func side(
    _ label: String, story: String? = "spring-sale", presentations: Int? = nil, sessions: [Int], finished: Int,
    tapped: Int = 0, exited: [Int]? = nil, titles: [String?] = ["Welcome", "Sale", "Shop"],
    links: [Int: String] = [:], from: String? = "2026-11-01T00:00:00Z", to: String? = "2026-11-08T00:00:00Z",
    minimumCount: Int = 1, completeness: Completeness = Completeness()
  ) -> ComparedSide {
    let pages = sessions.enumerated().map { index, count in
      let next = index + 1 < sessions.count ? sessions[index + 1] : 0
      let finishedHere = index + 1 < sessions.count ? 0 : finished
      let left = exited?[index] ?? count - next - finishedHere
      return PageCounts(
        index: index, title: index < titles.count ? titles[index] : nil, link: links[index], impressions: count,
        sessions: count,
        strictSessions: count, completedSessions: next + finishedHere, taps: tapped / 2, tappedSessions: tapped / 2,
        departures: Departures(
          next: next, finished: finishedHere, exited: left, unknown: count - next - finishedHere - left))
    }
    let presented = presentations ?? sessions.first ?? 0
    let total = FunnelCounts(
      presentations: presented, fallbacks: presented - (sessions.first ?? 0), sessions: sessions.first ?? 0,
      finishedSessions: finished, reachedLastSessions: sessions.last ?? 0, tappedSessions: tapped, pages: pages,
      completeness: completeness)
    return ComparedSide(
      label: label,
      funnel: Funnel(
        report: FunnelReport(
          generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
          scope: FunnelScope(apps: ["shop"], story: story, from: from, to: to, minimumCount: minimumCount),
          total: total),
        coversAllApps: false, environments: [CountedName(name: "production", sessions: presented)],
        stories: story.map { [StoryCount(app: "shop", story: $0, sessions: presented)] } ?? []))
  }

  /// A comparison with some differences that hold and some that do not.
  static func usual() -> Comparison {
    Comparison(
      a: side(
        "story=spring-sale,from=2026-11-01,to=2026-11-07", presentations: 412, sessions: [400, 298, 210], finished: 160,
        tapped: 40, completeness: Completeness(expectedEvents: 2_100, missingEvents: 9)),
      b: side(
        "story=spring-sale-2,from=2026-11-01,to=2026-11-07", story: "spring-sale-2", presentations: 405,
        sessions: [402, 351, 236, 210], finished: 181, tapped: 44,
        titles: ["Welcome", "春のセール 🌸 mit Überlänge", nil, "Extra"],
        completeness: Completeness(expectedEvents: 2_400, missingEvents: 60, sessionsWithoutStart: 8)))
  }

  /// Sides with nothing in them.
  static func empty() -> Comparison {
    Comparison(
      a: side("locale=xx", story: nil, sessions: [], finished: 0),
      b: side("locale=yy", story: nil, sessions: [], finished: 0))
  }

  /// The usual one with texts that attack whatever shows them.
  static func hostile() -> Comparison {
    let text =
      "=cmd|'/c calc'!A1 \u{1B}[2J\u{7}\u{202E}esrever\r\n|<img src=x>@team `x` \u{9B}31m\u{0} \"q\", https://e.vil"
    var first = side(text, story: text, sessions: [400, 298, 210], finished: 160, titles: [text, text, nil])
    first.funnel.report.scope.apps = [text, "@b"]
    first.funnel.report.scope.filters = ["locale=" + text]
    let second = side("-" + text, story: "x", sessions: [400, 298, 2], finished: 1, titles: ["x", text + "x", nil])
    return Comparison(a: first, b: second)
  }
}
