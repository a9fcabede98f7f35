import FunnelDocument

@testable import Reports

/// Funnels to draw.
enum ExampleFunnel {
  /// Texts that attack whatever shows them: markup, an attribute's end, controls, a mark that turns what follows around.
  static let hostileText =
    "</script><img src=x onerror=alert(1)>\" onmouseover='x' &lt; \u{202E}esrever \u{1B}[2J\u{0}\u{2028} </style> ]]>"

  /// Three pages, two ways of next, groups, something missing.
  static func small() -> Funnel {
    let total = FunnelCounts(
      presentations: 412, fallbacks: 12, sessions: 400, finishedSessions: 160, reachedLastSessions: 210,
      tappedSessions: 40,
      pages: [
        page(
          0, "Welcome", 400,
          Departures(next: 300, nextAuto: 180, nextTap: 120, back: 20, tappedOut: 10, exited: 95, unknown: 5),
          DwellSummary(count: 320, medianMilliseconds: 3_012.5, ninetiethPercentileMilliseconds: 5_001)),
        page(
          1, "春のセール 🌸 mit Überlänge und noch sehr viel mehr, als in eine Zeile passt", 298,
          Departures(next: 212, back: 8, exited: 88, unknown: 2),
          DwellSummary(count: 250, medianMilliseconds: 850, ninetiethPercentileMilliseconds: 6_100)),
        page(2, nil, 210, Departures(looped: 4, finished: 160, tappedOut: 30, exited: 20), DwellSummary()),
      ],
      completeness: Completeness(
        expectedEvents: 2_100, missingEvents: 9, sessionsWithoutStart: 1, orphanTaps: 2, negativeDwells: 1,
        suspectClockSessions: 3, droppedByDevices: 4, rejectedEvents: ["invalid_text": 2, "invalid_seq": 1]))
    return Funnel(
      report: FunnelReport(
        generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
        scope: FunnelScope(
          apps: ["shop"], story: "spring-sale", from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
          timeZone: "Europe/Berlin", filters: ["locale=de_DE|en_US"]),
        total: total, groups: [group("4.2.0", 280), group("4.10.1", 100), group("(none)", 17), group("", 3)]),
      groupedBy: "app_version", coversAllApps: false,
      environments: [CountedName(name: "production", sessions: 360), CountedName(name: "simulator", sessions: 40)],
      stories: [StoryCount(app: "shop", story: "spring-sale", sessions: 400)],
      observed: ObservedRange(first: "2026-11-01T00:00:07+01:00", last: "2026-11-30T23:11:00+01:00"))
  }

  /// The small one, every text in it an attack.
  static func hostile() -> Funnel {
    var funnel = small()
    funnel.report.scope.story = hostileText
    funnel.report.scope.apps = [hostileText]
    funnel.report.scope.filters = [hostileText]
    funnel.groupedBy = "property:" + hostileText
    for page in funnel.report.total.pages.indices { funnel.report.total.pages[page].title = hostileText }
    funnel.report.groups = funnel.report.groups?.map { FunnelGroup(name: hostileText, counts: $0.counts) }
    funnel.environments = [CountedName(name: hostileText, sessions: 1), CountedName(name: "b", sessions: 1)]
    funnel.report.total.completeness.rejectedEvents = [hostileText: 1]
    return funnel
  }

  /// Nothing in the scope.
  static func empty() -> Funnel {
    Funnel(
      report: FunnelReport(
        generatedAt: "2026-12-01T03:00:00Z", scope: FunnelScope(apps: ["shop"], from: "2026-11-01T00:00:00Z"),
        total: FunnelCounts()),
      explanation: "No story was shown here; widen --from, --to, --story or --app to see what there is.")
  }

  /// Presentations that all fell back.
  static func withoutSessions() -> Funnel {
    var funnel = small()
    funnel.report.total = FunnelCounts(presentations: 12, fallbacks: 12)
    funnel.report.groups = nil
    return funnel
  }

  /// Too few presentations for rates.
  static func hidden() -> Funnel {
    var funnel = small()
    funnel.report.scope.minimumCount = 500
    return funnel
  }

