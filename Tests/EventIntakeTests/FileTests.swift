import EventIntake
import EventRecords
import StoryEvents
import Testing

/// A file in memory that is read in pieces.
private final class MemoryFile {
  let bytes: [UInt8]
  let pieces: Int
  var position = 0
  var rewinds = 0

  init(_ bytes: [UInt8], pieces: Int) {
    self.bytes = bytes
    self.pieces = pieces
  }

  var source: EventFileSource {
    EventFileSource(
      read: { buffer in
        let count = min(self.pieces, self.bytes.count - self.position, buffer.count)
        buffer.copyBytes(from: self.bytes[self.position..<(self.position + count)])
        self.position += count
        return count
      },
      rewind: {
        self.position = 0
        self.rewinds += 1
      })
  }
}

private struct FileResult {
  var summary: EventFileSummary
  var contents: RecordContents
  var deliveries: Int
  var largestDelivery: Int
  var progress: EventFileProgress
}

private func judgeFile(
  _ text: [UInt8], format: EventFileFormat = .detect, pieces: Int = .max, faultLimit: Int = 20
) throws -> FileResult {
  var intake = Intake()
  var records: [[UInt8]] = []
  var deliveries = 0
  var largest = 0
  var progress = EventFileProgress(bytes: 0, events: 0)
  let summary = try intake.judgeFile(
    MemoryFile(text, pieces: pieces).source, app: "shop", format: format, faultLimit: faultLimit
  ) { writer, reached in
    deliveries += 1
    largest = max(largest, writer.byteCount)
    progress = reached
    for index in 0..<writer.recordCount { writer.withRecord(index) { records.append(Array($0)) } }
  }
  return FileResult(
    summary: summary, contents: try RecordContents(records), deliveries: deliveries, largestDelivery: largest,
    progress: progress)
}

private func judgeFile(_ text: String, format: EventFileFormat = .detect, pieces: Int = .max) throws -> FileResult {
  try judgeFile(Array(text.utf8), format: format, pieces: pieces)
}

