import EventRecords
import StoryEvents
import Testing

private func contents(_ judged: Judged) throws -> RecordContents { try RecordContents(judged.records) }

/// A valid event of this seq.
private func numbered(_ seq: Int, _ fields: String = "") -> String {
  event(
    "finish", fields,
    common: #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f","seq":\#(seq),"at":"2026-11-29T10:00:00Z""#)
}

@Suite struct `A JSON body` {
  @Test func `is a batch, an array of events, or one event`() throws {
    for body in [
      #"{"events":[\#(numbered(0)),\#(numbered(1))]}"#, "[\(numbered(0)),\(numbered(1))]",
      #"{"unknown":{"events":[]},"sent_at":null,"events":[\#(numbered(0)),\#(numbered(1))],"type":"x"}"#,
      " [\n\(numbered(0))\r\n,\t\(numbered(1))] ",
    ] {
      let judged = judge(body)
      #expect(judged.summary?.accepted == 2 && judged.summary?.rejected == 0)
      let events = try contents(judged).events
      #expect(events.map(\.seq) == [0, 1] && events.map(\.index) == [0, 1])
      #expect(events.map(\.raw) == [numbered(0), numbered(1)])
    }
    #expect(try contents(judge(numbered(5))).events.map(\.seq) == [5])
    #expect(try contents(judge(numbered(5, #""events":null"#))).events.map(\.seq) == [5])
  }

  @Test(arguments: [
    "", " ", "[]", #"{"events":[]}"#, #"{"events":[],"dropped_events_total":5}"#, #"{"events":{}}"#, #"{"events":7}"#,
    #"{"events":"[]"}"#, #"{"events":true,"type":"start"}"#, #"{"events":[],"events":[]}"#, "7", "null", #""x""#,
    "true",
    "[1,]", "{", "nonsense", "[{}]x", "{}{}", #"{"a":01}"#, #"{"type":"finish","x":"\q"}"#, "\u{FEFF}{}",
  ])
  func `that cannot be read or holds no event is kept whole as unreadable`(body: String) throws {
    let judged = judge(body)
    #expect(judged.unreadable?.isEmpty == false, "\(body)")
    let contents = try contents(judged)
    #expect(contents.rejected.count == 1 && contents.events.isEmpty && contents.dropped.isEmpty)
    let rejected = try #require(contents.rejected.first)
    #expect(rejected.code == .unreadable && rejected.raw == Array(body.utf8) && rejected.message == judged.unreadable)
  }

  @Test func `that is malformed behind good events accepts none of them`() throws {
    for tail in ["", ",", "]x", #","x":tru}"#, ",{\"a\":1.}]", ",[1,,2]]", ",\"\\u12\"]", ",\"\t\"]"] {
      let judged = judge("[\(numbered(0)),\(numbered(1))" + tail)
      #expect(judged.unreadable != nil, "\(tail)")
      #expect(try contents(judged).events.isEmpty)
    }
    var bytes = Array("[\(numbered(0)),{\"ignored\":\"".utf8)
    let offset = bytes.count
    bytes += [0xFF]
    bytes += Array("\"}]".utf8)
    #expect(judge(bytes).unreadable == "not JSON: a byte that is not UTF-8, at byte \(offset)")
  }

  @Test func `says where it is broken`() {
    #expect(judge("[1,\n2,]").unreadable == "not JSON: a character that cannot stand there, at byte 6, line 2")
    #expect(judge(#"{"events":7}"#).unreadable == "events is a number; expected an array")
    #expect(judge("[]").unreadable == "there is no event in the body; expected at least one")
    #expect(judge("7").unreadable == "the body is a number; expected a batch, an array of events or an event")
  }

  @Test func `may have integers of any size and any depth in ignored fields`() {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let body = #"{"x":123456789012345678901234567890,"y":\#(deep),"events":[\#(numbered(0))]}"#
    #expect(judge(body).summary?.accepted == 1)
  }

  @Test func `costs the faulty event and not its neighbours`() throws {
    let judged = judge("[\(numbered(0)),7,\(numbered(-1)),{},\(numbered(4))]")
    let summary = try #require(judged.summary)
    #expect(summary.accepted == 2 && summary.rejected == 3)
    #expect(summary.errors.map(\.index) == [1, 2, 3])
    #expect(summary.errors.map(\.code) == [.notAnObject, .invalidSeq, .missingField])
    #expect(summary.errors.map(\.field) == [nil, "seq", "type"])
    let contents = try contents(judged)
    #expect(contents.events.map(\.index) == [0, 4])
    #expect(contents.rejected.map(\.raw) == [Array("7".utf8), Array(numbered(-1).utf8), Array("{}".utf8)])
    #expect(contents.rejected.map(\.message) == summary.errors.map(\.message))
    #expect(contents.rejected.map(\.field) == ["", "seq", "type"])
  }

  @Test func `has at most 10,000 events`() throws {
    func body(_ count: Int) -> String { "[" + Array(repeating: "7", count: count).joined(separator: ",") + "]" }
    #expect(judge(body(10_000)).summary?.rejected == 10_000)
    let judged = judge(body(10_001))
    #expect(judged.isOverLimit && judged.records.isEmpty)
    #expect(judge(#"{"events":\#(body(10_001))}"#).isOverLimit)
    if case .overLimit(let limit) = judged.outcome {
      #expect(limit.message == "over the limit of 10000 events in one request")
    }
  }
}

@Suite struct `A body of lines` {
  private func lines(_ lines: [String], separator: String = "\n") -> Judged {
    judge(lines.joined(separator: separator), .ndjson)
  }

  @Test func `has an event or a batch a line, and blank lines are skipped`() throws {
    for separator in ["\n", "\r\n", "\n\n \t\r\n"] {
      let judged = lines(
        ["", numbered(0), #"{"events":[\#(numbered(1)),\#(numbered(2))]}"#, " \(numbered(3)) ", ""],
        separator: separator)
      #expect(judged.summary?.accepted == 4 && judged.summary?.rejected == 0)
      let events = try contents(judged).events
      #expect(events.map(\.index) == [0, 1, 2, 3] && events.map(\.raw) == (0..<4).map { numbered($0) })
    }
    #expect(lines([numbered(0)]).summary?.accepted == 1)
    #expect(lines([numbered(0), ""]).summary?.accepted == 1)
  }

  @Test func `costs the faulty line and not its neighbours`() throws {
    var body = Array("\(numbered(0))\n{\"a\":\n".utf8)
    body += Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}\r\n".utf8)
    body += Array("[\(numbered(1))]\n7\n{\"events\":7}\n{\"events\":[7,\(numbered(2))]}\n\(numbered(3))".utf8)
    let judged = judge(body, .ndjson)
    let summary = try #require(judged.summary)
    #expect(summary.accepted == 3)
    #expect(
      summary.errors.map { "\($0.index) \($0.code.name) \($0.field ?? "-")" } == [
        "1 invalid_json -", "2 invalid_json -", "3 not_an_object -", "4 not_an_object -", "5 invalid_field events",
        "6 not_an_object -",
      ])
    let contents = try contents(judged)
    #expect(contents.events.map(\.index) == [0, 7, 8])
    #expect(contents.rejected[0].raw == Array("{\"a\":".utf8))
    #expect(contents.rejected[1].raw == Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8))
    #expect(contents.rejected[2].raw == Array("[\(numbered(1))]".utf8))
    #expect(summary.errors[0].message == "not JSON: it ends inside a value, at byte 5")
    #expect(summary.errors[2].message == "the event is an array; expected an object")
  }

  @Test func `with a quote left open in one line keeps the next`() {
    let summary = lines([#"{"a":"b"#, numbered(1), #"{"a":"\"#, numbered(2)]).summary
    #expect(summary?.accepted == 2 && summary?.errors.map(\.code) == [.invalidJSON, .invalidJSON])
  }

  @Test(arguments: ["", "\n", " \r\n\t\n", #"{"events":[]}"#])
  func `without any event is unreadable`(body: String) {
    #expect(judge(body, .ndjson).unreadable != nil)
  }

  @Test func `counts unreadable lines towards the 10,000`() {
    let good = Array(repeating: numbered(0), count: 5000)
    let bad = Array(repeating: "x", count: 5000)
    #expect(lines(good + bad).summary?.rejected == 5000)
    #expect(lines(good + bad + [""]).summary?.rejected == 5000)
    #expect(lines(good + bad + ["x"]).isOverLimit)
    #expect(lines(good + bad + [numbered(0)]).isOverLimit)
    #expect(lines(bad + good + [#"{"events":[7]}"#]).isOverLimit)
    #expect(lines(bad + good + [#"{"events":[]}"#]).summary?.rejected == 5000)
  }

  @Test func `gives each batch its own time of sending`() throws {
    let judged = lines([
      numbered(0), #"{"sent_at":"2026-11-29T10:00:01Z","events":[\#(numbered(1))]}"#,
      #"{"sent_at":1795946402000,"events":[\#(numbered(2))]}"#, numbered(3),
    ])
    let contents = try contents(judged)
    #expect(contents.events.map(\.seq) == [0, 1, 2, 3])
    #expect(
      contents.headers.map(\.sentAtMicroseconds) == [nil, 1_795_946_401_000_000, 1_795_946_402_000_000, nil])
    #expect(contents.headers.allSatisfy { $0.receivedAtMicroseconds == receivedAt && $0.app == "demo" })
  }
}
