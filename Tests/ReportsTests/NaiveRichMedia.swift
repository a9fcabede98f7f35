import FunnelDocument
import StoryEvents
import TestSupport

/// The definitions of rich media once more, sentence by sentence and without a thought for speed: what a report has to agree
/// with. Shares nothing with `Reports`.
struct NaiveRichMedia {
  let sessions: [WorldSession]

  init(_ sessions: [WorldSession]) {
    self.sessions = sessions.filter { $0.contentCode != nil }
  }

  var counts: RichMediaCounts {
    var counts = RichMediaCounts()
    counts.presentations = sessions.count
    counts.deferred = sessions.filter { $0.has(.richMediaDeferred) }.count
    counts.shown = sessions.filter { $0.has(.richMediaPresented) }.count
    func ended(_ end: String) -> [WorldSession] { sessions.filter { $0.richMediaEnd == end } }
    counts.failed = ended("failed").count
    counts.closed = ended("closed").count
    counts.openOrLost = ended("open").count
    counts.waitingOrLost = ended("waiting").count
    let timed = ended("closed").compactMap { session -> Bool? in
      guard let timer = session.autoCloseMilliseconds, let open = session.open else { return nil }
      return open >= timer - 250
    }
    if !timed.isEmpty {
      counts.closedByTimer = timed.filter { $0 }.count
      counts.closedBeforeTimer = timed.filter { !$0 }.count
    }
    counts.wait = Self.summary(sessions.compactMap(\.wait))
    counts.open = Self.summary(sessions.compactMap(\.open))
    let expected = sessions.map { ($0.events.map(\.seq).max() ?? -1) + 1 }.reduce(0, +)
    counts.expectedEvents = expected
    counts.missingEvents = expected - sessions.map(\.events.count).reduce(0, +)
    return counts
  }

  /// By app and content code.
  var lines: [RichMediaLine] {
    Dictionary(grouping: sessions) { "\($0.app)\u{0}\($0.contentCode ?? "")" }.values.map { own in
      RichMediaLine(app: own[0].app, contentCode: own[0].contentCode ?? "", counts: NaiveRichMedia(own).counts)
    }.sorted(by: RichMediaLine.precedes)
  }

  private static func summary(_ lengths: [Double]) -> DwellSummary {
    let sorted = lengths.sorted()
    guard !sorted.isEmpty else { return DwellSummary() }
    return DwellSummary(
      count: sorted.count, medianMilliseconds: sorted[(sorted.count + 1) / 2 - 1],
      ninetiethPercentileMilliseconds: sorted[Int((0.9 * Double(sorted.count)).rounded(.up)) - 1])
  }

  /// Anything that a phone, a lossy way and a strange sender can make of rich media.
  static func draw(_ random: inout SeededGenerator) -> WorldSession {
    var session = RandomSession.draw(story: nil, &random)
    if Int.random(in: 0..<5, using: &random) == 0 { return session }
    let timer = ["", "5", "2.5", "0", "-1", #""4""#, #""soon""#, "null"].randomElement(using: &random) ?? ""
    session.properties = timer.isEmpty ? nil : #"{"auto_close_seconds": \#(timer), "position": "top"}"#
    let words = ["deferred", "presented", "presented", "closed", "closed", "failed", "-", "-", "answer", "0"]
    var milliseconds = 0
    let code = ["r-1", "r-2", "r-3", "caf\u{E9}"].randomElement(using: &random) ?? "r-1"
    var text: [String] = []
    for word in Bool.random(using: &random) ? ["deferred", "presented", "closed"] : ["presented", "closed"] {
      milliseconds += Int.random(in: -200...6_000, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: text.append((words.randomElement(using: &random) ?? "-") + "@\(milliseconds)")
      case 1: continue
      case _: break
      }
      text.append(word + "@\(milliseconds)")
    }
    session.events = WorldEvent.parse(text.joined(separator: " ")).map { event in
      var event = event
      // A session may name several: its first counts.
      if event.contentCode != nil { event.contentCode = Int.random(in: 0..<8, using: &random) == 0 ? "r-9" : code }
      return event
    }
    return session
  }
}

extension WorldSession {
  fileprivate var contentCode: String? { events.first { $0.type.name.hasPrefix("rich_media") }?.contentCode }

  fileprivate var richMediaEnd: String {
    if has(.richMediaFailed) { return "failed" }
    if has(.richMediaClosed) { return "closed" }
    return has(.richMediaPresented) ? "open" : "waiting"
  }

  fileprivate var autoCloseMilliseconds: Double? {
    guard let properties, let value = try? JSONValue(text: properties.utf8)["auto_close_seconds"] else { return nil }
    guard let seconds = value.doubleValue ?? value.stringValue.flatMap({ Double($0) }), seconds > 0 else { return nil }
    return seconds * 1_000
  }

  fileprivate var wait: Double? { length(.richMediaDeferred, .richMediaPresented) }
  fileprivate var open: Double? { length(.richMediaPresented, .richMediaClosed) }

  private func length(_ first: EventType, _ second: EventType) -> Double? {
    guard let begin = events.first(where: { $0.type == first }),
      let end = events.first(where: { $0.type == second && $0.seq > begin.seq }),
      Set(begin.seq...end.seq).isSubset(of: events.map(\.seq)), end.milliseconds >= begin.milliseconds
    else { return nil }
    return end.milliseconds - begin.milliseconds
  }
}
