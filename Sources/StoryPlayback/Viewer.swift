/// One viewer with one notification open: decides page by page, and the player answers with callbacks.
public struct Viewer: Sendable {
  /// The most decisions of one viewer; who is still there then leaves. Bounds a looping story.
  public static let mostDecisions = 200
  /// The most callbacks while one notification is open; then it is closed. Bounds a looping story of tiny pages, which
  /// the SDK lets pass (playback §1.2: durations have no lower bound).
  public static let mostCallbacks = 1_000

  private let profile: ViewerProfile
  private let choices: [Weighted<Decision>]
  private let brokenLinkProbability: Double
  private let options: StoryPlayer.Options

  private enum Decision: Sendable { case wait, skip, back, button, leave }

  /// A viewer of this kind.
  public init(profile: ViewerProfile, brokenLinkProbability: Double, options: StoryPlayer.Options) {
    self.profile = profile
    self.brokenLinkProbability = brokenLinkProbability
    self.options = options
    choices = [
      Weighted(.wait, weight: profile.wait), Weighted(.skip, weight: profile.skip),
      Weighted(.back, weight: profile.back), Weighted(.button, weight: profile.button),
      Weighted(.leave, weight: profile.leave),
    ]
  }

  /// Opens the notification at a moment, watches, and closes it.
  public func watch(
    _ outcome: StoryOutcome, at microseconds: Int64, generator: inout SplitMix64
  ) -> StoryPerformance {
    var player = StoryPlayer(options: options, nowMicroseconds: microseconds)
    var callbacks = player.receive(outcome, at: microseconds)
    callbacks.reserveCapacity(16)
    var remaining = Self.mostDecisions
    while remaining > 0, player.currentPage != nil {
      remaining -= 1
      act(on: &player, callbacks: &callbacks, generator: &generator)
    }
    if player.isOpen {
      perform(.close, at: decided(player, &generator), &player, &callbacks)
    }
    return StoryPerformance(callbacks: callbacks, closedAtMicroseconds: player.nowMicroseconds)
  }

  private func act(
    on player: inout StoryPlayer, callbacks: inout [StoryPlayer.TimedCallback], generator: inout SplitMix64
  ) {
    let hasFinished = player.nextTimerMicroseconds == nil && callbacks.last?.callback == .didFinish
    if hasFinished {
      let gesture: StoryPlayer.Gesture = generator.happens(profile.backAfterFinish) ? .tap(.left) : .close
      perform(gesture, at: decided(player, &generator), &player, &callbacks)
      return
    }
    if options.longPressToPauseEnabled, generator.happens(profile.hold) {
      perform(.holdBegan, at: decided(player, &generator), &player, &callbacks)
      let lifted = player.nowMicroseconds + generator.microseconds(0.1, 8)
      perform(.holdEnded, at: lifted, &player, &callbacks)
    }
    switch generator.choose(choices) ?? .leave {
    case .wait: wait(&player, &callbacks, &generator)
    case .skip:
      let zone: StoryPlayer.Zone = generator.happens(0.8) ? .right : .middle
      perform(.tap(zone), at: decided(player, &generator), &player, &callbacks)
    case .back: perform(.tap(.left), at: decided(player, &generator), &player, &callbacks)
    case .button: tapButton(&player, &callbacks, &generator)
    case .leave: perform(.close, at: decided(player, &generator), &player, &callbacks)
    }
  }

  /// Lets time pass up to a moment, timer by timer, and then moves a finger.
  private func perform(
    _ gesture: StoryPlayer.Gesture, at microseconds: Int64, _ player: inout StoryPlayer,
    _ callbacks: inout [StoryPlayer.TimedCallback]
  ) {
    while let timer = player.nextTimerMicroseconds, timer <= microseconds {
      guard callbacks.count < Self.mostCallbacks else {
        callbacks += player.handle(.close, at: player.nowMicroseconds)
        return
      }
      callbacks += player.advance(to: timer)
    }
    callbacks += player.handle(gesture, at: microseconds)
  }

  /// Waits for the timer. Without one (the button stopped it) there is nothing to wait for: the viewer leaves.
  private func wait(
    _ player: inout StoryPlayer, _ callbacks: inout [StoryPlayer.TimedCallback], _ generator: inout SplitMix64
  ) {
    if let timer = player.nextTimerMicroseconds {
      callbacks += player.advance(to: timer)
    } else {
      perform(.close, at: decided(player, &generator), &player, &callbacks)
    }
  }

  private func tapButton(
    _ player: inout StoryPlayer, _ callbacks: inout [StoryPlayer.TimedCallback], _ generator: inout SplitMix64
  ) {
    let before = callbacks.count
    let opens = !generator.happens(brokenLinkProbability)
    perform(.tapButton(opens: opens), at: decided(player, &generator), &player, &callbacks)
    let hasTapped = callbacks.count > before && callbacks.last.map { $0.callback.isTap } == true
    if hasTapped, player.isOpen, !generator.happens(profile.returnAfterButton) {
      perform(.close, at: decided(player, &generator), &player, &callbacks)
    }
  }

  /// The moment at which a finger moves next.
  private func decided(_ player: StoryPlayer, _ generator: inout SplitMix64) -> Int64 {
    player.nowMicroseconds
      + generator.microseconds(profile.decideSeconds.lowerBound, profile.decideSeconds.upperBound)
  }
}

/// What happened while a notification was open.
public struct StoryPerformance: Equatable, Sendable {
  /// What the delegate was told, in order.
  public var callbacks: [StoryPlayer.TimedCallback]
  /// When the notification was closed, in microseconds of the player's clock. No callback says so.
  public var closedAtMicroseconds: Int64

  /// Makes a performance.
  public init(callbacks: [StoryPlayer.TimedCallback], closedAtMicroseconds: Int64) {
    self.callbacks = callbacks
    self.closedAtMicroseconds = closedAtMicroseconds
  }
}

extension StoryPlayer.Callback {
  fileprivate var isTap: Bool {
    switch self {
    case .didTapAction: true
    case .didStart, .didShow, .didFinish, .didShowFallback: false
    }
  }
}
