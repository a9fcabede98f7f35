import Reports
import StoryEvents
import TestSupport
import Testing

@Suite struct `A filter` {
  private func texts(_ argument: String, hasRange: Bool = false) throws -> [String] {
    try SessionFilter(argument: argument, hasRange: hasRange).conditions.map {
      "\($0.field.name) \($0.isNegated ? "!=" : "=") \($0.values.joined(separator: " or "))"
    }
  }

  @Test(
    arguments: [
      ("app_version=4.2.0", ["app_version = 4.2.0"]),
      ("app_version!=4.2.0|4.1.3", ["app_version != 4.2.0 or 4.1.3"]),
      ("locale=de_DE,app_version=4.2.0", ["locale = de_DE", "app_version = 4.2.0"]),
      ("locale=de_DE, app_version!=4.2.0", ["locale = de_DE", "app_version != 4.2.0"]),
      ("device_model=iPhone17,1", ["device_model = iPhone17,1"]),
      ("device_model=iPhone17,1|iPad16,3,locale=de", ["device_model = iPhone17,1 or iPad16,3", "locale = de"]),
      // What follows the comma is no field.
      ("user_id=cn=ann,dc=shop", ["user_id = cn=ann,dc=shop"]),
      ("user_id=a\\,locale=de", ["user_id = a,locale=de"]),
      ("user_id=a\\|b|c", ["user_id = a|b or c"]),
      ("user_id=\\\\", ["user_id = \\"]),
      ("user_id=a\\", ["user_id = a\\"]),
      ("user_id=", ["user_id = "]),
      ("user_id=a|", ["user_id = a or "]),
      ("user_id= a ", ["user_id =  a "]),
      ("user_id==", ["user_id = ="]),
      ("user_id!==", ["user_id != ="]),
      ("user_id=a!=b", ["user_id = a!=b"]),
      ("user_id=a,", ["user_id = a,"]),
      ("story=spring-sale", ["story_id = spring-sale"]),
      ("story_id=(none)", ["story_id = (none)"]),
      ("property:tier=gold", ["property:tier = gold"]),
      ("property:a\\=b\\!=c", ["property:a=b! = c"]),
      ("property:a!!=c", ["property:a! != c"]),
      ("property:a,property:b=c,property:d=e", ["property:a,property:b = c", "property:d = e"]),
      ("property:\u{301}=x", ["property:\u{301} = x"]),
      ("weekday=monday|SUNDAY", ["weekday = Monday or Sunday"]),
      ("hour=7|07|23", ["hour = 07 or 07 or 23"]),
      ("week=2026-w5", ["week = 2026-W05"]),
      ("day!=2026-11-01", ["day != 2026-11-01"]),
      ("finished=YES|0", ["finished = yes or no"]),
      ("fallback_reason=(no fallback)", ["fallback_reason = (no fallback)"]),
    ] as [(String, [String])])
  func `is read as conditions`(_ argument: String, _ conditions: [String]) throws {
    #expect(try texts(argument) == conditions)
  }

  @Test(arguments: [
    "", " ", "app_version", "=4.2.0", "!=4.2.0", ",app_version=1", "App_version=1", "app_version =1", "property:=1",
    "properties=1", "story_\u{457}d=1", "day=2026-02-30", "day=today", "day=", "week=2026-W54", "week=2025-W53",
    "week=2026-W0",
    "week=2026W01", "week=+026-W01", "week=2026-W+1", "weekday=Mon", "hour=24", "hour=-1", "hour=+1", "hour=-0",
    "hour=007", "hour=", "tapped=maybe", "tapped=", "from=2026-11-01", "to=today", "app=a\u{0}", "property:a\u{0}=b",
    "locale=de,day=tomorrow",
  ])
  func `that cannot be is refused in one line that says what can`(_ argument: String) throws {
    let error = try #require(throws: ReportError.self) { try SessionFilter(argument: argument) }
    #expect(error.kind == .usage && !error.description.contains("\n") && error.description.utf8.count < 800)
  }

  @Test func `names the fields that there are`() throws {
    let error = try #require(throws: ReportError.self) { try SessionFilter(argument: "colour=red") }
    #expect(error.description.hasPrefix("there is no field 'colour' of sessions; there is app, story_id, "))
    for name in ["fallback_reason", "weekday", "suspect_clock", "property:NAME"] {
      #expect(error.description.contains(name))
    }
  }

  @Test func `may have a range where it is a side of a comparison`() throws {
    let side = try SessionFilter(argument: "story=a,b,from=2026-11-01,to=7d,locale=de", hasRange: true)
    #expect(side.conditions.map(\.description) == ["story_id=a\\,b", "locale=de"])
    #expect(side.from == "2026-11-01" && side.to == "7d")
    for wrong in ["from!=2026-11-01", "from=1|2", "from=1,from=2", "to=1,to=2"] {
      #expect(throws: ReportError.self) { try SessionFilter(argument: wrong, hasRange: true) }
    }
  }

  @Test func `is read back from how it is shown, whatever it holds`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "\\", "|", ",", "=", "!", "'", "\"", " ", "locale=", ",locale=de", "é", "e\u{301}", "\u{301}", "👩‍👩‍👧",
      "\u{202E}", "\n", "%",
      "from=", "(none)",
    ]
    func text(upTo count: Int = 6) -> String {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<2_000 {
      let fields: [SessionField] = [
        .context(.userID), .property(text(upTo: 2) + "x"), .property("!" + text(upTo: 2) + "!"), .app,
      ]
      let conditions = try (0...Int.random(in: 0...2, using: &random)).map { _ in
        try SessionCondition(
          fields.randomElement(using: &random) ?? .app, isNegated: Bool.random(using: &random),
          values: (0...Int.random(in: 0...3, using: &random)).map { _ in text() })
      }
      let shown = conditions.map(\.description).joined(separator: ",")
      for hasRange in [false, true] {
        let read = try SessionFilter(argument: shown, hasRange: hasRange).conditions
        #expect(read.map(Bytes.init) == conditions.map(Bytes.init), "\(shown) of seed \(seed)")
      }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [",", "\\", "|", "=", "a,", ",locale", "!", "e\u{301}"])
  func `of a megabyte is read at once`(_ piece: String) throws {
    let long = String(repeating: piece, count: 1 << 20 / piece.utf8.count)
    let filter = try SessionFilter(argument: "user_id=" + long)
    #expect(filter.conditions.count == 1)
    let error = #expect(throws: ReportError.self) { try SessionFilter(argument: long + "z=1") }
    #expect((error?.description.utf8.count ?? 0) < 1_200)
  }
}

@Suite struct `A field` {
  @Test func `is told apart by the bytes of its name`() throws {
    let composed = try SessionField(argument: "property:caf\u{E9}")
    #expect(composed != (try SessionField(argument: "property:cafe\u{301}")))
    #expect(composed == (try SessionField(argument: "property:caf\u{E9}")))
    #expect(try SessionField(argument: "story") == SessionField(argument: "story_id"))
    #expect(try SessionField(argument: "property:app") != .app)
  }
}

/// A condition by its bytes: Swift takes two ways to write an accent for equal.
private struct Bytes: Equatable {
  let field: [UInt8]
  let isNegated: Bool
  let values: [[UInt8]]

  init(_ condition: SessionCondition) {
    field = Array(condition.field.name.utf8)
    isNegated = condition.isNegated
    values = condition.values.map { Array($0.utf8) }
  }
}
