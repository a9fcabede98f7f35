import EventRecords
import StoryEvents
import Testing

private func contents(_ body: String, origin: EventOrigin = .http) throws -> RecordContents {
  let judged = judge(body, origin: origin)
  #expect(judged.summary?.errors == [], "\(body)")
  return try RecordContents(judged.records)
}

@Suite struct `An accepted event's record` {
  @Test func `holds all that was sent`() throws {
    let text = event(
      "notification_response",
      #""page_index":3,"page_count":4,"reason":"why","content_code":"r-1","source":"in_app","error":"é\n","action":"button","#
        + #""category_id":"12","button_id":"\ud83d\ude00","page":{"duration":2.5}"#)
    let event = try #require(try contents(text).events.first)
    #expect(
      event
        == RecordContents.Event(
          type: .notificationResponse, session: "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", seq: 1,
          at: 1_795_946_400_000_000, context: [:], contextOffset: 0, pageIndex: 3, pageCount: 4, source: .inApp,
          action: .button, duration: 2.5, pageDurations: [],
          texts: [
            "reason": "why", "content_code": "r-1", "error": "é\n", "category_id": "12", "button_id": "\u{1F600}",
          ], index: 0, raw: text))
  }

  @Test func `holds a start's durations, and its pages' details apart`() throws {
    let text = event(
      "start",
      #""page_count":3,"context":{"story_id":"s"},"pages":[{"title":"A","duration":5,"payload_index":0},null,{},"#
        + #"{"image_url":"u","subtitle":"b","link":"l","button_title":"t","key":"k","duration":0.5}]"#)
    let contents = try contents(text)
    #expect(contents.events.first?.pageDurations == [5, nil, nil, 0.5])
    #expect(
      contents.pages == [
        RecordContents.Page(
          context: ["story_id": "s"], pageIndex: 0, duration: 5, payloadIndex: 0, texts: ["title": "A"]),
        RecordContents.Page(
          context: ["story_id": "s"], pageIndex: 3, duration: 0.5, payloadIndex: nil,
          texts: ["image_url": "u", "subtitle": "b", "link": "l", "button_title": "t", "key": "k"]),
      ])
  }

