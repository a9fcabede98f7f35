import EventIntake
import EventRecords
import StoryEvents
import Testing

/// A valid event of this seq, padded to some length.
private func padded(_ seq: Int, _ bytes: Int = 5_500) -> String {
  event(
    "finish", #""x":"\#(String(repeating: "y", count: bytes))""#,
    common: #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f","seq":\#(seq),"at":"2026-11-29T10:00:00Z""#)
}

/// More than is scanned at once.
private let many = 850

@Suite struct `A body of many mebibytes` {
  private func body(_ events: [String], _ before: String = "", _ behind: String = "") -> String {
    "{\(before)\"events\":[\(events.joined(separator: ",\t"))]\(behind)}"
  }

  @Test func `is judged as a small one is`() throws {
    var events = (0..<many).map { padded($0) }
    events[7] = "7"
    events[8] = event("finish", #""x":"\#(String(repeating: "y", count: 40_000))""#)
    events[9] = #""\#(String(repeating: "z", count: 40_000))""#
    events[10] = "[\(String(repeating: "7,", count: 20_000))7]"
    events[700] = event("page_shown", #""page_index":5,"context":{"locale":"de\u0041"},"page":{"title":"T"}"#)
    let context = #""context":{"story_id":"s\u0041","device_id":"d"}"#
    let judged = judge(
      body(events, #""sent_at":"2026-11-29T10:00:05Z","#, #",\#(context),"dropped_events_total":4,"other":[1,2]"#))
    let summary = try #require(judged.summary)
    #expect(summary.accepted == many - 4 && summary.rejected == 4)
    #expect(summary.errors.map(\.index) == [7, 8, 9, 10])
    #expect(summary.errors.map(\.code) == [.notAnObject, .eventTooLarge, .notAnObject, .notAnObject])
    let contents = try RecordContents(judged.records)
    #expect(contents.events.map(\.raw) == events.enumerated().filter { !(7...10).contains($0.offset) }.map(\.element))
    #expect(
      contents.events.filter { $0.seq != 1 || $0.index == 1 }.allSatisfy {
        $0.context == ["story_id": "sA", "device_id": "d"]
      })
    #expect(contents.events[696].context == ["story_id": "sA", "device_id": "d", "locale": "deA"])
    #expect(contents.rejected.map(\.raw) == (7...10).map { Array(events[$0].utf8) })
    #expect(contents.headers.allSatisfy { $0.sentAtMicroseconds == 1_795_946_405_000_000 })
    #expect(contents.dropped == [.init(total: 4, deviceID: "d")])
    // Records are cut between events, so that whoever reads them needs little memory.
    #expect(judged.records.count > 4 && judged.records.allSatisfy { $0.count < 1_100_000 })
  }

  @Test func `is the same for an array, and for lines`() throws {
    let events = (0..<many).map { padded($0) }
    let array = judge("[" + events.joined(separator: ",") + "]")
    #expect(array.summary?.accepted == many && array.summary?.errors == [])
    let lines = judge(events.joined(separator: "\n"), .ndjson)
    #expect(try RecordContents(lines.records).events.map(\.seq) == RecordContents(array.records).events.map(\.seq))
    let line = judge(
      [padded(1), body(events), "[\(events.joined(separator: ","))]", padded(2)].joined(separator: "\n"), .ndjson)
    #expect(line.summary?.accepted == many + 2)
    #expect(line.summary?.errors.map(\.code) == [.notAnObject])
    #expect(line.summary?.errors.map(\.index) == [many + 1])
  }

  @Test func `is refused whole when it is broken at its end`() throws {
    let events = (0..<many).map { padded($0) }
    for text in [
      body(events) + "x", body(events, "", #","a":01"#), body(events, "", #","events":[]"#), body(events + ["tru"]),
    ] {
      let judged = judge(text)
      #expect(judged.unreadable != nil)
      #expect(try RecordContents(judged.records).rejected.map(\.raw) == [Array(text.utf8)])
    }
    // As a line it costs itself alone.
    let lines = judge([padded(1), body(events) + "x", padded(2)].joined(separator: "\n"), .ndjson)
    #expect(lines.summary?.accepted == 2 && lines.summary?.errors.map(\.code) == [.invalidJSON])
  }

  @Test func `that is one value is no batch`() {
    let text = #""\#(String(repeating: "x", count: 5_000_000))""#
    #expect(judge(text).unreadable != nil)
    #expect(judge(text, .ndjson).summary?.errors.map(\.code) == [.notAnObject])
    let event = padded(1, 5_000_000)
    #expect(judge(event).summary?.errors.map(\.code) == [.eventTooLarge])
    #expect(judge(event, .ndjson).summary?.errors.map(\.code) == [.eventTooLarge])
    let padding = String(repeating: " ", count: 5_000_000)
    #expect(judge(padding + padded(1) + padding).summary?.accepted == 1)
    #expect(judge(#"{"x":"\#(padding)","events":null}"#).summary?.errors.map(\.code) == [.eventTooLarge])
  }

  @Test func `has at most 10,000 events`() {
    func numbers(_ count: Int) -> String {
      Array(repeating: String(repeating: " ", count: 600) + "7", count: count).joined(separator: ",")
    }
    #expect(judge("[\(numbers(10_000))]").summary?.rejected == 10_000)
    #expect(judge("[\(numbers(10_001))]").isOverLimit)
    #expect(judge("{\"events\":[\(numbers(10_001))]}").isOverLimit)
  }

  @Test func `with escaped keys is still a batch`() throws {
    let events = (0..<many).map { padded($0) }
    let text = #"{"\u0063ontext":{"locale":"de"},"\u0065vents":[\#(events.joined(separator: ","))]}"#
    let judged = judge(text)
    #expect(judged.summary?.accepted == many)
    #expect(try RecordContents(judged.records).events[100].context == ["locale": "de"])
    // A context that is faulty, or stands twice, rejects each of its events.
    let twice = #"{"context":{},"events":[\#(events.joined(separator: ","))],"\u0063ontext":{}}"#
    #expect(judge(twice).summary?.errors.first?.code == .duplicateField)
    #expect(judge(twice).summary?.rejected == many)
  }

  @Test func `does not hold its memory for good`() {
    var intake = Intake()
    let small = Array("[\(event())]".utf8)
    let large = Array(body((0..<many).map { padded($0) }).utf8)
    for text in [small, large, small, large, small] { #expect(judge(text, with: &intake).summary?.accepted ?? 0 > 0) }
  }
}
