import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import TestSupport
import Testing

@Suite struct `Conditions` {
  /// Every field that there is.
  private static let fields = SessionField.names.dropLast() + ["property:tier", "property:o'ther \\ \"q\""]

  @Test func `of every field hold as a naive reading says, and with their opposites add up to everything`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("conditions: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let sessions = (0..<150).map { _ in RandomSession.draw(story: nil, &random) }
    let world = try StoredWorld(sessions)
    let everything = try world.report().report.total
    for (number, field) in Self.fields.enumerated() {
      let zone = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe"][number % 4]
      let naive = NaiveCondition(zone: zone)
      // What is there, and something that is not.
      let known = Set(try sessions.compactMap { try naive.value(of: field, $0) }).sorted()
      var lists = known.shuffled(using: &random).prefix(2).map { [$0] }
      if known.count > 1 {
        lists.append(Array(known.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random))))
      }
      if field != "app", !known.contains("yes"), !known.contains("no"),
        !["day", "week", "hour", "weekday"].contains(field)
      {
        lists += [["(none)"], ["(none)", known.first ?? "x"], ["nobody said this"]]
      }
      for values in lists {
        var sum = FunnelCounts()
        for isNegated in [false, true] {
          let condition = try SessionCondition(SessionField(argument: field), isNegated: isNegated, values: values)
          let text = condition.description
          var scope = ReportScope(timeZone: try ReportTimeZone(named: zone))
          scope.add(try SessionFilter(argument: text).conditions)
          // A single story that nobody told is an error, not an empty report.
          if field == "story_id", scope.story != .all, values == ["nobody said this"] { continue }
          let expected = try NaiveFunnel(sessions.filter { try naive.holds(field, isNegated: isNegated, values, $0) })
            .counts
          let total = try world.report(scope).report.total
          #expect(total == expected, "\(text) in \(zone) of seed \(seed)")
          sum = sum + total
        }
        if values != ["nobody said this"] || field != "story_id" {
          #expect(sum.withoutQuantiles == everything.withoutQuantiles, "\(field) \(values) of seed \(seed)")
        }
      }
    }
  }

  @Test func `hold together, and beside a story and a range`() throws {
    var random = SeededGenerator(seed: 11)
    let sessions = (0..<200).map { _ in RandomSession.draw(story: "world", &random) }
    let world = try StoredWorld(sessions)
    let naive = NaiveCondition()
    var scope = ReportScope(story: .named("world"))
    scope.add(try SessionFilter(argument: "locale=a|b,app_version!=c,finished=no,weekday!=Monday").conditions)
    let expected = try sessions.filter {
      try naive.holds("locale", isNegated: false, ["a", "b"], $0)
        && naive.holds("app_version", isNegated: true, ["c"], $0)
        && naive.holds("finished", isNegated: false, ["no"], $0)
        && naive.holds("weekday", isNegated: true, ["Monday"], $0)
    }
    let report = try world.report(scope).report
    #expect(report.total == NaiveFunnel(expected).counts && report.total.sessions > 0)
    #expect(
      report.scope.filters == ["locale=a|b", "app_version!=c", "finished=no", "weekday!=Monday"])
    // Twice the same field: both must hold.
    scope.add(try SessionFilter(argument: "locale=c").conditions)
    #expect(try world.report(scope).isEmpty)
  }

  @Test func `find hostile texts, each by itself`() throws {
    let texts = [
      "'", "''", "\\", "\\'", "\"", "'; DROP TABLE pagefall.sessions; --", "$$", "$1", "E'\\x41'", "caf\u{E9}",
      "cafe\u{301}",
      "\u{301}", "(none) ", " (none)", "(other)", "", " ", "\n", "\u{1B}[2J", "\u{202E}x", "iPhone17,1", "a|b",
      "a,locale=de", "%", "_",
      "NULL", "null", "👩‍👩‍👧", "{a,b}", "*",
    ]
    let world = try StoredWorld(
      texts.map { text in
        let json = JSONValue.object([JSONMember("tier", .string(text))]).text()
        return WorldSession(
          "start/1 0", story: text, context: ["device_model": text], properties: json)
      })
    for text in texts {
      for field: SessionField in [.context(.deviceModel), .property("tier"), .context(.storyID)] {
        for isNegated in [false, true] {
          var scope = ReportScope()
          let condition = try SessionCondition(field, isNegated: isNegated, values: [text])
          scope.add(try SessionFilter(argument: condition.description).conditions)
          let count = try world.report(scope).report.total.sessions
          #expect(count == (isNegated ? texts.count - 1 : 1), "\(condition)")
        }
      }
    }
    let pair = try SessionFilter(argument: "device_model=caf\u{E9}|iPhone17,1")
    #expect(try world.report(ReportScope(conditions: pair.conditions)).report.total.sessions == 2)
  }

  @Test func `take a sender's (none) for what was not said`() throws {
    let world = try StoredWorld(
      ["(none)", nil, "de", nil].map { text in
        WorldSession("start/1 0", story: text, context: text.map { ["locale": $0] } ?? [:])
      })
    for (filter, count) in [
      ("locale=(none)", 3), ("locale!=(none)", 1), ("locale=de|(none)", 4), ("story=(none)", 3), ("story!=(none)", 1),
      ("story=(none)|de", 4), ("story!=de", 3),
    ] {
      var scope = ReportScope()
      scope.add(try SessionFilter(argument: filter).conditions)
      #expect(try world.report(scope).report.total.sessions == count, "\(filter)")
    }
  }

  @Test func `of a megabyte, or of a zero byte, harm nothing`() throws {
    let world = try StoredWorld([WorldSession("start/1 0", context: ["user_id": "ann"])])
    let long = String(repeating: "it's\\\\", count: (1 << 20) / 6)
    let conditions = try SessionFilter(argument: "user_id!=\(long)").conditions
    #expect(try world.report(ReportScope(conditions: conditions)).report.total.sessions == 1)
    #expect(try world.report(ReportScope(groupBy: .property(long))).report.groups?.map(\.name) == ["(none)"])
    #expect(throws: ReportError.self) { try SessionCondition(.context(.userID), values: ["a\u{0}"]) }
    #expect(throws: ReportError.self) { try SessionField(argument: "property:\u{0}") }
  }

  @Test func `on an app or a story that is not there are errors; on anything else the report is empty`() throws {
    let world = try StoredWorld([WorldSession("start/1 0", context: ["locale": "de"])])
    func report(_ filter: String) throws -> Funnel {
      var scope = ReportScope()
      scope.add(try SessionFilter(argument: filter).conditions)
      return try world.report(scope)
    }
    for (filter, words) in [
      ("app=nwes", "there is no app 'nwes'; there is 'shop'"), ("app!=nwes", "there is no app"),
      ("story=autumn", "there is no story 'autumn'; there is 'spring-sale'"),
    ] {
      let error = try #require(throws: ReportError.self) { try report(filter) }
      #expect(error.kind == .usage && error.description.contains(words))
    }
    for filter in ["locale=fr", "story=a|b", "story!=spring-sale", "app!=shop", "day=2020-01-01", "suspect_clock=yes"] {
      let funnel = try report(filter)
      #expect(funnel.isEmpty && funnel.explanation?.contains("--where") == true, "\(filter)")
    }
  }
}
