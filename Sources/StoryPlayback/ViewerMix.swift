/// Who watches: kinds of viewers with stated probabilities, in one table.
public struct ViewerMix: Equatable, Sendable, Codable {
  /// The kinds, each with its share.
  public var profiles: [ViewerProfile]
  /// How often a tapped link cannot be opened, which dismisses the notification.
  public var brokenLinkProbability: Double

  /// Makes a mix.
  public init(profiles: [ViewerProfile], brokenLinkProbability: Double = 0.01) {
    self.profiles = profiles
    self.brokenLinkProbability = brokenLinkProbability
  }

  /// The default: most wait, some hurry, few explore, some only glance.
  public static let standard = ViewerMix(profiles: [
    ViewerProfile(
      name: "patient", share: 0.45, wait: 0.80, skip: 0.07, back: 0.03, button: 0.05, leave: 0.05,
      hold: 0.05, returnAfterButton: 0.20, backAfterFinish: 0.05, decideSeconds: 0.8...4.5),
    ViewerProfile(
      name: "hurried", share: 0.30, wait: 0.15, skip: 0.63, back: 0.04, button: 0.04, leave: 0.14,
      hold: 0, returnAfterButton: 0.05, backAfterFinish: 0.01, decideSeconds: 0.3...2.5),
    ViewerProfile(
      name: "curious", share: 0.10, wait: 0.44, skip: 0.18, back: 0.18, button: 0.12, leave: 0.08,
      hold: 0.25, returnAfterButton: 0.50, backAfterFinish: 0.30, decideSeconds: 1.0...6.0),
    ViewerProfile(
      name: "glancing", share: 0.15, wait: 0.14, skip: 0.15, back: 0.01, button: 0.02, leave: 0.68,
      hold: 0, returnAfterButton: 0, backAfterFinish: 0, decideSeconds: 0.2...2.0),
  ])

  /// This mix, with a share of the viewers replaced by those of `fastTappers`; the others keep their proportions.
  ///
  /// - Parameter fastTapperShare: 0…1; 0 changes nothing.
  public func with(fastTapperShare: Double) -> ViewerMix {
    guard fastTapperShare > 0 else { return self }
    let total = profiles.reduce(0) { $0 + max(0, $1.share) }
    var mix = self
    for place in mix.profiles.indices {
      mix.profiles[place].share = total > 0 ? max(0, profiles[place].share) / total * (1 - fastTapperShare) : 0
    }
    mix.profiles += Self.fastTappers.profiles.map { profile in
      var profile = profile
      profile.share *= fastTapperShare
      return profile
    }
    return mix
  }

  /// Nobody waits: everybody taps on as fast as fingers go.
  public static let fastTappers = ViewerMix(profiles: [
    ViewerProfile(
      name: "tapping", share: 1, wait: 0, skip: 0.85, back: 0.05, button: 0.03, leave: 0.07,
      hold: 0, returnAfterButton: 0.3, backAfterFinish: 0, decideSeconds: 0.05...0.4)
  ])
}

/// One kind of viewer. `wait` … `leave` are the weights of what is done on each page that comes up.
public struct ViewerProfile: Equatable, Sendable, Codable {
  /// The kind's name, for people.
  public var name: String
  /// How many of the viewers are of this kind, relative to the other kinds.
  public var share: Double
  /// Weight of waiting for the timer.
  public var wait: Double
  /// Weight of tapping forward.
  public var skip: Double
  /// Weight of tapping back.
  public var back: Double
  /// Weight of tapping the button; where the page shows none, of waiting.
  public var button: Double
  /// Weight of closing the notification.
  public var leave: Double
  /// Probability of holding the page first.
  public var hold: Double
  /// Probability of coming back to the story after the button.
  public var returnAfterButton: Double
  /// Probability of going back after the end.
  public var backAfterFinish: Double
  /// The shortest and longest time before a finger moves, in seconds; short ones are likelier.
  public var decideSeconds: ClosedRange<Double>

  /// Makes a kind.
  public init(
    name: String, share: Double, wait: Double, skip: Double, back: Double, button: Double, leave: Double, hold: Double,
    returnAfterButton: Double, backAfterFinish: Double, decideSeconds: ClosedRange<Double>
  ) {
    self.name = name
    self.share = share
    self.wait = wait
    self.skip = skip
    self.back = back
    self.button = button
    self.leave = leave
    self.hold = hold
    self.returnAfterButton = returnAfterButton
    self.backAfterFinish = backAfterFinish
    self.decideSeconds = decideSeconds
  }
}
