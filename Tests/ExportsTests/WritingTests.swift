import Foundation
import LocalTime
import StoryEvents
import TestSupport
import Testing

@testable import Exports

/// Texts that go wrong where a writer is careless.
let hostileTexts = [
  "", "a,b", "\"", "\"quoted\"", "line\nfeed", "carriage\rreturn", "both\r\nof them", "\r", "\n", "=1+1", "+1", "-1",
  "@sum",
  "\t=1", "'", "\\", "\\.", "\\N", "NULL", "null", " leading and trailing ", "שלום \u{202E}txt.exe", "👩‍👩‍👧‍👦 🇩🇪",
  "\u{2028}\u{2029}",
  "\u{FEFF}bom", "\u{1}\u{1F}\u{7F}", "e\u{301} é", "18446744073709551615", "1e5", "true", "{\"a\":1}", ",", ",,\"\"",
]

@Suite struct `The files of a day` {
  static let allOptions: [ExportOptions] = ExportFormat.allCases.flatMap { format in
    ExportCompression.allCases.map { ExportOptions(format: format, compression: $0) }
  }

  @Test(arguments: allOptions)
  func `hold every value that was stored, whatever it is`(_ options: ExportOptions) throws {
    let properties =
      #"{"text": "a \"b\", \u2028 \\ \n c", "integer": 18446744073709551615, "fraction": -0.125, "yes": true, "no": false, "none": null, "=k,": ""}"#
    let fields = ["message_hash", "message_id", "campaign_id", "device_id", "user_id", "app_version", "sdk_version"]
    let sessions = hostileTexts.enumerated().map { number, text in
      var session = StoredSession()
      session.story = text
      session.app = text.isEmpty ? "shop" : text
      session.context = ["properties": properties, "locale": "de_DE"]
      for field in fields { session.context[field] = text }
      session.clockOffsetMicroseconds = Int64(number) - 3
      let literal = "E'\(text.unicodeScalars.map { "\\U" + Self.eightDigits($0) }.joined())'"
      session.events = [
        StoredRow(seq: 0, type: .fallback, columns: ["reason": literal]),
        StoredRow(
          seq: 1, type: .richMediaFailed,
          columns: ["content_code": literal, "error": literal, "source": "\(number % 2)"]),
        StoredRow(
          seq: 2, type: .notificationResponse,
          columns: ["category_id": literal, "button_id": literal, "action": "\(number % 3)"]),
        StoredRow(seq: 3, type: .start, columns: ["page_count": "3", "page_durations": "ARRAY[5,NULL,0.1]::float8[]"]),
        StoredRow(seq: 4, type: .pageShown, columns: ["page_index": "2", "duration": "4.25"]),
      ]
      return session
    }
    let world = try WritingWorld(sessions)
    let day = try world.write(options)
    let rows = try day.rows(.events)
    #expect(rows.count == 5 * hostileTexts.count && day.written.events == rows.count)
    for (number, text) in hostileTexts.enumerated() {
      let own = rows.filter { $0["clock_offset_us"] == "\(number - 3)" }.sorted {
        ($0.number("seq") ?? 0) < ($1.number("seq") ?? 0)
      }
      #expect(own.count == 5)
      for row in own {
        #expect(row["app"] == (text.isEmpty ? "shop" : text))
        for field in ["story_id"] + fields { #expect(row[field] == text) }
        #expect(row["os_version"] == nil && row["environment"] == nil)
        let stored = try #require(row["properties"])
        let read = try JSONSerialization.jsonObject(with: Data(stored.utf8)) as? NSDictionary
        #expect(read == (try JSONSerialization.jsonObject(with: Data(properties.utf8)) as? NSDictionary))
        #expect(stored.contains("18446744073709551615"))
      }
      #expect(own[0]["reason"] == text && own[0]["type"] == "fallback" && own[0]["source"] == nil)
      #expect(own[1]["content_code"] == text && own[1]["error"] == text)
      #expect(own[1]["source"] == ["push", "in_app"][number % 2])
      #expect(own[2]["category_id"] == text && own[2]["button_id"] == text)
      #expect(own[2]["action"] == ["button", "default", "dismiss"][number % 3])
      #expect(own[3]["page_count"] == "3" && own[3]["page_durations"] == "[5,null,0.1]")
      #expect(own[4]["page_index"] == "2" && own[4]["duration_seconds"] == "4.25")
    }
    let stories = try day.rows(.stories).map { Array(($0["story_id"] ?? "(null)").utf8) }
    #expect(Set(stories) == Set(hostileTexts.map { Array($0.utf8) }))
    #expect(try day.rows(.sessions).count == hostileTexts.count)
  }

  private static func eightDigits(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  @Test func `have the columns that their list says, and as many cells in every line`() throws {
    let world = try Self.world.get()
    let day = try world.write()
    #expect(day.written.files.map(\.content) == ExportContent.allCases)
    for file in day.written.files {
      let records = try StrictCSV(try day.bytes(file.content)).records
      #expect(records.first == file.content.columns.map(\.name))
      #expect(file.columns == file.content.columns && file.rows == records.count - 1 && file.rows > 0)
      #expect(Set(records.map(\.count)) == [file.columns.count])
      #expect(Set(file.columns.map(\.name)).count == file.columns.count)
      #expect(file.columns.allSatisfy { $0.meaning.hasSuffix(".") })
    }
    let names = ContextColumns.identity.map(\.name)
    #expect(
      Array(EventColumns.all.map(\.name).prefix(3)) == names && Array(SessionColumns.all.map(\.name).prefix(3)) == names
    )
    #expect(
      ContextColumns.context.map(\.name).suffix(DayQuery.contextTexts.count + 1)
        == (DayQuery.contextTexts + [.properties]).map(\.name)[...])
  }

