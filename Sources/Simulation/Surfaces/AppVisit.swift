import StoryEvents
import StoryPlayback

/// One visit to an app in which rich media are asked for, one soon after the other, so that some have to wait.
///
/// Of what is on screen a hand closes most; some is left to its timer, and now and then the app is left with it. Nobody
/// leaves before all are asked for, so each has at least one event.
struct AppVisit {
  /// What became of each that was asked for, by its number.
  private(set) var callbacks: [[ModalPlayer.TimedCallback]] = []
  private let media: [SimulatedRichMedia]
  private var player: ModalPlayer
  private var requests: [Int64] = []
  private var plans: [Plan] = []
  private var leavesAt: Int64?

  /// What a viewer means to do about a window.
  private struct Plan {
    var presentation: Int
    var atMicroseconds: Int64
    var leavesApp: Bool
  }

  private static let timerShare = 0.35
  private static let leavingShare = 0.08

  /// Begins a visit.
  ///
  /// - Parameters:
  ///   - media: what is asked for, in order.
  ///   - style: how the app shows it.
  ///   - microseconds: when the first one is asked for.
  init(_ media: [SimulatedRichMedia], style: ModalPlayer.Style, at microseconds: Int64) {
    self.media = media
    player = ModalPlayer(options: .init(style: style), nowMicroseconds: microseconds)
  }

  /// Lets the visit happen.
  mutating func run(_ generator: inout SplitMix64) {
    callbacks = Array(repeating: [], count: media.count)
    var moment = player.nowMicroseconds
    requests = media.indices.map { place in
      if place > 0 { moment += generator.microseconds(0.1, 12) }
      return moment
    }
    while let next = nextMoment, next <= leavesAt ?? .max { step(to: next, &generator) }
    // What is closed may have a timer that still runs: whoever stays long enough sees its second close.
    let end = leavesAt ?? player.nowMicroseconds + generator.microseconds(0.5, 60)
    note(player.advance(to: end), &generator)
  }

  private var requestCount: Int { media.count - requests.count }

  /// When the next thing is asked for, done, or due on screen; nil where nothing is open any more.
  private var nextMoment: Int64? {
    [requests.first, plans.map(\.atMicroseconds).min(), player.isBusy ? player.nextMomentMicroseconds : nil]
      .compactMap { $0 }.min()
  }

  private mutating func step(to moment: Int64, _ generator: inout SplitMix64) {
    note(player.advance(to: moment), &generator)
    if let request = requests.first, request <= moment {
      let medium = media[requestCount]
      requests.removeFirst()
      note(player.present(medium.content, loading: loading(medium, &generator), at: moment), &generator)
    } else if let place = plans.firstIndex(where: { $0.atMicroseconds <= moment }) {
      let plan = plans.remove(at: place)
      guard player.openPresentations.contains(plan.presentation) else { return }
      if plan.leavesApp { leavesAt = moment } else { note(player.close(plan.presentation, at: moment), &generator) }
    }
  }

  private func loading(_ medium: SimulatedRichMedia, _ generator: inout SplitMix64) -> RichMediaLoading {
    let fails = generator.happens(medium.failureShare)
    let after = generator.microseconds(medium.loadSeconds.lowerBound, medium.loadSeconds.upperBound)
    return fails
      ? .fails(afterMicroseconds: after, error: "the page could not be loaded") : .appears(afterMicroseconds: after)
  }

  private mutating func note(_ told: [ModalPlayer.TimedCallback], _ generator: inout SplitMix64) {
    for callback in told {
      callbacks[callback.presentation].append(callback)
      if callback.callback == .didPresent { decide(on: callback, &generator) }
    }
  }

  /// A window has appeared: what is to become of it.
  private mutating func decide(on told: ModalPlayer.TimedCallback, _ generator: inout SplitMix64) {
    let medium = media[told.presentation]
    let draw = generator.unit()
    let after = generator.microseconds(medium.openSeconds.lowerBound, medium.openSeconds.upperBound)
    let leaves = draw < Self.leavingShare
    let hasTimer = player.options.style == .modal && told.content.window.autoCloseMicroseconds != nil
    if !leaves, hasTimer, draw < Self.leavingShare + Self.timerShare { return }
    let earliest = leaves ? requests.last ?? 0 : 0
    plans.append(
      Plan(
        presentation: told.presentation, atMicroseconds: max(told.atMicroseconds + after, earliest + (leaves ? 1 : 0)),
        leavesApp: leaves))
  }
}
