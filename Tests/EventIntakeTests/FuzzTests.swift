import EventIntake
import EventRecords
import StoryEvents
import TestSupport
import Testing

@Suite struct `Random bodies` {
  private static let bodies: [String] = [
    #"{"sent_at":"2026-11-29T10:00:05Z","dropped_events_total":3,"context":{"story_id":"s","properties":{"a":1,"b":"é"}},"#
      + #""events":[\#(event("start", #""page_count":2,"pages":[{"title":"A","duration":5},{"key":"k"}]"#)),"#
      + #"\#(event("page_shown", #""page_index":0,"page":{"link":"a\u0041"},"context":{"locale":"de"}"#)),7,"#
      + #"\#(event("page_shown", #""page_index":0,"context":{"locale":"de"}"#))]}"#,
    "[\(event("notification_response", #""action":"button","category_id":"1","button_id":"2""#)),\(event()),{}]",
    event(
      "rich_media_failed", #""content_code":"r-1","error":"\ud83d\ude00 \\","source":"push","context":{"message_id":7}"#
    ),
    "\(event())\n\r\n{\"events\":[\(event())],\"context\":{\"locale\":7}}\n[1]\n\(event("fallback", #""reason":"x""#))\n",
  ]

  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "-1", "1e400", "99999999999999999999", "\n", "\r",
      "\\u0000", "\\ud800", "\"seq\":",
      "\"context\":{", "\"events\":[", "\"page\":{", "\"pages\":[", "\"properties\":{", "\"type\":\"start\",", "0",
      "\"2026-02-30T10:00:00Z\"", " ",
    ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xF0, 0x9F]]

  @Test(arguments: [UInt64(20_261_129), 4, 5, 6])
  func `are judged without a crash, and everything in them is accounted for`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var intake = Intake()
    var judged = 0
    for _ in 0..<1_200 {
      var body = Array(Self.bodies[Int.random(in: 0..<Self.bodies.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let position = Int.random(in: 0...body.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          body.insert(contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)], at: position)
        case 1: body.removeSubrange(position..<min(body.count, position + Int.random(in: 0...9, using: &random)))
        case 2: if position < body.count { body[position] = .random(in: 0...255, using: &random) }
        case _:
          let piece = Array(body[position..<min(body.count, position + Int.random(in: 0...60, using: &random))])
          body.insert(contentsOf: piece, at: Int.random(in: 0...body.count, using: &random))
        }
      }
      let format: IntakeFormat = Bool.random(using: &random) ? .json : .ndjson
      let words = "seed \(seed): \(String(decoding: body, as: UTF8.self))"
      let result = judge(body, format, with: &intake)
      let contents = try RecordContents(result.records)
      switch result.outcome {
      case .judged(let summary):
        judged += 1
        #expect(contents.events.count == summary.accepted, "\(words)")
        #expect(contents.rejected.count == summary.rejected && summary.errors.count == summary.rejected, "\(words)")
        let indices = (contents.events.map(\.index) + contents.rejected.map(\.index)).sorted()
        #expect(indices == (0..<UInt32(indices.count)).map { $0 }, "\(words)")
        for (fault, kept) in zip(summary.errors, contents.rejected) {
          #expect(fault.code == kept.code && UInt32(fault.index) == kept.index, "\(words)")
          #expect(contains(body, kept.raw), "\(words)")
        }
        for event in contents.events { #expect(contains(body, Array(event.raw.utf8)), "\(words)") }
      case .unreadable:
        #expect(contents.rejected.map(\.raw) == [body] && contents.events.isEmpty, "\(words)")
      case .overLimit: Issue.record("over a limit: \(words)")
      }
      // What is judged once is judged the same again, by an intake that has judged nothing else.
      if Int.random(in: 0..<20, using: &random) == 0 {
        #expect(judge(body, format).records == result.records, "\(words)")
      }
    }
    #expect(judged > 150)
  }

  private func contains(_ body: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= body.count, let first = part.first else { return part.isEmpty }
    return (0...(body.count - part.count)).contains {
      body[$0] == first && body[$0..<($0 + part.count)].elementsEqual(part)
    }
  }
}