  @Test(arguments: allOptions) func `are described as they are`(_ options: ExportOptions) throws {
    let world = try Self.world.get()
    let day = try world.write(options)
    for file in day.written.files {
      let bytes = try day.bytes(file.content)
      #expect(file.name == options.fileName(of: file.content))
      #expect(Int(file.bytes) == bytes.count)
      #expect(Int(file.uncompressedBytes) == (try PlainBytes.of(bytes, named: file.name)).count)
      #expect(file.rows == (try day.rows(file.content)).count)
      #expect(file.sha256 == (try Program.sha256(try day.path(file.content))))
    }
  }

  @Test func `are the same in every format and compression`() throws {
    let world = try Self.world.get()
    let plain = try world.write()
    for options in Self.allOptions {
      let day = try world.write(options)
      for content in ExportContent.allCases { #expect(try day.rows(content) == plain.rows(content)) }
    }
  }

  @Test(arguments: [[ExportContent.events], [.sessions], [.funnel], [.stories], [.sessions, .stories], []])
  func `are those that were asked for`(_ contents: [ExportContent]) throws {
    let world = try Self.world.get()
    let all = try world.write()
    let day = try world.write(ExportOptions(contents: contents, compression: .none))
    #expect(day.written.files == all.written.files.filter { contents.contains($0.content) })
    #expect(day.written.counts == all.written.counts && day.written.events == all.written.events)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: day.directory.path).sorted()
        == contents.map { "\($0.rawValue).csv" }.sorted())
  }

  @Test func `of a day without sessions have no lines`() throws {
    let world = try Self.world.get()
    for options in Self.allOptions {
      let day = try world.write(options, on: "2026-11-01")
      #expect(day.written.sessions == 0 && day.written.files.map(\.rows) == [0, 0, 0, 0])
      for content in ExportContent.allCases { #expect(try day.rows(content).isEmpty) }
    }
  }

  @Test func `are of the apps that were asked for`() throws {
    let world = try Self.world.get()
    let day = try world.write(apps: ["news"])
    for content in ExportContent.allCases { #expect(Set(try day.rows(content).map { $0["app"] }) == ["news"]) }
    #expect(try world.write(apps: []).written.sessions == 0)
  }

  @Test func `put a quote before texts that spreadsheets run, and before nothing else`() throws {
    var session = StoredSession(clockOffsetMicroseconds: -5)
    session.story = "=story"
    session.context = [
      "device_id": "+1", "user_id": "-1", "locale": "@x", "app_version": "\tx", "os_version": "\rx",
      "environment": "a=b",
      "message_id": "'", "properties": #"{"=a": 1}"#,
    ]
    session.events = [StoredRow(seq: 0, type: .pageShown, columns: ["page_index": "0", "duration": "-1"])]
    let world = try WritingWorld([session])
    let row = try #require(
      try world.write(ExportOptions(compression: .none, isCSVSafe: true)).rows(.events).first)
    #expect(row["story_id"] == "'=story" && row["device_id"] == "'+1" && row["user_id"] == "'-1")
    #expect(row["locale"] == "'@x" && row["app_version"] == "'\tx" && row["os_version"] == "'\rx")
    #expect(row["environment"] == "a=b" && row["message_id"] == "'" && row["properties"] == #"{"=a": 1}"#)
    #expect(row["clock_offset_us"] == "-5" && row["duration_seconds"] == "-1")
    let json = try #require(
      try world.write(ExportOptions(format: .ndjson, compression: .none, isCSVSafe: true)).rows(.events).first)
    #expect(json["story_id"] == "=story")
  }

  /// A database of these sessions that no test changes.
  static let world = Result { try WritingWorld(example) }

  /// Two apps, a session without a story, one that is no presentation, one without events.
  static let example: [StoredSession] = {
    let shown = [
      StoredRow(seq: 0, type: .start, columns: ["page_count": "2"]),
      StoredRow(seq: 1, type: .pageShown, columns: ["page_index": "0", "duration": "1"]),
      StoredRow(seq: 3, type: .pageShown, at: "2026-11-29T10:00:05.5Z", columns: ["page_index": "1"]),
      StoredRow(seq: 4, type: .actionTap, columns: ["page_index": "1"]),
    ]
    return [
      StoredSession(context: ["device_id": "d"], events: shown), StoredSession(story: nil, events: shown),
      StoredSession(app: "news", hasSuspectClock: true, events: shown),
      StoredSession(story: "none", events: [StoredRow(seq: 0, type: .richMediaClosed)]), StoredSession(story: "none"),
    ]
  }()
}
