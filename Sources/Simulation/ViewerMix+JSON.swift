import FunnelDocument
import StoryPlayback

/// A viewer mix as a file (docs/simulator.md).
extension ViewerMix {
  /// Reads a mix from JSON. All keys must be there and no others, so that a slip of the pen is not a silent default.
  ///
  /// - Throws: `invalidConfiguration` with the key that is wrong, and what it has to be.
  public init(json: some Sequence<UInt8>) throws(SimulationError) {
    let value: JSONValue
    do {
      value = try JSONValue(text: json)
    } catch {
      throw .invalidConfiguration("the viewer mix is not JSON: \(error)")
    }
    let reader = try ViewerMixReader(value, path: "", keys: ["profiles", "broken_link"])
    guard let elements = value["profiles"]?.arrayValue, Self.profileCounts.contains(elements.count) else {
      throw reader.fault("profiles", "an array of 1 to \(Self.profileCounts.upperBound) objects")
    }
    var profiles: [ViewerProfile] = []
    for (place, element) in elements.enumerated() {
      profiles.append(try ViewerProfile(element, path: "profiles[\(place)]."))
    }
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

  fileprivate init(_ value: JSONValue, path: String) throws(SimulationError) {
    let keys = Self.weightKeys.map(\.key) + Self.probabilityKeys.map(\.key)
    let reader = try ViewerMixReader(value, path: path, keys: ["name"] + keys + ["decide_seconds"])
    guard let name = value["name"]?.stringValue else { throw reader.fault("name", "a text") }
    let seconds = value["decide_seconds"]?.arrayValue?.compactMap(\.doubleValue) ?? []
    guard seconds.count == 2, 0 <= seconds[0], seconds[0] <= seconds[1], seconds[1] <= Self.longestDecisionSeconds,
      value["decide_seconds"]?.arrayValue?.count == 2
    else {
      throw reader.fault("decide_seconds", "the shortest and the longest time, two numbers from 0 to 86400")
    }
    self.init(
      name: name, share: 0, wait: 0, skip: 0, back: 0, button: 0, leave: 0, hold: 0, returnAfterButton: 0,
      backAfterFinish: 0, decideSeconds: seconds[0]...seconds[1])
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

/// An object of a viewer mix and its place, so that an error can name it.
private struct ViewerMixReader {
  private let value: JSONValue
  private let path: String

  init(_ value: JSONValue, path: String, keys: [String]) throws(SimulationError) {
    self.value = value
    self.path = path
    guard let members = value.objectValue else {
      let place = path.isEmpty ? "it" : String(path.dropLast())
      throw .invalidConfiguration("the viewer mix: \(place) must be an object with \(keys.joined(separator: ", "))")
    }
    if let unknown = members.first(where: { !keys.contains($0.key) }) {
      // Cut: the file may hold a megabyte in its place.
      let key = String(String.UnicodeScalarView(unknown.key.unicodeScalars.prefix(60)))
      throw fault(key, "left out; the keys are \(keys.joined(separator: ", "))")
    }
    for key in keys {
      let count = members.count { $0.key == key }
      if count != 1 { throw fault(key, count == 0 ? "given" : "given once") }
    }
  }

  func fault(_ key: String, _ expected: String) -> SimulationError {
    .invalidConfiguration("the viewer mix: \(path)\(key) must be \(expected)")
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(SimulationError) -> Double {
    guard let number = value[key]?.doubleValue, range.contains(number) else {
      let bounds = [range.lowerBound, range.upperBound].map { String(Int($0)) }
      throw fault(key, "a number from \(bounds[0]) to \(bounds[1])")
    }
    return number
  }
}
