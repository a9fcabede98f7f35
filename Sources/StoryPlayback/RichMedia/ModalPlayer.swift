/// The SDK's rich media manager and its windows without a screen (playback §2): requests and time in, callbacks out.
///
/// A pure value with a virtual clock in microseconds, from any origin. Time only moves forward: a moment before the last
/// one counts as the last one. Each call first lets what is due happen, at its own moments.
///
/// A presentation is known by its number: the first request is 0, the next 1, and so on.
public struct ModalPlayer: Sendable {
  /// How the SDK and the app are set up.
  public struct Options: Equatable, Sendable {
    /// How rich media are shown: `Pushwoosh_RICH_MEDIA_STYLE`.
    public var style: Style
    /// Who answers `shouldPresent`.
    public var delegate: Delegate
    /// Whether the delegate is asked once more when its turn comes. The manager's `presentRichMedia:` does so since
    /// 7.0.42 (and the queueing delegate agrees); `presentModalWindow:` never does.
    public var asksAgain: Bool

    /// Makes options.
    public init(style: Style = .modal, delegate: Delegate = .queueing, asksAgain: Bool = false) {
      self.style = style
      self.delegate = delegate
      self.asksAgain = asksAgain
    }
  }

  /// How rich media are shown.
  public enum Style: Equatable, Sendable, CaseIterable {
    /// A modal window. A failure is told alone. Its timer is not stopped by closing it.
    case modal
    /// The older full-screen style, which has no timer. A failure is told as a close, and then as a failure.
    case fullScreen
    /// The same with an `animationDelegate` for its dismissal: a failure is told first, and the close when the animation
    /// has ended.
    case animatedFullScreen
  }

  /// Who answers `shouldPresent`.
  public enum Delegate: Equatable, Sendable, CaseIterable {
    /// The documentation's: false while another is open, which is then shown when its turn comes. One that loads counts
    /// as open.
    case queueing
    /// One that agrees to everything, as no delegate does: several windows may be open.
    case agreeing
  }

  /// What the delegate is told.
  public enum Callback: Equatable, Sendable {
    /// `shouldPresent`, and the answer.
    case shouldPresent(answer: Bool)
    /// `didPresent`: its page has loaded and the window has appeared.
    case didPresent
    /// `didClose`: by hand, by the timer, or by the timer after the hand.
    case didClose
    /// `presentingDidFail`.
    case didFail(error: String)
  }

  /// A callback, of which presentation, and its moment.
  public struct TimedCallback: Equatable, Sendable {
    /// What the delegate is told.
    public var callback: Callback
    /// The number of the presentation.
    public var presentation: Int
    /// What is presented.
    public var content: RichMediaContent
    /// When, in microseconds of the virtual clock.
    public var atMicroseconds: Int64

    /// Makes a timed callback.
    public init(_ callback: Callback, presentation: Int, content: RichMediaContent, atMicroseconds: Int64) {
      self.callback = callback
      self.presentation = presentation
      self.content = content
      self.atMicroseconds = atMicroseconds
    }
  }

  /// How long the dismissal of `animatedFullScreen` takes, in microseconds.
  public static let dismissalMicroseconds: Int64 = 300_000

  /// The longest time that a page loads, in microseconds: a day.
  public static let longestLoadingMicroseconds: Int64 = 86_400_000_000

  /// How it is set up.
  public let options: Options
  /// The latest moment it knows, in microseconds.
  public private(set) var nowMicroseconds: Int64
  private var requestCount = 0
  private var waiting: [Request] = []
  /// In the order of their requests; those with nothing to come are gone.
  private var windows: [Window] = []

  private struct Request: Sendable {
    let number: Int
    let content: RichMediaContent
    let loading: RichMediaLoading
  }

  private struct Window: Sendable {
    let request: Request
    var stage: Stage
  }

  private enum Stage: Equatable, Sendable {
    case loading(untilMicroseconds: Int64)
    case open(timerMicroseconds: Int64?)
    /// Failed, and its dismissal is being animated.
    case leaving(untilMicroseconds: Int64)
    /// Closed by hand; its timer runs on.
    case closed(timerMicroseconds: Int64)

    var nextMoment: Int64? {
      switch self {
      case .loading(let moment), .leaving(let moment), .closed(let moment): moment
      case .open(let timer): timer
      }
    }
  }

  /// A manager with nothing to show.
  public init(options: Options = Options(), nowMicroseconds: Int64 = 0) {
    self.options = options
    self.nowMicroseconds = nowMicroseconds
  }

  /// The presentations on screen, by number.
  public var openPresentations: [Int] {
    windows.compactMap { window in
      if case .open = window.stage { window.request.number } else { nil }
    }
  }

  /// The presentations that were told to wait and still do, in the order in which their turns come.
  public var waitingPresentations: [Int] { waiting.map(\.number) }

  /// Whether one is on screen or loads.
  public var isBusy: Bool {
    windows.contains { window in
      switch window.stage {
      case .loading, .open: true
      case .leaving, .closed: false
      }
    }
  }

