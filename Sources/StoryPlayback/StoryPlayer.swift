/// The SDK's story controller without a screen (playback §1.3): time and gestures in, callbacks out.
///
/// A pure value with a virtual clock in microseconds, from any origin. Time only moves forward: a moment before the last
/// one counts as the last one. Each call first lets the timers that are due run out, at their own moments.
public struct StoryPlayer: Sendable {
  /// How the controller is set up; the defaults are the SDK's (playback §1.4).
  public struct Options: Equatable, Sendable {
    /// At the end the first page is shown again.
    public var loopsAfterLastPage: Bool
    /// Holding freezes the timer.
    public var longPressToPauseEnabled: Bool

    /// Makes options.
    public init(loopsAfterLastPage: Bool = false, longPressToPauseEnabled: Bool = false) {
      self.loopsAfterLastPage = loopsAfterLastPage
      self.longPressToPauseEnabled = longPressToPauseEnabled
    }
  }

  /// What the delegate is told.
  public enum Callback: Equatable, Sendable {
    /// `didStartWithPageCount`.
    case didStart(pageCount: Int)
    /// `didShow` of the page with this played index: it was entered, its image may never arrive.
    case didShow(page: Int)
    /// `didTapActionFor` the page with this played index.
    case didTapAction(page: Int)
    /// `storiesViewControllerDidFinish`: the last page's timer ran out.
    case didFinish
    /// `storiesViewControllerDidShowFallback`.
    case didShowFallback
  }

  /// A callback and its moment.
  public struct TimedCallback: Equatable, Sendable {
    /// What the delegate is told.
    public var callback: Callback
    /// When, in microseconds of the virtual clock.
    public var atMicroseconds: Int64

    /// Makes a timed callback.
    public init(_ callback: Callback, atMicroseconds: Int64) {
      self.callback = callback
      self.atMicroseconds = atMicroseconds
    }
  }

  /// What a finger does.
  public enum Gesture: Equatable, Sendable {
    /// A short tap.
    case tap(Zone)
    /// A finger goes down to hold.
    case holdBegan
    /// The finger lifts. A hold shorter than `holdThresholdMicroseconds` has no effect.
    case holdEnded
    /// A tap on the button; nothing where the page shows none. `opens` is false where its link cannot be opened, which
    /// dismisses the notification.
    case tapButton(opens: Bool)
    /// The notification is closed.
    case close
  }

  /// Where a tap lands: a third of the screen's width.
  public enum Zone: Equatable, Sendable, CaseIterable {
    /// The left third: back.
    case left
    /// The middle third: forward.
    case middle
    /// The right third: forward.
    case right
  }

  /// How long a finger must stay down to pause, in microseconds.
  public static let holdThresholdMicroseconds: Int64 = 250_000

  /// How the controller is set up.
  public let options: Options
  /// The latest moment it knows, in microseconds.
  public private(set) var nowMicroseconds: Int64
  private var stage: Stage = .empty
  private var hold: Hold = .none

  private enum Stage: Equatable, Sendable {
    /// Nothing received yet.
    case empty
    case playing(Playing)
    case fallback
    case closed
  }

  private struct Playing: Equatable, Sendable {
    let pages: [StoryPage]
    var pageIndex = 0
    var timer: Timer = .stopped

    var isOnLastPage: Bool { pageIndex == pages.count - 1 }
  }

  private enum Timer: Equatable, Sendable {
    case running(untilMicroseconds: Int64)
    case frozen(remainingMicroseconds: Int64)
    /// Run out at the end, or stopped by the button.
    case stopped
  }

  private enum Hold: Equatable, Sendable {
    case none
    /// Down, and not yet long enough to count.
    case pending(recognisedAtMicroseconds: Int64)
    case recognised
  }

  /// An empty controller.
  public init(options: Options = Options(), nowMicroseconds: Int64 = 0) {
    self.options = options
    self.nowMicroseconds = nowMicroseconds
  }

  /// The page on screen, by its played index; nil where no story plays.
  public var currentPage: Int? {
    if case .playing(let playing) = stage { playing.pageIndex } else { nil }
  }

  /// Whether a notification is on screen, with a story or with the fallback.
  public var isOpen: Bool {
    switch stage {
    case .playing, .fallback: true
    case .empty, .closed: false
    }
  }

  /// When the page's timer runs out if nobody touches the screen; nil where none runs.
  public var nextTimerMicroseconds: Int64? {
    guard case .playing(let playing) = stage, case .running(let until) = playing.timer else { return nil }
    return until
  }

  /// A notification arrives: its story starts, or its fallback is shown. A story that plays already is replaced and
  /// gets no end.
  public mutating func receive(_ outcome: StoryOutcome, at microseconds: Int64) -> [TimedCallback] {
    var callbacks = advance(to: microseconds)
    hold = .none
    switch outcome {
    case .story(let pages) where !pages.isEmpty:
      var playing = Playing(pages: pages)
      callbacks.append(TimedCallback(.didStart(pageCount: pages.count), atMicroseconds: nowMicroseconds))
      show(0, &playing, &callbacks)
      stage = .playing(playing)
    case .story, .fallback:
      stage = .fallback
      callbacks.append(TimedCallback(.didShowFallback, atMicroseconds: nowMicroseconds))
    }
    return callbacks
  }

