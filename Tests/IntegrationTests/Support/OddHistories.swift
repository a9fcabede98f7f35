import Foundation
import TestSupport

/// Sessions that a player of today would not make, but a lossy way, a wrong clock or a strange sender may: gaps, loops,
/// jumps, taps on pages never shown, several starts, clocks set back, pages far away, dwells that miss a page's duration by a
/// microsecond. As NDJSON, a batch a session.
struct OddHistories {
  private var random: SeededGenerator
  private var lines: [String] = []
  /// The most pages that a story has: in one world what the contract allows, which makes long reports.
  private let mostPages: Int

  /// - Parameter stream: another number draws others.
  init(stream: UInt64, sessions: Int) {
    mostPages = stream == 0 ? 1_000 : 15
    random = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: stream + 5_000)
    for number in 0..<sessions { lines.append(batch(number)) }
  }

  /// For `pagefall ingest`.
  var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  /// 2026-11-03T00:00:00Z: all of them start within the ten days after it.
  private static let firstStartMicroseconds: Int64 = 1_793_664_000_000_000

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func batch(_ number: Int) -> String {
    let start = Self.firstStartMicroseconds + Int64.random(in: 0..<864_000_000, using: &random) * 1_000
    // Received before it began by far: a clock that nobody believes.
    let received = chance(0.1) ? start - 86_400_000_000 : start + 60_000_000
    let story = pick([
      "\"story_id\": \"odd\"", "\"story_id\": \"odd, \\\"quoted\\\"\\n\u{202E}🦊\"", "\"locale\": \"de_DE\"",
    ])
    return "{\"received_at\": \"\(Self.text(received))\", \"context\": {\(story)}, "
      + "\"events\": [\(events(number, start).joined(separator: ", "))]}"
  }

  private mutating func events(_ number: Int, _ start: Int64) -> [String] {
    let id = sessionID(number, start)
    let pageCount = chance(0.02) ? mostPages : Int.random(in: 1...5, using: &random)
    let loss = pick([0, 0, 0.1, 0.4])
    var events: [String] = []
    var page = -1
    var time = start
    // Numbers may begin late, and end where the range of numbers does.
    var seq = chance(0.05) ? Int(Int32.max) - 15 : 0
    var duration: Double?
    for place in 0..<Int.random(in: 1...16, using: &random) {
      time += duration.map { step(near: $0) } ?? Int64.random(in: -300_000...6_000_000, using: &random)
      let isStart = place == 0 ? chance(0.9) : chance(0.04)
      duration = chance(0.5) ? Double(Int.random(in: 1...50, using: &random)) / 10 : nil
      if chance(0.02) { duration = pick([1e303, -1e303, 0]) }
      let detail = isStart ? self.start(chance(0.8) ? pageCount : 3) : other(&page, pageCount, duration)
      if !chance(loss) {
        events.append("{\"session_id\": \"\(id)\", \"seq\": \(seq), \"at\": \"\(Self.text(time))\", \(detail)}")
      }
      seq += 1
    }
    // A batch needs an event.
    return events.isEmpty
      ? ["{\"session_id\": \"\(id)\", \"seq\": 0, \"at\": \"\(Self.text(start))\", \"type\": \"dismiss\"}"] : events
  }

  /// Just when the page's timer turns it, as far as its tolerance goes.
  private mutating func step(near duration: Double) -> Int64 {
    // Nobody waits for a duration that is none.
    guard (0..<1_000).contains(duration) else { return 2_000_000 }
    return Int64((duration * 1_000_000).rounded()) - 250_000 + pick([-1, 0, 1, 250_000])
  }

  private mutating func start(_ pageCount: Int) -> String {
    var pages = ""
    if chance(0.5) {
      let listed = (0..<min(pageCount, 6)).map { _ in
        chance(0.5) ? "{\"duration\": \(Double(Int.random(in: 1...50, using: &random)) / 10)}" : "{}"
      }
      pages = ", \"pages\": [\(listed.joined(separator: ", "))]"
    }
    // What says nothing of a start is stored all the same.
    let index = chance(0.1) ? "\"page_index\": \(Int.random(in: 0...9, using: &random)), " : ""
    return "\"type\": \"start\", \(index)\"page_count\": \(pageCount)\(pages)"
  }

  private mutating func other(_ page: inout Int, _ pageCount: Int, _ duration: Double?) -> String {
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<10: page += 1
    case 10..<13: page = max(0, page - 1)
    case 13: page = 0
    case 14: page = chance(0.1) ? mostPages - 1 : Int.random(in: 0...6, using: &random)
    case 15..<18:
      let tapped = chance(0.5) ? Int.random(in: 0...8, using: &random) : max(0, page)
      return "\"type\": \"action_tap\", \"page_index\": \(tapped)"
    case 18, 19: return "\"type\": \"finish\"" + (chance(0.2) ? ", \"page_index\": \(max(0, page))" : "")
    case 20: return "\"type\": \"dismiss\""
    case 21: return "\"type\": \"fallback\", \"reason\": \"missing_block\""
    case 22: return "\"type\": \"rich_media_closed\", \"content_code\": \"r-1\""
    default: page = pageCount - 1
    }
    page = min(max(0, page), mostPages - 1)
    let details =
      (duration.map { ", \"page\": {\"duration\": \($0)}" } ?? "") + (chance(0.1) ? ", \"page_count\": 1" : "")
    return "\"type\": \"page_shown\", \"page_index\": \(page)\(details)"
  }

  /// Mostly of version 7, which holds the start; else of version 4.
  private mutating func sessionID(_ number: Int, _ start: Int64) -> String {
    func hexadecimal(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let time = chance(0.8) ? hexadecimal(UInt64(start / 1_000), 12) : hexadecimal(random.next() >> 16, 12)
    let version = time == hexadecimal(UInt64(start / 1_000), 12) ? "7" : "4"
    return "\(time.prefix(8))-\(time.suffix(4))-\(version)000-8000-\(hexadecimal(UInt64(number), 12))"
  }

  private static func text(_ microseconds: Int64) -> String {
    let seconds = (Double(microseconds) / 1_000_000).rounded(.down)
    let fraction = String(microseconds - Int64(seconds) * 1_000_000)
    let instant = Date(timeIntervalSince1970: seconds).formatted(.iso8601).dropLast()
    return "\(instant).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
  }
}
