import Foundation
import FunnelDocument
import StoryEvents

/// A case of `Tests/Fixtures/funnel-cases.json`: events in the order of their arrival, and some of the numbers.
struct FunnelCase {
  var name: String
  var session: WorldSession
  var expectation: JSONValue

  static func all() throws -> [FunnelCase] {
    let cases = try JSONValue(text: try Data(contentsOf: Fixtures.url("funnel-cases.json")))
    return try (cases.arrayValue ?? []).map { value in
      var session = WorldSession("")
      var known: Set<Int> = []
      for event in value["events"]?.arrayValue ?? [] {
        let read = try WorldEvent(json: event)
        if known.insert(read.seq).inserted { session.events.append(read) }
      }
      return FunnelCase(
        name: value["name"]?.stringValue ?? "", session: session, expectation: value["expect"] ?? .null)
    }
  }
}

extension WorldSession {
  /// Reads batches as they are sent, one a line, into the sessions of their events.
  static func read(batches text: String) throws -> [WorldSession] {
    var sessions: [String: WorldSession] = [:]
    for line in text.split(separator: "\n") {
      let batch = try JSONValue(text: line.utf8)
      for event in batch["events"]?.arrayValue ?? [] {
        let id = event["session_id"]?.stringValue ?? ""
        sessions[id, default: WorldSession("", app: "demo", story: batch["context"]?["story_id"]?.stringValue)]
          .events.append(try WorldEvent(json: event))
      }
    }
    return sessions.values.map { session in
      var session = session
      session.events.sort { $0.seq < $1.seq }
      return session
    }
  }
}

/// Where the files of the tests are.
enum Fixtures {
  static func url(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures").appending(path: path)
  }
}

extension WorldEvent {
  /// Reads an event as it is sent; times count from 2026-11-29T10:00:00Z.
  init(json: JSONValue) throws {
    struct Unreadable: Error { var event: JSONValue }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let seq = json["seq"]?.integerValue, let name = json["type"]?.stringValue, let type = EventType(name: name),
      let at = json["at"]?.stringValue
    else { throw Unreadable(event: json) }
    let seconds = try Date(at, strategy: style).timeIntervalSince1970 - 1_795_946_400
    self.init(
      seq: seq, type: type, number: (json["page_index"] ?? json["page_count"])?.integerValue,
      milliseconds: (seconds * 1_000_000).rounded() / 1_000, durationSeconds: json["page"]?["duration"]?.doubleValue,
      pageDurations: json["pages"]?.arrayValue?.map { $0["duration"]?.doubleValue })
  }
}

extension JSONValue {
  /// Where another value lacks what this one has.
  func differences(from other: JSONValue?, at path: String) -> [String] {
    guard let other else { return ["\(path) is not there"] }
    switch self {
    case .object(let members):
      return members.flatMap { $0.value.differences(from: other[$0.key], at: "\(path).\($0.key)") }
    case .array(let elements):
      let others = other.arrayValue ?? []
      guard elements.count == others.count else { return ["\(path) has \(others.count) elements"] }
      return zip(elements, others).enumerated().flatMap { $1.0.differences(from: $1.1, at: "\(path)[\($0)]") }
    case .integer, .number:
      return doubleValue == other.doubleValue ? [] : ["\(path) is \(other.text()) and not \(text())"]
    case .null, .bool, .string:
      return self == other ? [] : ["\(path) is \(other.text()) and not \(text())"]
    }
  }
}