  /// Lets time pass up to and including a moment.
  ///
  /// Complexity: the number of timers that run out. A looping story of very short pages has many: step with
  /// `nextTimerMicroseconds` where that matters.
  public mutating func advance(to microseconds: Int64) -> [TimedCallback] {
    var callbacks: [TimedCallback] = []
    while case .playing(var playing) = stage, let moment = nextMoment(playing), moment <= microseconds {
      nowMicroseconds = max(nowMicroseconds, moment)
      if case .pending(let recognised) = hold, recognised == moment,
        playing.timer != .running(untilMicroseconds: moment)
      {
        hold = .recognised
        freeze(&playing)
      } else {
        runOut(&playing, &callbacks)
      }
      stage = .playing(playing)
    }
    nowMicroseconds = max(nowMicroseconds, microseconds)
    return callbacks
  }

  /// A finger does something. The callbacks are those of the timers that were due before, then the gesture's own.
  public mutating func handle(_ gesture: Gesture, at microseconds: Int64) -> [TimedCallback] {
    var callbacks = advance(to: microseconds)
    if gesture == .close {
      // `viewWillDisappear` stops the timer and tells nobody.
      stage = .closed
      hold = .none
    }
    guard case .playing(var playing) = stage else { return callbacks }
    var remainsOpen = true
    switch gesture {
    case .tap(.left): show(max(0, playing.pageIndex - 1), &playing, &callbacks)
    case .tap(.middle), .tap(.right): forward(&playing, &callbacks)
    case .holdBegan:
      if options.longPressToPauseEnabled {
        hold = .pending(recognisedAtMicroseconds: nowMicroseconds + Self.holdThresholdMicroseconds)
      }
    case .holdEnded:
      if hold == .recognised { resume(&playing) }
      hold = .none
    case .tapButton(let opens):
      remainsOpen = tapButton(opens: opens, &playing, &callbacks)
    case .close: break
    }
    stage = remainsOpen ? .playing(playing) : .closed
    return callbacks
  }

  /// The earlier of the timer's end and the moment that a hold counts.
  private func nextMoment(_ playing: Playing) -> Int64? {
    var moment: Int64?
    if case .running(let until) = playing.timer { moment = until }
    if case .pending(let recognised) = hold { moment = min(moment ?? recognised, recognised) }
    return moment
  }

  /// The timer ends: the next page, or the end of the story.
  private mutating func runOut(_ playing: inout Playing, _ callbacks: inout [TimedCallback]) {
    if !playing.isOnLastPage {
      show(playing.pageIndex + 1, &playing, &callbacks)
      return
    }
    playing.timer = .stopped
    callbacks.append(TimedCallback(.didFinish, atMicroseconds: nowMicroseconds))
    if options.loopsAfterLastPage { show(0, &playing, &callbacks) }
  }

  /// A tap right of the left third. On the last page it is ignored and the timer goes on; a looping story restarts,
  /// without a finish.
  private mutating func forward(_ playing: inout Playing, _ callbacks: inout [TimedCallback]) {
    if !playing.isOnLastPage {
      show(playing.pageIndex + 1, &playing, &callbacks)
    } else if options.loopsAfterLastPage {
      show(0, &playing, &callbacks)
    }
  }

  private mutating func show(_ pageIndex: Int, _ playing: inout Playing, _ callbacks: inout [TimedCallback]) {
    playing.pageIndex = pageIndex
    let duration = playing.pages[pageIndex].durationMicroseconds
    // A page starts its own timer, also under a finger that held the page before.
    playing.timer = .running(untilMicroseconds: nowMicroseconds + duration)
    if hold == .recognised { hold = .none }
    callbacks.append(TimedCallback(.didShow(page: pageIndex), atMicroseconds: nowMicroseconds))
  }

  private func freeze(_ playing: inout Playing) {
    guard case .running(let until) = playing.timer else { return }
    playing.timer = .frozen(remainingMicroseconds: until - nowMicroseconds)
  }

  private func resume(_ playing: inout Playing) {
    guard case .frozen(let remaining) = playing.timer else { return }
    playing.timer = .running(untilMicroseconds: nowMicroseconds + remaining)
  }

  /// False where the notification is dismissed, because the link could not be opened.
  private func tapButton(opens: Bool, _ playing: inout Playing, _ callbacks: inout [TimedCallback]) -> Bool {
    guard playing.pages[playing.pageIndex].showsButton else { return true }
    playing.timer = .stopped
    callbacks.append(TimedCallback(.didTapAction(page: playing.pageIndex), atMicroseconds: nowMicroseconds))
    return opens
  }
}
