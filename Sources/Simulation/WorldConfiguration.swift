import StoryEvents
import StoryPlayback

/// What the world is like. Everything but the stories and the end of time has a default.
public struct WorldConfiguration: Sendable {
  /// The stories; at least one.
  public var stories: [SimulatedStory]
  /// The end of the range of session starts, exclusive, in microseconds since 1970.
  public var endingMicroseconds: Int64
  /// How long the range is, in microseconds. Default 7 days.
  public var spanMicroseconds: Int64 = 7 * 86_400 * 1_000_000
  /// What everything is drawn from: the same seed and settings give the same bytes. Default 1.
  public var seed: UInt64 = 1
  /// How many stories are opened. Default 2,000.
  public var sessionCount = 2_000
  /// The app whose funnel the truth says it is. The events themselves carry no app: the write key does. Default `demo`.
  public var appName = "demo"
  /// Who watches. Default `ViewerMix.standard`.
  public var viewerMix = ViewerMix.standard
  /// The share of viewers who are `ViewerMix.fastTappers` in place of the mix's, 0…1. Default 0.
  public var fastTapperShare = 0.0
  /// How the controllers are set up. By default pausing is on and looping is off.
  public var playerOptions = StoryPlayer.Options(loopsAfterLastPage: false, longPressToPauseEnabled: true)
  /// The share of notifications that fall back although their message is sound (an old app, a cut payload), 0…1.
  /// Default 0.03.
  public var fallbackShare = 0.03
  /// The `reason` of those fallbacks; nil sends none, as the SDK gives none.
  public var fallbackReasons: [Weighted<String?>] = [
    Weighted(nil, weight: 4), Weighted("missing_block", weight: 3), Weighted("bad_page_list", weight: 2),
    Weighted("no_usable_page", weight: 1),
  ]
  /// The share of sessions whose closing is observed and sent as `dismiss`, 0…1. Default 0.7.
  public var dismissObservedShare = 0.7
  /// How many sessions one device has, on average; at least 1. Default 1.5.
  public var sessionsPerDevice = 1.5
  /// The rich media that apps show; nil shows none. Default nil.
  public var richMedia: RichMediaWorld?
  /// The interactive notifications that are answered; nil has none. Default nil.
  public var responses: ResponseWorld?
  /// How events are put into batches. Default a batch a session.
  public var batching = Batching.session
  /// What happens to events on their way. By default nothing.
  public var network = NetworkConditions()
  /// What the groups of the truth are made by. By default by story, where there are several.
  public var truthGrouping: TruthGrouping?

  /// `environment` of every session. Default `simulator`.
  public var environment = "simulator"
  /// `environment` of devices, in place of the one of all. By default empty.
  public var environments: [Weighted<String>] = []
  /// `properties` of devices. By default none.
  public var properties: [PropertyChoice] = []
  /// `app_version` of devices.
  public var appVersions = [Weighted("4.2.0", weight: 6), Weighted("4.1.3", weight: 3), Weighted("4.0.0", weight: 1)]
  /// `os_version` of devices.
  public var osVersions = [
    Weighted("18.5", weight: 4), Weighted("18.1", weight: 2), Weighted("17.7", weight: 3), Weighted("16.7", weight: 1),
  ]
  /// `device_model` of devices.
  public var deviceModels = [
    Weighted("iPhone17,1", weight: 2), Weighted("iPhone16,2", weight: 3), Weighted("iPhone15,4", weight: 3),
    Weighted("iPhone13,2", weight: 1),
  ]
  /// `locale` of devices.
  public var locales = [
    Weighted("en_US", weight: 5), Weighted("de_DE", weight: 2), Weighted("fr_FR", weight: 1),
    Weighted("ja_JP", weight: 1),
  ]
  /// `sdk_version` of devices.
  public var sdkVersions = [Weighted("7.1.3", weight: 3), Weighted("7.0.46", weight: 1)]

  /// How events are put into batches.
  public enum Batching: Equatable, Sendable {
    /// One batch a session, as a phone sends it: what its events have in common stands once, on the batch.
    case session
    /// So many events a batch, of one session after another, 1…5,000: for generating load. A session's device stands
    /// on its first event.
    case packed(eventCount: Int)

    /// How many events a packed batch may have: every such batch stays below the contract's size of a body.
    public static let packedEventCounts = 1...5_000
  }

  /// A world with the defaults.
  ///
  /// - Parameters:
  ///   - stories: the stories; at least one.
  ///   - endingMicroseconds: see `endingMicroseconds`.
  public init(stories: [SimulatedStory], endingMicroseconds: Int64) {
    self.stories = stories
    self.endingMicroseconds = endingMicroseconds
  }

  /// Throws `invalidConfiguration` for the first setting that makes no sense.
  func check() throws(SimulationError) {
    try require(stories.contains { $0.weight > 0 }, "a world needs at least one story with a weight above 0")
    try require(sessionCount >= 0, "the number of sessions must not be negative")
    try require(spanMicroseconds > 0, "the time over which sessions start must be longer than nothing")
    try require(
      endingMicroseconds - min(spanMicroseconds, endingMicroseconds) > 0 && endingMicroseconds < Self.endOfTime,
      "sessions must start after 1970 and before 2100")
    try require((0...1).contains(fallbackShare), "the share of fallbacks must be within 0 and 1")
    try require((0...1).contains(dismissObservedShare), "the share of observed dismissals must be within 0 and 1")
    try require((0...1).contains(fastTapperShare), "the share of fast tappers must be within 0 and 1")
    if let fault = network.fault { throw .invalidConfiguration(fault) }
    try require(sessionsPerDevice >= 1, "a device must have at least 1 session")
    try require(viewerMix.profiles.contains { $0.share > 0 }, "the viewer mix needs a profile with a share above 0")
    try checkContext()
    if let fault = richMedia?.fault(properties: properties) ?? responses?.fault {
      throw .invalidConfiguration(fault)
    }
    if case .packed(let eventCount) = batching {
      let allowed = Batching.packedEventCounts
      try require(
        allowed.contains(eventCount), "a batch must have \(allowed.lowerBound) to \(allowed.upperBound) events")
    }
  }

  /// Context that a collector would reject makes no world.
  private func checkContext() throws(SimulationError) {
    let texts = [
      ("app version", appVersions), ("environment", [Weighted(environment)]), ("environment", environments),
      ("os version", osVersions), ("device model", deviceModels), ("locale", locales), ("sdk version", sdkVersions),
    ]
    for (name, choices) in texts {
      try require(
        choices.allSatisfy { $0.value.utf8.count <= ContractLimits.textBytes && !$0.value.utf8.contains(0) },
        "\(name): a text of at most \(ContractLimits.textBytes) bytes without U+0000")
      try require(choices.allSatisfy { $0.weight.isFinite }, "\(name): weights must be numbers")
      try require(
        choices.isEmpty || choices.contains { $0.weight > 0 }, "\(name): one of the values needs a weight above 0")
    }
    try require(
      properties.count <= ContractLimits.properties, "a session has at most \(ContractLimits.properties) properties")
    for property in properties { try require(property.fault == nil, property.fault ?? "") }
    try require(Set(properties.map { Array($0.name.utf8) }).count == properties.count, "each property has its own name")
  }

  private func require(_ holds: Bool, _ sentence: String) throws(SimulationError) {
    if !holds { throw .invalidConfiguration(sentence) }
  }

  /// 2100-01-01 in microseconds since 1970.
  private static let endOfTime: Int64 = 4_102_444_800_000_000
}
