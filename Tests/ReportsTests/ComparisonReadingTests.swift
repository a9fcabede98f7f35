import FunnelDocument
import LocalTime
import Postgres
import TestSupport
import Testing

@testable import Reports

@Suite struct `A comparison of stored sessions` {
  private func compare(_ world: StoredWorld, _ a: ReportScope, _ b: ReportScope) throws -> Comparison {
    var connection = try world.connect()
    return try ComparisonReporter.run(
      a: ComparedScope(label: "a", scope: a), b: ComparedScope(label: "b", scope: b), on: &connection,
      nowMicroseconds: reportTimeMicroseconds)
  }

  private func scope(_ filter: String, order: FunnelOrder = .reached) throws -> ReportScope {
    var scope = ReportScope(order: order)
    let parsed = try SessionFilter(argument: filter, hasRange: true)
    scope.add(parsed.conditions)
    scope.range = try TimeRange(
      from: parsed.from, to: parsed.to, timeZone: .utc, nowMicroseconds: reportTimeMicroseconds)
    return scope
  }

  @Test func `takes two ways to write an accent for two stories`() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    let world = try StoredWorld([
      WorldSession("start/2 0 1", story: one, context: ["environment": one]),
      WorldSession("start/2 0", story: one, context: ["environment": two]),
      WorldSession("start/2 0 1 finish", story: two),
    ])
    let compared = try compare(world, scope("story=\(one)"), scope("story=\(two)"))
    #expect(compared.a.counts.presentations == 2 && compared.b.counts.presentations == 1)
    #expect(compared.presentationsInBoth == 0)
    #expect(compared.a.funnel.environments.map(\.sessions) == [1, 1])
    let all = try compare(world, scope("story=\(one)|\(two)"), scope("story=\(one)|\(two)"))
    #expect(all.presentationsInBoth == 3)
    #expect(all.conclusions.contains { $0.hasPrefix("Both sides are the same sessions") })
    #expect(all.conclusions.contains { $0.hasPrefix("Both sides hold several stories") })
  }

  @Test func `has the naive numbers on each side, and what is on both counted one by one`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("compared worlds: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let histories = [
      "start/3 0 1 2 finish", "start/3 0 1", "start/3 0 tap/0", "start/2 0", "fallback", "start/3 0 - 2 finish",
      "media",
      "0 1 finish", "dismiss", "start/4 0 1 0 1 2 3",
    ]
    let sessions = (0..<400).map { _ in
      WorldSession(
        histories.randomElement(using: &random) ?? "", app: ["shop", "news"].randomElement(using: &random) ?? "",
        story: [nil, "one", "two"].randomElement(using: &random) ?? nil,
        startedAt: "2026-11-\(Int.random(in: 10...29, using: &random))T10:00:00Z",
        context: ["locale": ["de", "en"].randomElement(using: &random) ?? ""])
    }
    let world = try StoredWorld(sessions)
    let filters: [(text: String, holds: (WorldSession) -> Bool)] = [
      ("story=one", { $0.story == "one" }), ("story=two", { $0.story == "two" }), ("story=(none)", { $0.story == nil }),
      ("story=one|two", { $0.story != nil }), ("locale=de", { $0.context["locale"] == "de" }),
      ("locale!=de", { $0.context["locale"] != "de" }), ("app=shop", { $0.app == "shop" }),
      ("app=news,locale=en", { $0.app == "news" && $0.context["locale"] == "en" }),
      ("app=shop|news", { _ in true }), ("tapped=yes", { $0.events.contains { $0.type == .actionTap } }),
      ("tapped=no", { !$0.events.contains { $0.type == .actionTap } }),
      ("locale=de,to=2026-11-19", { $0.context["locale"] == "de" && $0.startedAt < "2026-11-20" }),
      ("locale=de,from=2026-11-20", { $0.context["locale"] == "de" && $0.startedAt >= "2026-11-20" }),
      ("day=2026-11-20", { $0.startedAt.hasPrefix("2026-11-20") }), ("locale=xx", { _ in false }),
    ]
    for first in filters {
      for second in filters where Int.random(in: 0..<3, using: &random) == 0 || first.text == second.text {
        let name = "\(first.text) and \(second.text), seed \(seed)"
        let compared = try compare(world, scope(first.text), scope(second.text))
        #expect(compared.a.counts == NaiveFunnel(sessions.filter(first.holds)).counts, "\(name)")
        #expect(compared.b.counts == NaiveFunnel(sessions.filter(second.holds)).counts, "\(name)")
        let both = sessions.filter { first.holds($0) && second.holds($0) }
        #expect(compared.presentationsInBoth == NaiveFunnel(both).counts.presentations, "\(name)")
      }
    }
  }

  @Test(arguments: ["story=", "user_id=", "property:caf\u{E9}="])
  func `takes two ways to write an accent for two values`(_ field: String) throws {
    let texts = ["caf\u{E9}", "cafe\u{301}"]
    let world = try StoredWorld(
      texts.map {
        WorldSession("start/1 0", story: $0, context: ["user_id": $0], properties: "{\"caf\u{E9}\": \"\($0)\"}")
      })
    let compared = try compare(world, scope(field + texts[0]), scope(field + texts[1]))
    #expect(compared.presentationsInBoth == 0 && compared.a.counts.presentations == 1)
    #expect(compared.b.counts.presentations == 1)
    let same = try compare(world, scope(field + texts[0]), scope(field + texts[0]))
    #expect(same.presentationsInBoth == 1)
  }

  @Test func `is read by the order that is asked for`() throws {
    let world = try StoredWorld([WorldSession("start/3 0 2 1"), WorldSession("start/3 0 1 2")])
    let compared = try compare(world, scope("story=spring-sale"), scope("story=spring-sale", order: .strict))
    #expect(compared.pages[2].rates[0].comparison.a == Rate(2, of: 2))
    #expect(compared.pages[2].rates[0].comparison.b == Rate(1, of: 2))
  }

  @Test func `names the pages that differ by title or link`() throws {
    let world = try StoredWorld([
      WorldSession("start/3 0 1 2", story: "one"), WorldSession("start/3 0 1 2", story: "two"),
    ])
    try world.execute(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, link, updated_at)
      SELECT 1, s, p, CASE WHEN p = 1 THEN s ELSE 'same' END, CASE WHEN p = 2 THEN s ELSE 'app://same' END, now()
      FROM unnest(ARRAY['one', 'two']) s, generate_series(0, 2) p
      """)
    let compared = try compare(world, scope("story=one"), scope("story=two"))
    #expect(compared.pages.map(\.isAnotherPage) == [false, true, true])
    #expect(compared.pages.map(\.titleOfA) == ["same", "one", "same"])
    #expect(compared.conclusions.contains { $0.hasPrefix("Pages 1 and 2 are not the same on both sides") })
    let all = try compare(world, scope("story=one|two"), scope("story=two"))
    #expect(all.conclusions.contains { $0.hasPrefix("Side A holds several stories") })
    #expect(all.presentationsInBoth == 1)
  }

  @Test(arguments: [("story=on", "there is no story 'on'; there is 'one'"), ("app=shops", "there is no app 'shops'")])
  func `says on which side something is not there, and what is`(_ filter: String, _ message: String) throws {
    let world = try StoredWorld([WorldSession("start/1 0", story: "one")])
    #expect {
      _ = try compare(world, scope("story=one"), scope(filter))
    } throws: { error in
      (error as? ReportError)?.kind == .usage && "\(error)".hasPrefix("side B, 'b': \(message)")
    }
  }

  @Test func `of nothing at all is empty on both sides`() throws {
    let compared = try compare(StoredWorld(), ReportScope(), try scope("locale=de"))
    #expect(compared.isEmpty && compared.pages.isEmpty && compared.presentationsInBoth == 0)
    #expect(compared.conclusions == ["Neither side has a presentation, so there is nothing to compare."])
  }
}