  /// When something happens if nobody touches the screen; nil where nothing does.
  public var nextMomentMicroseconds: Int64? { windows.compactMap(\.stage.nextMoment).min() }

  /// A push, an event or the app wants a content shown: the delegate is asked.
  ///
  /// - Parameters:
  ///   - content: what is to be shown.
  ///   - loading: how its presentation goes on once the delegate has agreed.
  ///   - answer: the answer of a delegate that stands outside; nil leaves it to the player's own. What a queueing delegate
  ///     refuses waits for its turn; what another refuses is not heard of again.
  ///   - microseconds: when.
  public mutating func present(
    _ content: RichMediaContent, loading: RichMediaLoading = .appears(afterMicroseconds: 0), answer: Bool? = nil,
    at microseconds: Int64
  ) -> [TimedCallback] {
    var callbacks = advance(to: microseconds)
    let request = Request(number: requestCount, content: content, loading: loading)
    requestCount += 1
    let agrees = answer ?? (options.delegate == .agreeing || !isBusy)
    tell(.shouldPresent(answer: agrees), request, &callbacks)
    if agrees {
      begin(request)
    } else if options.delegate == .queueing {
      waiting.append(request)
    }
    return callbacks + advance(to: microseconds)
  }

  /// A finger closes a window, or its page asks for it; nothing where it is not on screen.
  public mutating func close(_ presentation: Int, at microseconds: Int64) -> [TimedCallback] {
    var callbacks = advance(to: microseconds)
    guard let place = windows.firstIndex(where: { $0.request.number == presentation }),
      case .open(let timer) = windows[place].stage
    else { return callbacks }
    let request = windows[place].request
    if let timer { windows[place].stage = .closed(timerMicroseconds: timer) } else { windows.remove(at: place) }
    tell(.didClose, request, &callbacks)
    showNext(&callbacks)
    return callbacks + advance(to: microseconds)
  }

  /// Lets time pass up to and including a moment.
  public mutating func advance(to microseconds: Int64) -> [TimedCallback] {
    var callbacks: [TimedCallback] = []
    while let moment = nextMomentMicroseconds, moment <= microseconds,
      let place = windows.firstIndex(where: { $0.stage.nextMoment == moment })
    {
      nowMicroseconds = max(nowMicroseconds, moment)
      move(windowAt: place, &callbacks)
    }
    nowMicroseconds = max(nowMicroseconds, microseconds)
    return callbacks
  }

  /// What is due of a window happens.
  private mutating func move(windowAt place: Int, _ callbacks: inout [TimedCallback]) {
    let request = windows[place].request
    switch windows[place].stage {
    case .loading:
      switch request.loading {
      case .appears:
        let timer = options.style == .modal ? request.content.window.autoCloseMicroseconds : nil
        windows[place].stage = .open(timerMicroseconds: timer.map { nowMicroseconds + $0 })
        tell(.didPresent, request, &callbacks)
      case .fails(_, let error): fail(error, windowAt: place, &callbacks)
      }
    case .open:
      windows.remove(at: place)
      tell(.didClose, request, &callbacks)
      showNext(&callbacks)
    case .leaving, .closed:
      // It has ended for the queue before: by its failure, or by the hand that has not stopped the timer.
      windows.remove(at: place)
      tell(.didClose, request, &callbacks)
    }
  }

  private mutating func fail(_ error: String, windowAt place: Int, _ callbacks: inout [TimedCallback]) {
    let request = windows[place].request
    switch options.style {
    case .modal:
      windows.remove(at: place)
      tell(.didFail(error: error), request, &callbacks)
      showNext(&callbacks)
    case .fullScreen:
      windows.remove(at: place)
      tell(.didClose, request, &callbacks)
      // The delegate shows the next one while it is told of the close, before it hears of the failure.
      showNext(&callbacks)
      tell(.didFail(error: error), request, &callbacks)
    case .animatedFullScreen:
      windows[place].stage = .leaving(untilMicroseconds: nowMicroseconds + Self.dismissalMicroseconds)
      tell(.didFail(error: error), request, &callbacks)
      showNext(&callbacks)
    }
  }

  /// It is the turn of the one that waits longest.
  private mutating func showNext(_ callbacks: inout [TimedCallback]) {
    guard !isBusy, !waiting.isEmpty else { return }
    let request = waiting.removeFirst()
    if options.asksAgain { tell(.shouldPresent(answer: true), request, &callbacks) }
    begin(request)
  }

  private mutating func begin(_ request: Request) {
    let microseconds =
      switch request.loading {
      case .appears(let after), .fails(let after, _): min(max(0, after), Self.longestLoadingMicroseconds)
      }
    windows.append(Window(request: request, stage: .loading(untilMicroseconds: nowMicroseconds + microseconds)))
  }

  private func tell(_ callback: Callback, _ request: Request, _ callbacks: inout [TimedCallback]) {
    callbacks.append(
      TimedCallback(
        callback, presentation: request.number, content: request.content, atMicroseconds: nowMicroseconds))
  }
}
