import StoryPlayback
import Testing

/// Orders of callbacks (playback §2), as written timelines: "seconds presentation callback".
@Suite struct ModalPlayerTests {
  /// What happens to the player, at a second.
  enum Step: Sendable {
    /// A request for a window that appears after so many seconds, and closes itself after so many.
    case present(loads: Double = 1, closesAfter: Double? = nil)
    /// A request for one that fails after so many seconds.
    case fails(after: Double = 1)
    /// A request that a delegate outside refuses.
    case refused
    /// A finger closes the window of this number.
    case close(Int)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var options = ModalPlayer.Options()
    var steps: [(second: Double, step: Step)]
    var told: [String]

    var testDescription: String { name }
  }

  private func timeline(_ options: ModalPlayer.Options, _ steps: [(second: Double, step: Step)]) -> [String] {
    var player = ModalPlayer(options: options)
    var told: [ModalPlayer.TimedCallback] = []
    for (second, step) in steps {
      let at = microseconds(second)
      switch step {
      case .present(let loads, let closesAfter):
        let content = RichMediaContent(code: "c", window: ModalWindow(autoCloseSeconds: closesAfter))
        told += player.present(content, loading: .appears(afterMicroseconds: microseconds(loads)), at: at)
      case .fails(let after):
        let loading = RichMediaLoading.fails(afterMicroseconds: microseconds(after), error: "no page")
        told += player.present(RichMediaContent(code: "c"), loading: loading, at: at)
      case .refused: told += player.present(RichMediaContent(code: "c"), answer: false, at: at)
      case .close(let number): told += player.close(number, at: at)
      }
    }
    return (told + player.advance(to: microseconds(100))).map(line)
  }