private func numbered(_ seq: Int, _ fields: String = "") -> String {
  event(
    "finish", fields,
    common: #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f","seq":\#(seq),"at":"2026-11-29T10:00:00Z""#)
}

@Suite struct `A file` {
  @Test(arguments: [1, 3, 64, Int.max])
  func `of lines is judged line by line`(pieces: Int) throws {
    let batch = #"{"received_at":"2026-11-29T10:00:07Z","sent_at":"2026-11-29T10:00:06Z","events":[\#(numbered(1)),7]}"#
    let text = [numbered(0), "", "{\"broken\":", batch, "[]", "  ", numbered(2) + "\r", numbered(3)].joined(
      separator: "\n")
    let result = try judgeFile(text, pieces: pieces)
    #expect(result.summary.isLines && result.summary.accepted == 4 && result.summary.rejected == 3)
    #expect(
      result.summary.faults.map { "\($0.index) \($0.code.name)" } == [
        "3 invalid_json", "4 not_an_object", "5 not_an_object",
      ])
    #expect(result.summary.rejectedByCode == [.invalidJSON: 1, .notAnObject: 2])
    #expect(result.contents.events.map(\.seq) == [0, 1, 2, 3] && result.contents.events.map(\.index) == [1, 4, 7, 8])
    #expect(result.contents.rejected.map(\.index) == [3, 4, 5])
    #expect(result.contents.headers.map(\.receivedAtMicroseconds) == [nil, 1_795_946_407_000_000, nil])
    #expect(result.contents.headers.map(\.sentAtMicroseconds) == [nil, 1_795_946_406_000_000, nil])
    #expect(result.contents.headers.allSatisfy { $0.origin == .file && $0.app == "shop" })
    #expect(result.progress == EventFileProgress(bytes: Int64(text.utf8.count), events: 7))
  }

  @Test(arguments: [1, 5, 1000, Int.max])
  func `that is one pretty-printed text is judged event by event`(pieces: Int) throws {
    let text = """
      {
        "events": [
          \(numbered(0)),
          {
            "type" : "page_shown", "page_index": "x"
          },
          \(numbered(1, #""context":{"locale":"de"}"#)),
          7
        ],
        "context": {
          "story_id": "s"
        },
        "received_at": "2026-11-29T10:00:07Z"
      }

      """
    let result = try judgeFile(text, pieces: pieces)
    #expect(!result.summary.isLines && result.summary.accepted == 2)
    #expect(result.summary.faults.map { "\($0.index) \($0.code.name)" } == ["1 missing_field", "3 not_an_object"])
    #expect(result.contents.events.map(\.context) == [["story_id": "s"], ["story_id": "s", "locale": "de"]])
    #expect(result.contents.events.map(\.index) == [0, 2])
    #expect(result.contents.headers.map(\.receivedAtMicroseconds) == [1_795_946_407_000_000])
    let array = try judgeFile("[\n\(numbered(0)),\n\(numbered(1))\n]", pieces: pieces)
    #expect(!array.summary.isLines && array.contents.events.map(\.seq) == [0, 1])
    let single = try judgeFile(numbered(0).replacing(",", with: ",\n  "), pieces: pieces)
    #expect(!single.summary.isLines && single.contents.events.map(\.seq) == [0])
  }

  @Test func `is told from the other kind by what stands in it`() throws {
    let kinds: [(String, Bool)] = [
      (numbered(0) + "\n" + numbered(1), true), ("\n\n" + numbered(0) + "\n\n" + numbered(1) + "\n", true),
      (numbered(0), false),
      (numbered(0) + "\n \n", false), ("[\(numbered(0))]", false), ("[\n\(numbered(0))\n]", false),
      ("{\"events\":[\n\(numbered(0)),\n\(numbered(1))]}", false),
      ("{broken\n" + numbered(0) + "\n" + numbered(1), true),
      ("{\"a\":\n" + numbered(0) + "\n" + numbered(1), true), ("7\n8\n" + numbered(0), true),
    ]
    for (text, isLines) in kinds {
      for pieces in [1, 7, Int.max] {
        let result = try judgeFile(text, pieces: pieces)
        #expect(result.summary.isLines == isLines, "\(text)")
        #expect(result.summary.accepted >= 1, "\(text)")
      }
    }
    #expect(try judgeFile(numbered(0), format: .ndjson).summary.isLines)
    #expect(try judgeFile("x", format: .ndjson).summary.rejected == 1)
    #expect(try judgeFile("").summary == judgeFile(" \n\n").summary)
    #expect(try judgeFile("").summary.accepted == 0)
  }

  @Test(arguments: [
    "[\n\(event()),\n", "{\"events\":[\n\(event())\n]", "nonsense", "[1,\n2\n3]", "{\"events\":{}}", "{\n\"events\":7}",
  ])
  func `that cannot be read delivers nothing`(text: String) throws {
    var deliveries = 0
    var intake = Intake()
    #expect(throws: EventFileError.self) {
      try intake.judgeFile(MemoryFile(Array(text.utf8), pieces: 9).source, app: "a") { _, _ in deliveries += 1 }
    }
    #expect(deliveries == 0)
    // And the intake goes on.
    #expect(judge(Array("[\(event())]".utf8), with: &intake).summary?.accepted == 1)
  }

  @Test func `may be long, and is delivered in parts`() throws {
    let count = 4_000
    let padding = String(repeating: "y", count: 1_000)
    let lines = (0..<count).map { numbered($0, #""x":"\#(padding)""#) }
    let result = try judgeFile(Array(lines.joined(separator: "\n").utf8), pieces: 10_000)
    #expect(result.summary.accepted == count && result.deliveries > 3 && result.largestDelivery < 1_500_000)
    #expect(result.contents.events.map(\.seq) == (0..<Int32(count)).map { $0 })
    let document = try judgeFile(Array("[\(lines.joined(separator: ",\n"))]".utf8), pieces: 10_000)
    #expect(document.summary.accepted == count && document.deliveries > 3 && document.largestDelivery < 1_500_000)
    #expect(document.contents.events.map(\.raw) == lines)
  }

  @Test func `may have a line of any length`() throws {
    let long = #"{"type":"finish","x":"\#(String(repeating: "y", count: 17 << 20))"}"#
    let result = try judgeFile(Array([numbered(0), long, numbered(1)].joined(separator: "\n").utf8), pieces: 100_000)
    #expect(result.summary.accepted == 2)
    #expect(result.summary.faults.map(\.code) == [.eventTooLarge] && result.summary.faults.map(\.index) == [2])
    #expect(
      result.summary.faults.first?.message == "the event is \(long.utf8.count) bytes long; expected at most 32768")
    #expect(result.contents.rejected.first?.raw.count == 1 << 20)
    let document = try judgeFile(Array("[\(numbered(0)),\n\(long),\n\(numbered(1))]".utf8), pieces: 100_000)
    #expect(document.summary.accepted == 2 && document.summary.faults.map(\.code) == [.eventTooLarge])
  }

  @Test func `names only its first faults`() throws {
    let result = try judgeFile(Array((0..<100).map { "\($0)" }.joined(separator: "\n").utf8), faultLimit: 3)
    #expect(result.summary.rejected == 100 && result.summary.faults.map(\.index) == [1, 2, 3])
    #expect(result.contents.rejected.count == 100)
  }

  @Test func `stops where its records cannot be taken`() {
    struct Full: Error {}
    var intake = Intake()
    var deliveries = 0
    let padding = String(repeating: "y", count: 10_000)
    let text = Array((0..<400).map { numbered($0, #""x":"\#(padding)""#) }.joined(separator: "\n").utf8)
    #expect(throws: Full.self) {
      try intake.judgeFile(MemoryFile(text, pieces: 100_000).source, app: "a") { _, _ in
        deliveries += 1
        throw Full()
      }
    }
    #expect(deliveries == 1)
  }
}
