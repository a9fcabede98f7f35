import FunnelDocument
import StoryPlayback

/// A viewer mix as a file (docs/simulator.md).
extension ViewerMix {
  /// Reads a mix from JSON. All keys must be there and no others, so that a slip of the pen is not a silent default.
  ///
  /// - Throws: `invalidConfiguration` with the key that is wrong, and what it has to be.
  public init(json: some Sequence<UInt8>) throws(SimulationError) {
    let reader = try DescriptionReader(file: json, of: "the viewer mix", keys: ["profiles", "broken_link"])
    let objects = try reader.objects("profiles", counts: Self.profileCounts, keys: ViewerProfile.keys)
    var profiles: [ViewerProfile] = []
    for object in objects { profiles.append(try ViewerProfile(object)) }
    guard profiles.contains(where: { $0.share > 0 }) else {
      throw reader.fault("profiles[].share", "above 0 in at least one profile")
    }
    self.init(profiles: profiles, brokenLinkProbability: try reader.number("broken_link", in: 0...1))
  }

  /// The mix as such a file holds it.
  public var json: JSONValue {
    .object([
      JSONMember("profiles", .array(profiles.map(\.json))),
      JSONMember("broken_link", .number(brokenLinkProbability)),
    ])
  }

  /// Kinds of viewers in one file.
  private static let profileCounts = 1...100
}

extension ViewerProfile {
  private static let weightKeys: [(key: String, field: WritableKeyPath<ViewerProfile, Double> & Sendable)] = [
    ("share", \.share), ("wait", \.wait), ("skip", \.skip), ("back", \.back), ("button", \.button), ("leave", \.leave),
  ]

  private static let probabilityKeys: [(key: String, field: WritableKeyPath<ViewerProfile, Double> & Sendable)] = [
    ("hold", \.hold), ("return_after_button", \.returnAfterButton), ("back_after_finish", \.backAfterFinish),
  ]

  /// Shares and weights are only compared with each other; beyond this their sums would lose digits.
  private static let weights = 0.0...1_000_000

  /// The longest time before a finger moves, in seconds: a day.
  private static let longestDecisionSeconds = 86_400.0

  fileprivate static var keys: [String] {
    ["name"] + weightKeys.map(\.key) + probabilityKeys.map(\.key) + ["decide_seconds"]
  }

  fileprivate init(_ reader: DescriptionReader) throws(SimulationError) {
    guard let name = reader.value["name"]?.stringValue else { throw reader.fault("name", "a text") }
    self.init(
      name: name, share: 0, wait: 0, skip: 0, back: 0, button: 0, leave: 0, hold: 0, returnAfterButton: 0,
      backAfterFinish: 0, decideSeconds: try reader.seconds("decide_seconds", upTo: Self.longestDecisionSeconds))
    for (key, field) in Self.weightKeys { self[keyPath: field] = try reader.number(key, in: Self.weights) }
    for (key, field) in Self.probabilityKeys { self[keyPath: field] = try reader.number(key, in: 0...1) }
    guard wait + skip + back + button + leave > 0 else {
      throw reader.fault("wait", "above 0, or one of skip, back, button and leave")
    }
  }

  fileprivate var json: JSONValue {
    let fields = Self.weightKeys + Self.probabilityKeys
    return .object(
      [JSONMember("name", .string(name))] + fields.map { JSONMember($0.key, .number(self[keyPath: $0.field])) }
        + [
          JSONMember("decide_seconds", .array([.number(decideSeconds.lowerBound), .number(decideSeconds.upperBound)]))
        ])
  }
}
