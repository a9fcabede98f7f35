import EventStore
import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import TestSupport
import Testing

@Suite struct `Answers to notifications` {
  private static func button(_ category: String, _ button: String) -> AnsweredSession.Answer {
    AnsweredSession.Answer(action: .button, categoryID: category, buttonID: button)
  }

  private static func open(_ category: String? = nil) -> AnsweredSession.Answer {
    AnsweredSession.Answer(action: .default, categoryID: category)
  }

  private static func definition(_ id: String, _ buttons: [(String, String)]) -> CategoryDefinition {
    CategoryDefinition(
      id: id,
      buttons: buttons.map { ButtonDefinition(id: $0.0, label: $0.1, isDestructive: $0.0 == "0", opensApp: true) })
  }

  // MARK: Random worlds

  @Test func `of random worlds have the numbers of the naive definitions, in the total and in groups`() throws {
    let seed = SeededGenerator.worldsSeed
    var random = SeededGenerator(seed: seed, stream: 11)
    let sessions = (0..<400).map { _ in AnsweredSession.draw(&random) }
    let world = try StoredWorld(answered: sessions)
    try world.importCategories([
      Self.definition("65", [("0", "A"), ("1", "B"), ("9", "C")]), Self.definition("66", []),
    ])
    for (place, name) in [
      "app", "app_version", "locale", "day", "weekday", "hour", "property:tier", "tapped",
      "suspect_clock", "fallback_reason", "device_id",
    ].enumerated() {
      let zone = ["UTC", "America/Sao_Paulo", "Australia/Lord_Howe"][place % 3]
      var scope = ReportScope(timeZone: try ReportTimeZone(named: zone), groupBy: try SessionField(argument: name))
      let naive = NaiveCondition(zone: zone)
      var wanted = sessions
      if place.isMultiple(of: 2) {
        scope.add(try SessionFilter(argument: "environment!=b").conditions)
        wanted = try sessions.filter { try naive.holds("environment", isNegated: true, ["b"], $0.session) }
      }
      let report = try world.buttons(scope).report
      check(report.total, report.categories, wanted, "seed \(seed), by \(name)")
      let suspect = NaiveButtons(wanted).sessions.filter(\.session.hasSuspectClock)
      #expect(report.losses.suspectClockSessions == suspect.count, "seed \(seed), by \(name)")
      let groups = try #require(report.groups)
      let values = try NaiveButtons(wanted).sessions.map { try naive.value(of: name, $0.session) ?? "(none)" }
      #expect(Set(groups.map { Array($0.name.utf8) }) == Set(values.map { Array($0.utf8) }), "seed \(seed), by \(name)")
      for group in groups {
        let own = try wanted.filter {
          Array((try naive.value(of: name, $0.session) ?? "(none)").utf8) == Array(group.name.utf8)
        }
        check(group.counts, group.categories, own, "seed \(seed), \(name) \(group.name)")
      }
    }
  }

