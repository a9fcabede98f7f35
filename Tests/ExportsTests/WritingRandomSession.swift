import StoryEvents
import TestSupport

/// Anything that a phone, a lossy way and a strange sender can make of a session.
enum RandomSession {
  static func make(_ random: inout SeededGenerator) -> StoredSession {
    var session = StoredSession()
    session.app = ["shop", "news"].randomElement(using: &random) ?? "shop"
    session.story = ["spring-sale", "autumn, \"leaves\"", "=x", nil].randomElement(using: &random) ?? nil
    session.startedAt =
      "2026-11-29T\(Int.random(in: 10...23, using: &random)):\(Int.random(in: 10...59, using: &random)):00Z"
    session.hasSuspectClock = Int.random(in: 0..<10, using: &random) == 0
    if Bool.random(using: &random) { session.context["device_id"] = "device" }
    if Bool.random(using: &random) { session.context["properties"] = #"{"tier": "gold, \"new\""}"# }
    let pageCount = Int.random(in: 1...5, using: &random)
    var page = -1
    var milliseconds = 0
    for seq in 0..<Int.random(in: 1...14, using: &random) {
      milliseconds += Int.random(in: -300...6_000, using: &random)
      if Int.random(in: 0..<8, using: &random) == 0 { continue }
      session.events.append(
        event(seq, at: milliseconds, pageCount, &page, &random))
    }
    return session
  }

  private static func event(
    _ seq: Int, at milliseconds: Int, _ pageCount: Int, _ page: inout Int, _ random: inout SeededGenerator
  ) -> StoredRow {
    var row = StoredRow(seq: seq, type: .pageShown)
    row.at = "epoch"
    row.columns = [:]
    let second = milliseconds + 300 * 20
    row.at = "2026-11-29T10:00:\(10 + second / 1_000 % 50).\(100 + second % 1_000 % 900)Z"
    if seq == 0 || Int.random(in: 0..<15, using: &random) == 0 {
      row.type = .start
      row.columns["page_count"] = "\(pageCount)"
      if Bool.random(using: &random) {
        row.columns["page_durations"] =
          "ARRAY[\((0..<pageCount).map { $0 == 1 ? "NULL" : "\($0 + 1).5" }.joined(separator: ","))]::float8[]"
      }
      return row
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: page += 1
    case 10, 11: page = max(0, page - 1)
    case 12: page = 0
    case 13: page = Int.random(in: 0...6, using: &random)
    case 14, 15: row.type = .actionTap
    case 16, 17: row.type = .finish
    case 18:
      row.type = .fallback
      row.columns["reason"] = "'a \"reason\", with commas'"
    case _: row.type = .richMediaClosed
    }
    if row.type == .pageShown || row.type == .actionTap { row.columns["page_index"] = "\(max(0, page))" }
    if row.type == .pageShown, Bool.random(using: &random) {
      row.columns["duration"] = "\(Double(Int.random(in: 1...50, using: &random)) / 10)"
    }
    return row
  }
}
