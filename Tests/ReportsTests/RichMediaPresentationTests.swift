import SessionMetrics
import StoryEvents
import Testing

@testable import Reports

/// Judges a session written as in `WorldEvent.parse`, and says what it counts for: its end, whether it was deferred and shown,
/// wait and time open in milliseconds, and who closed it.
private func judged(_ text: String, timer: Double? = nil) -> String? {
  let history = SessionHistory(WorldEvent.parse(text).map(\.stored))
  guard let presentation = RichMediaPresentation(history.events, autoCloseSeconds: timer) else { return nil }
  var words = ["\(presentation.end)"]
  if presentation.isDeferred { words.append("deferred") }
  if presentation.isShown { words.append("shown") }
  if let wait = presentation.waitMicroseconds { words.append("wait \(wait / 1_000)") }
  if let open = presentation.openMicroseconds { words.append("open \(open / 1_000)") }
  if let isByTimer = presentation.isClosedByTimer { words.append(isByTimer ? "timer" : "before") }
  return words.joined(separator: ", ")
}

@Suite struct `Each presentation of rich media ends exactly once` {
  static let cases: [(story: String, expected: String)] = [
    ("presented closed", "closed, shown, open 1000"),
    ("presented@0 closed@5000", "closed, shown, open 5000"),
    ("presented", "openOrLost, shown"),
    ("deferred", "waitingOrLost, deferred"),
    ("deferred@0 presented@700 closed@2700", "closed, deferred, shown, wait 700, open 2000"),
    ("deferred@0 presented@700", "openOrLost, deferred, shown, wait 700"),
    // A failure is one, whatever else was told, in either order: the older style tells both.
    ("failed", "failed"),
    ("closed failed", "failed"),
    ("failed closed", "failed"),
    ("presented@0 closed@900 failed@950", "failed, shown, open 900"),
    ("presented failed", "failed, shown"),
    ("deferred failed", "failed, deferred"),
    ("failed presented closed", "failed, shown, open 1000"),
    // A second closing, of the timer that a manual closing does not cancel: the first counts.
    ("presented@0 closed@1500 closed@5000", "closed, shown, open 1500"),
    // What was lost: the presentation, the deferral, the closing.
    ("- closed", "closed"),
    ("closed", "closed"),
    ("deferred - closed", "closed, deferred"),
    ("- presented closed", "closed, shown, open 1000"),
    ("presented -", "openOrLost, shown"),
    ("deferred -", "waitingOrLost, deferred"),
    // Lengths are not known where something is missing in between.
    ("deferred - presented closed", "closed, deferred, shown, open 1000"),
    ("deferred presented - closed", "closed, deferred, shown, wait 1000"),
    ("presented - - closed", "closed, shown"),
    // What is missing before or after does not matter.
    ("- - presented closed - closed", "closed, shown, open 1000"),
    // The clock was set back.
    ("deferred@5000 presented@4000 closed@9000", "closed, deferred, shown, open 5000"),
    ("presented@5000 closed@4999", "closed, shown"),
    ("presented@5000 closed@5000", "closed, shown, open 0"),
    // The first of several; the first after it.
    ("deferred@0 deferred@100 presented@300", "openOrLost, deferred, shown, wait 300"),
    ("presented@0 presented@300 closed@1000", "closed, shown, open 1000"),
    ("closed@0 presented@100 closed@300", "closed, shown, open 200"),
    ("presented@0 deferred@100 presented@350 closed@1000", "closed, deferred, shown, wait 250, open 1000"),
    ("presented deferred closed", "closed, deferred, shown, open 2000"),
    // Other events fill their place.
    ("start/2 deferred@0 0 presented@500 answer closed@900 dismiss", "closed, deferred, shown, wait 500, open 400"),
  ]

  @Test(arguments: cases)
  func `by the first rule that applies`(_ example: (story: String, expected: String)) {
    #expect(judged(example.story) == example.expected, "\(example.story)")
  }

  @Test(arguments: ["", "start/1 0 finish", "answer", "fallback", "dismiss"])
  func `where there is no event of rich media there is no presentation`(_ story: String) {
    #expect(judged(story) == nil)
  }

  @Test func `missing events are those below the highest`() throws {
    let history = SessionHistory(WorldEvent.parse("- presented - - closed -").map(\.stored))
    let presentation = try #require(RichMediaPresentation(history.events, autoCloseSeconds: nil))
    #expect(presentation.expectedEvents == 5 && presentation.missingEvents == 3)
  }

  @Test func `times as far apart as numbers go have no length`() throws {
    let events = [
      StoredEvent(seq: 0, type: .richMediaPresented, number: 0, atMicroseconds: .min),
      StoredEvent(seq: 1, type: .richMediaClosed, number: 0, atMicroseconds: .max),
    ]
    let presentation = try #require(RichMediaPresentation(events, autoCloseSeconds: 1))
    #expect(presentation.openMicroseconds == nil && presentation.isClosedByTimer == nil && presentation.end == .closed)
  }
}

@Suite struct `The auto-close timer` {
  @Test(arguments: [
    ("presented@0 closed@5000", 5, "timer"), ("presented@0 closed@4750", 5, "timer"),
    ("presented@0 closed@4749", 5, "before"), ("presented@0 closed@60000", 5, "timer"),
    // 4.1 s less 0.25 s is 3.85 s, and not what floats make of it.
    ("presented@0 closed@3850", 4.1, "timer"), ("presented@0 closed@3849", 4.1, "before"),
    ("presented@0 closed@0", 0.25, "timer"), ("presented@0 closed@0", 0.001, "timer"),
    ("presented@0 closed@100000", 1e300, "before"),
    // A second closing says nothing.
    ("presented@0 closed@1000 closed@5000", 5, "before"),
  ])
  func `closed what was open as long as it runs, less a quarter of a second`(
    _ story: String, _ timer: Double, _ closed: String
  ) {
    #expect(judged(story, timer: timer)?.hasSuffix(", \(closed)") == true, "\(story)")
  }

  @Test(arguments: [
    "closed", "presented - closed", "presented@5 closed@0", "presented", "deferred",
    // It is no closing of it where it failed.
    "presented@0 closed@5000 failed@5001", "failed presented closed",
  ])
  func `closed nothing where the time open is not known or the presentation did not end closed`(_ story: String) {
    #expect(judged(story, timer: 5) == judged(story))
  }

  @Test(arguments: [
    ("5", 5), ("5.0", 5), ("0.5", 0.5), ("1e1", 10), ("1E+1", 10), ("0", nil), ("-5", nil), ("", nil), (" 5", nil),
    ("five", nil), ("0x10", nil), ("inf", nil), ("nan", nil), ("true", nil), ("1e999", nil), ("5,5", nil), ("5s", nil),
    ("٥", nil), (nil, nil),
  ])
  func `is a number above 0`(_ text: String?, _ seconds: Double?) {
    #expect(AutoCloseTimer.seconds(text) == seconds)
  }
}