  private func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000).rounded()) }

  private func line(_ timed: ModalPlayer.TimedCallback) -> String {
    let start = "\(Double(timed.atMicroseconds) / 1_000_000) \(timed.presentation) "
    switch timed.callback {
    case .shouldPresent(let answer): return start + (answer ? "should" : "defer")
    case .didPresent: return start + "present"
    case .didClose: return start + "close"
    case .didFail(let error): return start + "fail: \(error)"
    }
  }

  static let alone: [Case] = [
    Case(
      name: "a success is asked, presented, closed", steps: [(0, .present()), (5, .close(0))],
      told: ["0.0 0 should", "1.0 0 present", "5.0 0 close"]),
    Case(
      name: "a modal failure is told alone", steps: [(0, .fails(after: 2))],
      told: ["0.0 0 should", "2.0 0 fail: no page"]),
    Case(
      name: "a full-screen failure is a close, then a failure", options: .init(style: .fullScreen),
      steps: [(0, .fails())], told: ["0.0 0 should", "1.0 0 close", "1.0 0 fail: no page"]),
    Case(
      name: "with an animation the failure comes first", options: .init(style: .animatedFullScreen),
      steps: [(0, .fails())], told: ["0.0 0 should", "1.0 0 fail: no page", "1.3 0 close"]),
    Case(
      name: "who never closes it hears no more", steps: [(0, .present())], told: ["0.0 0 should", "1.0 0 present"]),
    Case(
      name: "the timer closes it", steps: [(0, .present(closesAfter: 8))],
      told: ["0.0 0 should", "1.0 0 present", "9.0 0 close"]),
    Case(
      name: "a hand does not stop the timer: a second close",
      steps: [(0, .present(closesAfter: 8)), (3, .close(0)), (4, .close(0))],
      told: ["0.0 0 should", "1.0 0 present", "3.0 0 close", "9.0 0 close"]),
    Case(
      name: "the hand comes after the timer at the same moment",
      steps: [(0, .present(closesAfter: 8)), (9, .close(0))],
      told: ["0.0 0 should", "1.0 0 present", "9.0 0 close"]),
    Case(
      name: "the older style has no timer", options: .init(style: .fullScreen),
      steps: [(0, .present(closesAfter: 8)), (30, .close(0))],
      told: ["0.0 0 should", "1.0 0 present", "30.0 0 close"]),
    Case(
      name: "what still loads cannot be closed, nor what is not there",
      steps: [(0, .present(loads: 4)), (1, .close(0)), (2, .close(7))], told: ["0.0 0 should", "4.0 0 present"]),
    Case(
      name: "a timer of nothing is none", steps: [(0, .present(closesAfter: 0))],
      told: ["0.0 0 should", "1.0 0 present"]),
  ]

  static let queued: [Case] = [
    Case(
      name: "the next ones wait, and come in their order without a second question",
      steps: [(0, .present()), (2, .present()), (3, .present()), (5, .close(0)), (9, .close(1))],
      told: [
        "0.0 0 should", "1.0 0 present", "2.0 1 defer", "3.0 2 defer", "5.0 0 close", "6.0 1 present", "9.0 1 close",
        "10.0 2 present",
      ]),
    Case(
      name: "one that loads counts as open", steps: [(0, .present(loads: 3)), (1, .present()), (5, .close(0))],
      told: ["0.0 0 should", "1.0 1 defer", "3.0 0 present", "5.0 0 close", "6.0 1 present"]),
    Case(
      name: "a failure counts as a close for the queue",
      steps: [(0, .fails(after: 2)), (1, .present()), (9, .close(1))],
      told: ["0.0 0 should", "1.0 1 defer", "2.0 0 fail: no page", "3.0 1 present", "9.0 1 close"]),
    Case(
      name: "failures in a row let the last one through",
      steps: [(0, .fails(after: 1)), (0, .fails(after: 0)), (0, .fails(after: 1)), (0, .present(loads: 0))],
      told: [
        "0.0 0 should", "0.0 1 defer", "0.0 2 defer", "0.0 3 defer", "1.0 0 fail: no page", "1.0 1 fail: no page",
        "2.0 2 fail: no page", "2.0 3 present",
      ]),
    Case(
      name: "the second close of a timer shows nothing and closes nothing else",
      steps: [(0, .present(closesAfter: 8)), (2, .present()), (3, .present()), (4, .close(0)), (20, .close(1))],
      told: [
        "0.0 0 should", "1.0 0 present", "2.0 1 defer", "3.0 2 defer", "4.0 0 close", "5.0 1 present", "9.0 0 close",
        "20.0 1 close", "21.0 2 present",
      ]),
    Case(
      name: "the timer's own close lets the next one in",
      steps: [(0, .present(closesAfter: 2)), (1, .present(closesAfter: 2))],
      told: ["0.0 0 should", "1.0 0 present", "1.0 1 defer", "3.0 0 close", "4.0 1 present", "6.0 1 close"]),
    Case(
      name: "the double end of the older style lets one in, once", options: .init(style: .fullScreen),
      steps: [(0, .fails(after: 2)), (1, .present()), (1, .present())],
      told: ["0.0 0 should", "1.0 1 defer", "1.0 2 defer", "2.0 0 close", "2.0 0 fail: no page", "3.0 1 present"]),
    Case(
      name: "so it does with an animation", options: .init(style: .animatedFullScreen),
      steps: [(0, .fails(after: 2)), (1, .present(loads: 0.1)), (1, .present())],
      told: ["0.0 0 should", "1.0 1 defer", "1.0 2 defer", "2.0 0 fail: no page", "2.1 1 present", "2.3 0 close"]),
    Case(
      name: "since 7.0.42 the question is asked again within the close",
      options: .init(style: .fullScreen, asksAgain: true), steps: [(0, .fails(after: 2)), (1, .present())],
      told: [
        "0.0 0 should", "1.0 1 defer", "2.0 0 close", "2.0 1 should", "2.0 0 fail: no page", "3.0 1 present",
      ]),
    Case(
      name: "without a queue several are open", options: .init(delegate: .agreeing),
      steps: [(0, .present()), (0, .present()), (4, .close(1)), (5, .close(0))],
      told: ["0.0 0 should", "0.0 1 should", "1.0 0 present", "1.0 1 present", "4.0 1 close", "5.0 0 close"]),
    Case(
      name: "what a delegate without a queue refuses is gone", options: .init(delegate: .agreeing),
      steps: [(0, .refused), (1, .present()), (5, .close(1))],
      told: ["0.0 0 defer", "1.0 1 should", "2.0 1 present", "5.0 1 close"]),
  ]

  @Test(arguments: alone) func `one rich media tells its delegate in order`(example: Case) {
    #expect(timeline(example.options, example.steps) == example.told)
  }

  @Test(arguments: queued) func `several rich media take their turns`(example: Case) {
    #expect(timeline(example.options, example.steps) == example.told)
  }

  @Test func `the player says what is open, what waits, and when something happens`() {
    var player = ModalPlayer(nowMicroseconds: 100)
    let content = RichMediaContent(code: "r-1", source: .push, window: ModalWindow(autoCloseSeconds: 1))
    _ = player.present(content, loading: .appears(afterMicroseconds: 10), at: 100)
    let deferred = player.present(RichMediaContent(code: "b", source: .inApp), at: 50)
    #expect(deferred.map(\.atMicroseconds) == [100], "time does not run back")
    #expect(player.openPresentations == [])
    #expect(player.waitingPresentations == [1])
    #expect(player.nextMomentMicroseconds == 110)
    #expect(player.advance(to: 110).map(\.content) == [content])
    #expect(player.openPresentations == [0])
    #expect(player.nextMomentMicroseconds == 1_000_110)
    #expect(player.close(0, at: 200).map(\.presentation) == [0, 1])
    #expect(player.openPresentations == [1])
    #expect(player.waitingPresentations == [])
  }

  @Test func `hostile lengths of time are cut`() {
    var player = ModalPlayer(options: .init(delegate: .agreeing))
    for length in [Int64.max, .min] {
      _ = player.present(RichMediaContent(code: "c"), loading: .appears(afterMicroseconds: length), at: 0)
    }
    #expect(player.openPresentations == [1])
    #expect(player.nextMomentMicroseconds == ModalPlayer.longestLoadingMicroseconds)
    let timers: [Double?] = [nil, 0, -1, .nan, .infinity, 0.000_000_1, 1.5]
    #expect(
      timers.map { ModalWindow(autoCloseSeconds: $0).autoCloseMicroseconds } == [
        nil, nil, nil, nil, 86_400_000_000, 1, 1_500_000,
      ])
  }

  @Test func `a window's properties have the names and words of the contract`() {
    let window = ModalWindow(
      position: .bottomSheet, presentAnimation: .fromLeft, dismissAnimation: .down, haptics: .hard,
      swipeDirections: [.down, .left], cornerRadius: 12.5, autoCloseSeconds: 8)
    #expect(window.properties.map(\.name) == ModalWindow.propertyNames)
    #expect(
      window.properties.map(\.value) == [
        .text("bottom_sheet"), .text("from_left"), .text("down"), .text("hard"), .text("down,left"), .number(12.5),
        .number(8),
      ])
    #expect(
      ModalWindow().properties.map(\.value) == [
        .text("center"), .text("from_bottom"), .text("ease_in_out"), .text("none"), .text("none"), .number(0),
      ])
  }
}