  /// A thousand pages, each reached by fewer, the last hundreds by nobody.
  static func long() -> Funnel {
    var funnel = small()
    funnel.report.total.pages = (0..<1_000).map { index in
      let reached = max(0, 400 - index)
      return page(
        index, index % 7 == 0 ? nil : "Page \(index) " + String(repeating: "with a long title ", count: index % 9),
        reached,
        Departures(next: max(0, reached - 1), exited: min(1, reached)),
        DwellSummary(count: reached, medianMilliseconds: 900, ninetiethPercentileMilliseconds: 2_000))
    }
    return funnel
  }

  /// Two stories of many days, and one without a name.
  static func stories() -> StoriesReport {
    let days = (1...30).map { "2026-11-" + ($0 < 10 ? "0" : "") + "\($0)" }
    func line(_ app: String?, _ story: String?, _ sessions: Int, _ byDay: [Int]) -> StoryLine {
      StoryLine(
        app: app, story: story,
        counts: FunnelCounts(
          presentations: sessions + 9, fallbacks: 9, sessions: sessions, finishedSessions: sessions / 3,
          reachedLastSessions: sessions / 2, tappedSessions: sessions / 11,
          completeness: Completeness(expectedEvents: sessions * 5, missingEvents: sessions / 50)), pageCount: 4,
        firstSeen: "2026-11-01T00:00:07+01:00", lastSeen: "2026-11-30T23:11:00+01:00", sessionsByDay: byDay,
        devices: DeviceCounts(distinct: sessions * 3 / 4, presentationsWithDevice: sessions))
    }
    let growing = (0..<30).map { $0 * $0 + 5 }
    let ending = (0..<30).map { max(0, 200 - 12 * $0) }
    let rare = (0..<30).map { $0 % 9 == 0 ? 3 : 0 }
    let all = (0..<30).map { growing[$0] + ending[$0] + rare[$0] }
    return StoriesReport(
      generatedAt: "2026-12-01T03:00:00Z", dataThrough: "2026-12-01T02:59:58.113Z",
      scope: FunnelScope(
        apps: ["news", "shop"], from: "2026-11-01T00:00:00+01:00", to: "2026-12-01T00:00:00+01:00",
        timeZone: "Europe/Berlin"), coversAllApps: true,
      stories: [
        line("shop", "spring-sale", growing.reduce(0, +), growing),
        line("news", hostileText, ending.reduce(0, +), ending),
        line("shop", nil, rare.reduce(0, +), rare),
      ], total: line(nil, nil, all.reduce(0, +), all), days: days, explanation: nil, hiddenStories: 2)
  }

  /// The small one beside one in which more finished.
  static func comparison() -> Comparison {
    var other = small()
    other.report.scope.story = "spring-sale-2"
    other.report.total.finishedSessions = 214
    other.report.total.reachedLastSessions = 231
    other.report.total.pages[1].title = "Autumn"
    other.report.total.pages[1].tappedSessions = 60
    other.report.total.pages[1].taps = 60
    return Comparison(
      a: ComparedSide(label: "story=spring-sale", funnel: small()),
      b: ComparedSide(label: "story=spring-sale-2", funnel: other))
  }

  /// The hostile one beside itself.
  static func hostileComparison() -> Comparison {
    Comparison(
      a: ComparedSide(label: hostileText, funnel: hostile()), b: ComparedSide(label: hostileText, funnel: hostile()),
      presentationsInBoth: 3)
  }

  private static func page(
    _ index: Int, _ title: String?, _ sessions: Int, _ departures: Departures, _ dwell: DwellSummary
  ) -> PageCounts {
    PageCounts(
      index: index, title: title, impressions: departures.total, sessions: sessions,
      strictSessions: max(0, sessions - index), completedSessions: min(sessions, departures.next + departures.finished),
      taps: min(25, sessions), tappedSessions: min(24, sessions), departures: departures, dwell: dwell)
  }

  private static func group(_ name: String, _ sessions: Int) -> FunnelGroup {
    let shares = [1, 0.75, 0.5]
    return FunnelGroup(
      name: name,
      counts: FunnelCounts(
        presentations: sessions + 3, fallbacks: 3, sessions: sessions, finishedSessions: sessions / 3,
        reachedLastSessions: sessions / 2, tappedSessions: sessions / 10,
        pages: shares.enumerated().map { index, share in
          let reached = Int(Double(sessions) * share)
          return PageCounts(
            index: index, impressions: reached, sessions: reached, departures: Departures(exited: reached))
        }))
  }
}
