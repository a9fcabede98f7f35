import TestSupport

/// Sessions as nobody would think of them.
enum RandomSession {
  /// Anything that a phone, a lossy way and a strange sender can make of a story.
  static func draw(story: String?, _ random: inout SeededGenerator) -> WorldSession {
    let pageCount = Int.random(in: 1...5, using: &random)
    let losses: [Double] = [0, 0, 0.1, 0.4]
    let loss = losses.randomElement(using: &random) ?? 0
    var session = WorldSession("", app: Bool.random(using: &random) ? "shop" : "news", story: story)
    if story == nil { session.story = ["spring-sale", "autumn", "(none)", nil].randomElement(using: &random) ?? nil }
    session.startedAt =
      "2026-\(Int.random(in: 10...11, using: &random))-\(Int.random(in: 10...28, using: &random))T"
      + "\(Int.random(in: 10...23, using: &random)):\(Int.random(in: 10...59, using: &random)):00Z"
    for field in ["app_version", "locale", "environment"] where Bool.random(using: &random) {
      session.context[field] = ["a", "b", "c"].randomElement(using: &random)
    }
    for field in [
      "device_model", "device_id", "campaign_id", "os_version", "user_id", "message_id", "message_hash", "sdk_version",
    ]
    where Bool.random(using: &random) {
      session.context[field] = ["iPhone17,1", "a", "b|c", "it's \\", "", "(none)", "(other)"].randomElement(
        using: &random)
    }
    if Bool.random(using: &random) {
      let tier = ["0", "1", "2", #""gold""#, "null", "true"].randomElement(using: &random) ?? "0"
      session.properties = #"{"tier": \#(tier), "o'ther \\ \"q\"": "x"}"#
    }
    session.hasSuspectClock = Int.random(in: 0..<10, using: &random) == 0
    var page = -1
    var milliseconds = 0.0
    for seq in 0..<Int.random(in: 1...14, using: &random) {
      milliseconds += Double(Int.random(in: -300...6_000, using: &random))
      var event = WorldEvent(seq: seq, type: .start, number: pageCount, milliseconds: milliseconds)
      if seq > 0 || Int.random(in: 0..<8, using: &random) == 0 {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<10: page += 1
        case 10..<13: page = max(0, page - 1)
        case 13: page = 0
        case 14: page = Int.random(in: 0...6, using: &random)
        case 15..<18: event.type = .actionTap
        case 18, 19: event.type = .finish
        case 20: event.type = .dismiss
        case 21: event.type = .fallback
        case 22: event.type = .richMediaClosed
        case _: event.number = Int.random(in: 1...6, using: &random)
        }
        let isAnotherStart = event.number != pageCount
        if !isAnotherStart && event.type == .start { event.type = .pageShown }
        if event.type == .pageShown || event.type == .actionTap {
          event.number =
            event.type == .actionTap && Bool.random(using: &random)
            ? Int.random(in: 0...5, using: &random) : max(0, page)
        } else if event.type != .start {
          event.number = nil
        }
      }
      if event.type == .richMediaClosed { event.contentCode = "r-1" }
      if event.type == .fallback {
        event.reason = ["missing_block", "(none)", "", nil].randomElement(using: &random) ?? nil
      }
      if event.type == .pageShown, Bool.random(using: &random) {
        event.durationSeconds = Double(Int.random(in: 1...50, using: &random)) / 10
      }
      if event.type == .start, Bool.random(using: &random) {
        event.pageDurations = (0..<pageCount).map { _ in
          Bool.random(using: &random) ? Double(Int.random(in: 1...50, using: &random)) / 10 : nil
        }
      }
      if Double.random(in: 0..<1, using: &random) >= loss { session.events.append(event) }
    }
    return session
  }
}