  private func check(
    _ counts: ResponseCounts, _ lines: [CategoryLine], _ sessions: [AnsweredSession], _ comment: String
  ) {
    let naive = NaiveButtons(sessions)
    #expect(counts == naive.counts(), "\(comment)")
    let keys = lines.map { [NaiveButtons.key($0.app), NaiveButtons.key($0.categoryID)] }
    #expect(Set(keys) == naive.categories && keys.count == naive.categories.count, "\(comment)")
    for (key, line) in zip(keys, lines) {
      #expect(line.counts == naive.counts(ofCategory: key), "\(comment)")
      let pressed = line.buttons.filter { $0.responses > 0 }.map { (Array($0.buttonID.utf8), $0.responses) }
      #expect(Dictionary(pressed, uniquingKeysWith: +) == naive.buttons(ofCategory: key), "\(comment)")
      let isImported = line.app == "shop" && (line.categoryID == "65" || line.categoryID == "66")
      #expect(line.isKnown == isImported, "\(comment)")
      if isImported, line.categoryID == "65" {
        #expect(line.buttons.prefix(3).map(\.label) == ["A", "B", "C"], "\(comment)")
      }
      for button in line.buttons { #expect(button.isCurrent == (button.label != nil), "\(comment)") }
    }
  }

  @Test func `are the largest groups and all others together, however many groups there are`() throws {
    let sessions = (0..<60).map { number in
      AnsweredSession([Self.button("65", "\(number % 2)")]) { $0.context["device_id"] = "d\(number / 6)" }
    }
    let more = ["d3", "d3", "d0"].map { device in
      AnsweredSession([Self.open("65")]) { $0.context["device_id"] = device }
    }
    let world = try StoredWorld(answered: sessions + more)
    let scope = ReportScope(groupBy: try SessionField(argument: "device_id"), mostGroups: 2)
    let groups = try #require(try world.buttons(scope).report.groups)
    #expect(groups.map(\.name) == ["d3", "d0", "(other)"])
    #expect(groups.map(\.counts.responses) == [8, 7, 48])
    #expect(groups.map(\.mergedGroups) == [nil, nil, 8])
    #expect(groups[2].categories.first?.buttons.map(\.responses) == [24, 24])
  }

  // MARK: Definitions

  @Test func `a session is one response, that of its first event by seq`() throws {
    let world = try StoredWorld(answered: [
      AnsweredSession([Self.button("65", "1"), Self.open("66"), Self.button("65", "0")]),
      AnsweredSession([Self.open(), Self.button("65", "0")]),
    ])
    let report = try world.buttons().report
    #expect(report.total.responses == 2 && report.total.buttonResponses == 1 && report.total.opens == 1)
    #expect(report.categories.map(\.categoryID) == ["65", nil])
    #expect(report.categories[0].buttons.map(\.buttonID) == ["1"])
    #expect(report.total.expectedEvents == 5 && report.total.missingEvents == 0)
  }

  @Test func `labels are those of the newest version that has the button`() throws {
    let answers = ["0", "1", "2", "3", "3"].map { AnsweredSession([Self.button("65", $0)]) }
    let world = try StoredWorld(answered: answers + [AnsweredSession([Self.button("66", "a")])])
    try world.importCategories(
      [Self.definition("65", [("0", "Old"), ("1", "First"), ("8", "Never")]), Self.definition("66", [("a", "Gone")])],
      at: 1_000_000)
    try world.importCategories([Self.definition("65", [("1", "Second"), ("0", "Old")])], at: 2_000_000)
    try world.importCategories([Self.definition("65", [("9", "Unpressed"), ("0", "New")])], at: 3_000_000)
    // Another app's category of the same id is another category.
    try world.importCategories([Self.definition("65", [("0", "Foreign"), ("3", "Foreign")])], app: "news")
    let report = try world.buttons().report
    let lines = report.categories[0].buttons
    #expect(lines.map(\.buttonID) == ["9", "0", "3", "1", "2"])
    #expect(lines.map(\.label) == ["Unpressed", "New", nil, "Second", nil])
    #expect(lines.map(\.isCurrent) == [true, true, false, false, false])
    #expect(lines.map(\.responses) == [0, 1, 2, 1, 1])
    #expect(lines.map(\.isDestructive) == [false, true, nil, false, nil])
    let ended = report.categories[1]
    #expect(ended.isKnown && ended.buttons.map(\.label) == ["Gone"] && ended.buttons.map(\.isCurrent) == [false])
  }

  @Test func `few responses have no rates, and are counted all the same`() throws {
    let world = try StoredWorld(answered: [
      AnsweredSession([Self.button("65", "1")]), AnsweredSession([Self.open("65")]), AnsweredSession([Self.open("66")]),
    ])
    let json = try world.buttons(ReportScope(minimumCount: 2)).report.json
    let lines = try #require(json["categories"]?.arrayValue)
    #expect(lines.map { $0["open_rate"] } == [.number(0.5), .null])
    #expect(lines.map { $0["responses"]?.integerValue } == [2, 1])
    #expect(lines[0]["buttons"]?.arrayValue?.first?["share"] == .number(0.5))
  }

  @Test func `categories stand in the order that was asked for, and what is cut off is in the total`() throws {
    let world = try StoredWorld(answered: [
      AnsweredSession([Self.button("1", "a")]), AnsweredSession([Self.button("1", "a")]),
      AnsweredSession([Self.open("1")]), AnsweredSession([Self.open("2")]), AnsweredSession([Self.open("2")]),
      AnsweredSession([Self.button("3", "b")]) { $0.app = "news" },
    ])
    func ids(_ argument: String, limit: Int? = nil) throws -> [String?] {
      try world.buttons(order: ButtonsOrder(argument: argument), limit: limit).report.categories.map(\.categoryID)
    }
    #expect(try ids("responses") == ["1", "2", "3"])
    #expect(try ids("-responses") == ["3", "2", "1"])
    #expect(try ids("app") == ["3", "1", "2"])
    #expect(try ids("-category_id") == ["3", "2", "1"])
    #expect(try ids("open_rate") == ["2", "1", "3"])
    #expect(try ids("button_rate", limit: 1) == ["3"])
    let cut = try world.buttons(limit: 1).report
    #expect(cut.hiddenCategories == 2 && cut.total.responses == 6)
    let error = #expect(throws: ReportError.self) { try ButtonsOrder(argument: "labels") }
    #expect(error?.description.contains("there is responses, app, category_id") == true)
  }

  @Test func `nothing to report is said, and so is a story that is not there`() throws {
    let world = try StoredWorld()
    #expect(try world.buttons().explanation == "No app has sent anything yet.")
    try world.store([WorldSession("start/2 0 1")])
    #expect(try world.buttons().explanation?.hasPrefix("No notification was answered yet: no") == true)
    let narrowed = try world.buttons(ReportScope(apps: ["shop"])).explanation
    #expect(narrowed?.hasPrefix("No notification was answered here; widen") == true)
    #expect(throws: ReportError.self) { try world.buttons(ReportScope(story: .named("winter"))) }
  }

  // MARK: Hostile senders

  @Test func `more categories than can be counted are refused in a line`() throws {
    let world = try StoredWorld()
    try world.store([WorldSession("start/1")])
    try Self.flood(world, sessions: 10_001, category: "'c' || n", button: "'b'")
    let error = #expect(throws: ReportError.self) { try world.buttons() }
    #expect(error?.description.hasPrefix("there are more than 10000 categories here; narrow the report") == true)
  }

  @Test func `more buttons than can be counted are refused in a line`() throws {
    let world = try StoredWorld()
    try world.store([WorldSession("start/1")])
    try Self.flood(world, sessions: 20_001, category: "'c'", button: "'b' || n")
    let error = #expect(throws: ReportError.self) { try world.buttons() }
    #expect(error?.description.hasPrefix("there are more than 20000 different buttons here; narrow the report") == true)
  }

  @Test func `more groups than can be counted are refused, or the largest of them shown`() throws {
    let world = try StoredWorld()
    try world.store([WorldSession("start/1")])
    try Self.flood(world, sessions: 10_002, category: "'c'", button: "'b' || n % 3")
    let field = try SessionField(argument: "user_id")
    let error = #expect(throws: ReportError.self) { try world.buttons(ReportScope(groupBy: field)) }
    #expect(error?.description.contains("has more than 10000 values here; show the largest with --top N") == true)
    let report = try world.buttons(ReportScope(groupBy: field, mostGroups: 3)).report
    #expect(report.total.responses == 10_002)
    #expect(report.groups?.map(\.counts.responses) == [2, 1, 1, 9_998])
    #expect(report.groups?.last?.mergedGroups == 9_998)
  }

  /// So many sessions with an answer by a button each; users are different but for two sessions.
  private static func flood(_ world: StoredWorld, sessions: Int, category: String, button: String) throws {
    let id = "('019aca00-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
    try world.execute(
      """
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, user_id)
        SELECT \(id), 1, '2026-11-29T10:00:00Z', '2026-11-29T10:00:00Z', 0, 0, 'u' || greatest(n, 2)
        FROM generate_series(1, \(sessions)) n;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at, action, category_id, button_id)
        SELECT \(id), 0, 11, '2026-11-29T10:00:00Z', 0, \(category), \(button) FROM generate_series(1, \(sessions)) n;
      """)
  }
}
