import StoryPlayback
import Testing

/// Each test is a sentence of playback §1.3, played against a written timeline: "seconds callback".
@Suite struct StoryPlayerTests {
  /// Plays a story from second 0 with gestures at their seconds, lets time run to `until`, and writes down what the
  /// delegate was told.
  private func timeline(
    _ pages: [StoryPage], loops: Bool = false, pauses: Bool = false, until: Double,
    _ gestures: (Double, StoryPlayer.Gesture)...
  ) -> [String] {
    var player = StoryPlayer(options: .init(loopsAfterLastPage: loops, longPressToPauseEnabled: pauses))
    var told = player.receive(.story(pages), at: 0)
    for (second, gesture) in gestures { told += player.handle(gesture, at: microseconds(second)) }
    told += player.advance(to: microseconds(until))
    return told.map(line)
  }

  private func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000).rounded()) }

  private func line(_ timed: StoryPlayer.TimedCallback) -> String {
    let seconds = Double(timed.atMicroseconds) / 1_000_000
    switch timed.callback {
    case .didStart(let count): return "\(seconds) start \(count)"
    case .didShow(let page): return "\(seconds) show \(page)"
    case .didTapAction(let page): return "\(seconds) tap \(page)"
    case .didFinish: return "\(seconds) finish"
    case .didShowFallback: return "\(seconds) fallback"
    }
  }

  @Test func `on receipt it starts and shows page 0 at once`() throws {
    #expect(timeline(try pages(5, 4), until: 0) == ["0.0 start 2", "0.0 show 0"])
  }

  @Test func `a fallback is told alone, without a start`() {
    var player = StoryPlayer()
    #expect(player.receive(.fallback(.missingBlock), at: 7).map(\.callback) == [.didShowFallback])
    #expect(player.handle(.tap(.right), at: 8) == [])
    #expect(player.handle(.tapButton(opens: true), at: 9) == [])
    #expect(player.advance(to: 1_000_000_000) == [])
    #expect(player.isOpen)
  }

  @Test func `the timer moves on and finishes at the last page`() throws {
    #expect(
      timeline(try pages(5, 4), until: 60) == ["0.0 start 2", "0.0 show 0", "5.0 show 1", "9.0 finish"])
  }

  @Test(arguments: [StoryPlayer.Zone.middle, .right]) func `a tap right of the left third shows the next page`(
    zone: StoryPlayer.Zone
  ) throws {
    #expect(
      timeline(try pages(5, 4), until: 5.5, (1, .tap(zone))) == [
        "0.0 start 2", "0.0 show 0", "1.0 show 1", "5.0 finish",
      ])
  }

  @Test func `on the last page a forward tap is ignored and the timer goes on`() throws {
    #expect(
      timeline(try pages(5, 4), until: 60, (1, .tap(.right)), (2, .tap(.right)), (3, .tap(.middle))) == [
        "0.0 start 2", "0.0 show 0", "1.0 show 1", "5.0 finish",
      ])
  }

  @Test func `who taps through to the last page and leaves has not finished`() throws {
    #expect(
      timeline(try pages(5, 4), until: 60, (1, .tap(.right)), (2, .close)) == [
        "0.0 start 2", "0.0 show 0", "1.0 show 1",
      ])
  }

  @Test func `a tap in the left third shows the previous page again`() throws {
    #expect(
      timeline(try pages(5, 4, 3), until: 12, (6, .tap(.left))) == [
        "0.0 start 3", "0.0 show 0", "5.0 show 1", "6.0 show 0", "11.0 show 1",
      ])
  }

  @Test func `on page 0 a back tap shows page 0 again and restarts its timer`() throws {
    #expect(
      timeline(try pages(5, 4), until: 8, (3, .tap(.left))) == [
        "0.0 start 2", "0.0 show 0", "3.0 show 0", "8.0 show 1",
      ])
  }

  @Test func `after the finish a back tap plays on, and the finish can come again`() throws {
    #expect(
      timeline(try pages(5, 4, 3), until: 60, (13, .tap(.right)), (14, .tap(.left))) == [
        "0.0 start 3", "0.0 show 0", "5.0 show 1", "9.0 show 2", "12.0 finish", "14.0 show 1", "18.0 show 2",
        "21.0 finish",
      ])
  }

  @Test func `a looping story finishes and shows page 0 again without a start, every cycle`() throws {
    #expect(
      timeline(try pages(2, 1), loops: true, until: 6) == [
        "0.0 start 2", "0.0 show 0", "2.0 show 1", "3.0 finish", "3.0 show 0", "5.0 show 1", "6.0 finish", "6.0 show 0",
      ])
  }

  @Test func `a forward tap on the last page of a looping story restarts it without a finish`() throws {
    #expect(
      timeline(try pages(2, 2), loops: true, until: 3.5, (1, .tap(.right)), (2, .tap(.middle))) == [
        "0.0 start 2", "0.0 show 0", "1.0 show 1", "2.0 show 0",
      ])
  }

  @Test func `a story of one page loops onto itself`() throws {
    #expect(
      timeline(try pages(2), loops: true, until: 2, (1, .tap(.right))) == ["0.0 start 1", "0.0 show 0", "1.0 show 0"])
  }

  @Test func `holding freezes the timer from a quarter second on, and lifting resumes the rest`() throws {
    // Down at 1, frozen at 1.25 with 3.75 left, lifted at 11.25: the page ends at 15.
    #expect(
      timeline(try pages(5, 4), pauses: true, until: 15, (1, .holdBegan), (11.25, .holdEnded)) == [
        "0.0 start 2", "0.0 show 0", "15.0 show 1",
      ])
  }

  @Test func `a hold shorter than a quarter second pauses nothing`() throws {
    #expect(
      timeline(try pages(5, 4), pauses: true, until: 5, (1, .holdBegan), (1.249, .holdEnded)) == [
        "0.0 start 2", "0.0 show 0", "5.0 show 1",
      ])
  }

  @Test func `holding is not noticed where it is not enabled`() throws {
    #expect(
      timeline(try pages(5, 4), until: 9, (1, .holdBegan), (8, .holdEnded)) == [
        "0.0 start 2", "0.0 show 0", "5.0 show 1", "9.0 finish",
      ])
  }

  @Test func `a finger that goes down just before a page ends holds the next one`() throws {
    #expect(
      timeline(try pages(5, 4), pauses: true, until: 30, (4.9, .holdBegan), (10.15, .holdEnded)) == [
        "0.0 start 2", "0.0 show 0", "5.0 show 1", "14.0 finish",
      ])
  }

  @Test func `a hold that ends twice, or begins again, changes nothing more`() throws {
    #expect(
      timeline(
        try pages(5, 4), pauses: true, until: 30, (1, .holdBegan), (2.25, .holdEnded), (2.5, .holdEnded),
        (3, .holdBegan), (4.25, .holdEnded))
        == ["0.0 start 2", "0.0 show 0", "7.0 show 1", "11.0 finish"])
  }

  @Test func `the button stops the timer, and more callbacks may follow`() throws {
    #expect(
      timeline(
        try pages(5, 4), until: 100, (2, .tapButton(opens: true)), (60, .tapButton(opens: true)), (70, .tap(.right)))
        == ["0.0 start 2", "0.0 show 0", "2.0 tap 0", "60.0 tap 0", "70.0 show 1", "74.0 finish"])
  }

  @Test func `after the button on the last page the story neither ends nor goes on by itself`() throws {
    #expect(
      timeline(try pages(5), until: 100, (2, .tapButton(opens: true)), (3, .tap(.right))) == [
        "0.0 start 1", "0.0 show 0", "2.0 tap 0",
      ])
  }

  @Test func `a link that cannot be opened dismisses the notification`() throws {
    #expect(
      timeline(try pages(5, 4), until: 100, (2, .tapButton(opens: false)), (3, .tap(.right))) == [
        "0.0 start 2", "0.0 show 0", "2.0 tap 0",
      ])
  }

  @Test func `without a button there is nothing to tap`() throws {
    #expect(
      timeline(try pages(5, withButton: false), until: 5, (2, .tapButton(opens: true))) == [
        "0.0 start 1", "0.0 show 0", "5.0 finish",
      ])
  }

  @Test func `closing stops the timer and tells nobody`() throws {
    var player = StoryPlayer()
    _ = player.receive(.story(try pages(5, 4)), at: 0)
    #expect(player.handle(.close, at: 1_000_000) == [])
    #expect(!player.isOpen && player.currentPage == nil)
    #expect(player.advance(to: 100_000_000) == [])
    #expect(player.handle(.tap(.left), at: 100_000_001) == [])
  }

  @Test func `a second notification starts a new story, and the old one gets no end`() throws {
    var player = StoryPlayer()
    var told = player.receive(.story(try pages(5, 4)), at: 0)
    told += player.receive(.story(try pages(3)), at: microseconds(6))
    told += player.advance(to: microseconds(60))
    #expect(
      told.map(line) == ["0.0 start 2", "0.0 show 0", "5.0 show 1", "6.0 start 1", "6.0 show 0", "9.0 finish"])
  }

  @Test func `the timer that is due at a gesture's very moment runs out first`() throws {
    #expect(
      timeline(try pages(5, 4, 3), until: 5, (5, .tap(.right))) == [
        "0.0 start 3", "0.0 show 0", "5.0 show 1", "5.0 show 2",
      ])
  }

  @Test func `time never goes back`() throws {
    var player = StoryPlayer()
    _ = player.receive(.story(try pages(5, 4)), at: microseconds(10))
    #expect(player.handle(.tap(.right), at: microseconds(3)).map(line) == ["10.0 show 1"])
    #expect(player.nowMicroseconds == microseconds(10))
  }

  @Test func `many timers run out in one step, each at its own moment`() throws {
    let told = timeline(try pages(0.001), loops: true, until: 1)
    #expect(told.count == 2 + 2 * 1_000)
    #expect(told.last == "1.0 show 0")
  }

  @Test func `a story without pages falls back, and a duration that is no number is the default`() throws {
    var player = StoryPlayer()
    #expect(player.receive(.story([]), at: 0).map(\.callback) == [.didShowFallback])
    #expect(timeline(try pages(.nan, .infinity, -1), until: 35).suffix(2) == ["5.0 show 1", "35.0 show 2"])
  }
}