  @Test func `holds a page's details where the event has a page index`() throws {
    let shown = try contents(event("page_shown", #""page_index":7,"page":{"title":"T","duration":4}"#))
    #expect(shown.events.first?.duration == 4)
    #expect(
      shown.pages == [
        RecordContents.Page(context: [:], pageIndex: 7, duration: 4, payloadIndex: nil, texts: ["title": "T"])
      ])
    #expect(try contents(event("finish", #""page":{"title":"T"}"#)).pages.isEmpty)
    #expect(try contents(event("page_shown", #""page_index":7,"page":{}"#)).pages.isEmpty)
    // Only a start has pages.
    let finish = try contents(event("finish", #""pages":[{"title":"T","duration":1}]"#))
    #expect(finish.pages.isEmpty && finish.events.first?.pageDurations == [])
  }

  @Test func `has what page fields belong to, in any order`() throws {
    let text = event(
      "start", #""pages":[{"title":"in pages"}],"page":{"title":"alone","duration":9},"page_index":5,"page_count":1"#)
    let contents = try contents(text)
    #expect(contents.events.first?.duration == 9 && contents.events.first?.pageDurations == [nil])
    #expect(contents.pages.map(\.texts) == [["title": "in pages"]])
  }

  @Test(arguments: [
    ("5", 5.0), ("-2.25", -2.25), ("0.1", 0.1), ("1e2", 100), ("123456789012345", 123_456_789_012_345),
    ("1234567890123456789", 1_234_567_890_123_456_768), ("0.3333333333333333", 0.3333333333333333), ("1E-5", 1e-5),
    ("-0", -0.0),
    ("2.2250738585072014e-308", 2.2250738585072014e-308), ("9007199254740993", 9_007_199_254_740_992),
    ("0.000001", 0.000001),
  ])
  func `has durations to the last bit`(text: String, value: Double) throws {
    let event = event("page_shown", #""page_index":0,"page":{"duration":\#(text)}"#)
    #expect(try contents(event).events.first?.duration?.bitPattern == value.bitPattern)
  }

  @Test func `keeps identifiers' digits, and writes properties as compact JSON`() throws {
    let context =
      #"{"message_id":18446744073709551615,"campaign_id":"007","properties":{ "a" : 1.50 , "b\"\\\u0001é" : "x\n\"\\y","#
      + #""c":null,"d":true , "e":-0e1}}"#
    let event = try #require(try contents(event("finish", #""context":\#(context)"#)).events.first)
    #expect(event.context["message_id"] == "18446744073709551615" && event.context["campaign_id"] == "007")
    #expect(
      event.context["properties"] == #"{"a":1.50,"b\"\\\u0001é":"x\u000a\"\\y","d":true,"e":-0e1}"#)
  }
}

@Suite struct `Contexts` {
  private func body(_ batch: String, _ events: [String]) -> String {
    #"{"context":\#(batch),"events":[\#(events.joined(separator: ","))]}"#
  }

  @Test func `of a batch and an event are merged field by field`() throws {
    let batch = #"{"story_id":"s","locale":"de","user_id":"u","properties":{"a":1,"b":2}}"#
    let own = #""context":{"story_id":"t","locale":null,"properties":{"c":3},"device_id":"d"}"#
    let contents = try contents(
      body(batch, [event(), event("finish", own), event("dismiss", #""context":null"#), event()]))
    let plain = ["story_id": "s", "locale": "de", "user_id": "u", "properties": #"{"a":1,"b":2}"#]
    let merged = ["story_id": "t", "locale": "de", "user_id": "u", "properties": #"{"c":3}"#, "device_id": "d"]
    #expect(contents.events.map(\.context) == [plain, merged, plain, plain])
    #expect(contents.contexts == 2)
  }

  @Test func `that are the same are written once`() throws {
    let own = event("finish", #""context":{"story_id":"t"}"#)
    let other = event("finish", #""context":{"story_id":"x"}"#)
    let contents = try contents(body(#"{"locale":"de"}"#, [own, own, event(), own, other, own]))
    #expect(contents.contexts == 4)
    #expect(
      contents.events.map { $0.context["story_id"] } == ["t", "t", nil, "t", "x", "t"])
    #expect(contents.events.allSatisfy { $0.context["locale"] == "de" })
  }

  @Test func `of a batch count wherever they stand in it`() throws {
    let contents = try contents(
      #"{"events":[\#(event())],"context":{"story_id":"behind"},"sent_at":"2026-11-29T10:00:05.120Z"}"#)
    #expect(contents.events.first?.context == ["story_id": "behind"])
    #expect(contents.headers.first?.sentAtMicroseconds == 1_795_946_405_120_000)
  }

  @Test(arguments: [
    (#"7"#, "invalid_field", "context"), (#"{"locale":7}"#, "invalid_field", "locale"),
    (#"{"story_id":"\u0000"}"#, "invalid_text", "story_id"),
    (#"{"locale":"a","locale":"b"}"#, "duplicate_field", "locale"),
    (#"{},"context":{}"#, "duplicate_field", "context"), (#"{"properties":{"a":[]}}"#, "invalid_field", "a"),
  ])
  func `of a batch that are faulty reject each of its events`(batch: String, code: String, field: String) throws {
    let judged = judge(body(batch, [event(), event("finish", #""context":{"locale":"x"}"#), "{}", "7"]))
    let summary = try #require(judged.summary)
    #expect(summary.accepted == 0 && summary.rejected == 4)
    // The event's own fault is told where it comes first in the order of codes.
    let isFirst = code == "duplicate_field"
    #expect(summary.errors.map(\.code.name) == [code, code, isFirst ? code : "missing_field", "not_an_object"])
    #expect(summary.errors[0].field == field && summary.errors[1].field == field)
  }

  @Test func `of a batch reach no other line's events`() throws {
    let judged = judge(
      [body(#"{"locale":7}"#, [event()]), event(), body(#"{"locale":"de"}"#, [event()]), event()].joined(
        separator: "\n"),
      .ndjson)
    #expect(judged.summary?.errors.map(\.index) == [0])
    #expect(try RecordContents(judged.records).events.map(\.context) == [[:], ["locale": "de"], [:]])
  }
}

@Suite struct `A batch's own fields` {
  @Test(
    arguments: [
      (#""2026-11-29T10:00:05.120Z""#, 1_795_946_405_120_000), ("1795946405120", 1_795_946_405_120_000), ("null", nil),
      (#""yesterday""#, nil), ("true", nil), ("1.5", nil), ("{}", nil),
      (#"1795946405120,"sent_at":1795946405120"#, nil),
    ] as [(String, Int64?)])
  func `that cannot be read count as absent`(sentAt: String, expected: Int64?) throws {
    let contents = try contents(#"{"sent_at":\#(sentAt),"events":[\#(event())]}"#)
    #expect(contents.headers.map(\.sentAtMicroseconds) == [expected])
  }

  @Test func `say when they were received in files alone`() throws {
    let body = #"{"received_at":"2026-11-29T10:00:07Z","events":[\#(event())]}"#
    #expect(try contents(body).headers.map(\.receivedAtMicroseconds) == [receivedAt])
    #expect(try contents(body, origin: .file).headers.map(\.receivedAtMicroseconds) == [1_795_946_407_000_000])
    #expect(try contents(event(), origin: .file).headers.map(\.receivedAtMicroseconds) == [nil])
  }

  @Test func `count what a device gave up`() throws {
    func dropped(_ total: String, _ context: String, _ event: String = event()) throws -> [RecordContents.Dropped] {
      try RecordContents(
        judge(#"{"dropped_events_total":\#(total),"context":\#(context),"events":[\#(event)]}"#).records
      ).dropped
    }
    #expect(try dropped("3", #"{"device_id":"d"}"#) == [.init(total: 3, deviceID: "d")])
    #expect(try dropped("0", "null") == [.init(total: 0, deviceID: "")])
    #expect(
      try dropped("2147483647", "{}", event("finish", #""context":{"device_id":"e"}"#)) == [
        .init(total: .max, deviceID: "e")
      ])
    #expect(try dropped("5", #"{"device_id":"d"}"#, "{}") == [.init(total: 5, deviceID: "d")])
    for total in ["-1", "2147483648", "1.0", "\"3\"", "null", #"3,"dropped_events_total":3"#] {
      #expect(try dropped(total, #"{"device_id":"d"}"#) == [])
    }
  }
}

@Suite struct `Warnings` {
  private func warnings(_ body: String) -> [String] {
    judge(body).summary?.warnings.map { "\($0.code.name) \($0.count)" } ?? []
  }

  private func event(_ session: Int, _ seq: Int, version: Int = 7, at: String = "1795946400000") -> String {
    #"{"type":"finish","session_id":"01a226bf-4900-\#(version)cc1-9d2e-\#(100_000_000_000 + session)","seq":\#(seq),"at":\#(at)}"#
  }

  @Test func `are not given without a reason`() {
    #expect(warnings("[\(event(1, 0)),\(event(1, 1)),\(event(2, 0))]") == [])
    #expect(warnings("[\(event(1, 1))]") == [])
  }

  @Test func `tell of seconds in the place of milliseconds`() {
    #expect(
      warnings("[\(event(1, 1, at: "1795946400")),\(event(1, 2, at: "1795946401")),\(event(1, 3))]") == [
        "timestamp_looks_like_seconds 2"
      ])
    #expect(warnings("[\(event(1, 1, at: "0")),\(event(1, 2, at: "999999"))]") == [])
    #expect(warnings(#"[\#(event(1, 1, at: #""1970-01-21T18:52:26Z""#))]"#) == [])
  }

  @Test func `tell of sessions that are not numbered`() {
    #expect(warnings("[\(event(1, 0)),\(event(2, 0)),\(event(3, 0))]") == ["no_sequence 3"])
    #expect(warnings("[\(event(1, 0)),\(event(2, 0)),\(event(2, 1))]") == [])
    #expect(warnings("[\(event(1, 0)),\(event(1, 0))]") == [])
    #expect(warnings("[\(event(1, 0)),7]") == ["no_sequence 1"])
  }

  @Test func `tell of session ids without a time`() {
    #expect(warnings("[\(event(1, 1, version: 4)),\(event(2, 1))]") == ["random_session_ids 1"])
  }

  @Test func `tell of a clock that is more than five minutes off`() {
    func at(_ sentAt: String) -> [String] { warnings(#"{"sent_at":\#(sentAt),"events":[\#(event(1, 1))]}"#) }
    #expect(at("1795946406000") == [])
    #expect(at("1795946106000") == [] && at("1795946706000") == [])
    #expect(at("1795946105999") == ["clock_offset 1"] && at("1795946706001") == ["clock_offset 1"])
    #expect(at("-62135596800000") == ["clock_offset 1"] && at("253402300799999") == ["clock_offset 1"])
  }
}

@Suite struct `Messages` {
  private func message(_ event: String) -> String { judge("[\(event)]").fault?.message ?? "" }

  @Test func `say what was found and what is expected`() {
    #expect(message(event("page_shown")) == "page_index is missing; page_shown needs it")
    #expect(message("{}") == "type is missing; every event needs it")
    #expect(message("7") == "the event is 7; expected an object")
    #expect(
      message(event("page_shown", #""page_index":1000"#)) == "page_index is 1000; expected an integer from 0 to 999")
    #expect(message(event("finish", #""seq":2"#)) == #""seq" stands twice; expected once"#)
    #expect(
      message(event("finish", #""context":{"story_id":"\#(String(repeating: "x", count: 201))"}"#))
        == "story_id is 201 bytes long; expected at most 200")
  }

  @Test func `are short and hold nothing that a terminal obeys`() {
    let hostile = #"\u001b[2J\u0007\u202e\u0000\u009b"# + String(repeating: "x", count: 20_000)
    for event in [
      event("", #""type":"\#(hostile)""#),
      event("finish", common: #""session_id":"\#(hostile)","seq":1,"at":"\#(hostile)""#),
      event("finish", #""context":{"properties":{"\#(hostile)":1}}"#),
      event("finish", #""context":{"properties":{"\u001b[2J":1,"\u001b[2J":1}}"#),
      event("finish", #""context":{"properties":{"\u001b[2J":[]}}"#),
      #""\#(hostile)""#, event("notification_response", #""action":"\u001b]0;x\u0007""#),
    ] {
      let fault = judge("[\(event)]").fault
      for text in [fault?.message ?? "", fault?.field ?? ""] {
        #expect(text.utf8.count < 500)
        #expect(
          text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0.value != 0x202E }
        )
      }
      #expect(fault != nil && fault?.message.isEmpty == false)
    }
  }
}
