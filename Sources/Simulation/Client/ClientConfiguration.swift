import Foundation

import StoryEvents
import StoryPlayback

/// How a world is sent through the library that apps use (`StoryClient`).
public struct ClientConfiguration: Equatable, Sendable {
  /// The collector's base address, `http` or `https`.
  public var baseURL: String
  /// The write key; nil: some key, for a collector that asks for none (`serve --open`).
  public var key: String?
  /// Where the queue lies: a folder `pagefall` is made in it and left there. What an earlier run has left in it is sent, too. Nil is
  /// a temporary directory that is removed in the end.
  public var queueDirectory: String?
  /// Where temporary directories are made.
  public var temporaryDirectory = NSTemporaryDirectory()
  /// Events a second, at most; nil is as fast as it goes.
  public var eventsPerSecond: Double?
  /// How long to go on while the collector takes nothing, in seconds; before its first answer at most 10. Default 300.
  public var patienceSeconds = 300.0

  /// A configuration with the defaults.
  public init(baseURL: String, key: String?) {
    self.baseURL = baseURL
    self.key = key
  }
}

extension WorldConfiguration {
  /// What the library says of a session beside the world's own properties; nothing else may have these names.
  static let clientProperties = ["story_id_source", "loops_after_last_page", "long_press_to_pause"]

  /// A sentence on the first setting that the library cannot bring over as it is; nil where there is none.
  var clientFault: String? {
    if network != NetworkConditions() { return "the client does its own sending: nothing may go wrong on the way" }
    if batching != .session { return "the client makes its own batches" }
    if stories.contains(where: { $0.message.isEmpty || ($0.storyID ?? "").isEmpty }) {
      return "the client needs of each story its message and an id that is not empty"
    }
    let reasons = fallbackReasons.compactMap(\.value)
    if let unknown = reasons.first(where: { FallbackReason(rawValue: $0) == nil }) {
      return "the client finds the reason of a fallback itself, and never finds \(unknown)"
    }
    if case .property(let name) = truthGrouping, (Self.clientProperties + ModalWindow.propertyNames).contains(name) {
      return "the property \(name) is the client's own, which says it where it knows it: the truth cannot be by it"
    }
    return clientContextFault
  }

  private var clientContextFault: String? {
    let texts = [appVersions, osVersions, deviceModels, locales, sdkVersions, environments].joined().map(\.value)
    if (texts + [environment] + properties.flatMap(\.values).map(\.value)).contains("") {
      return "the client leaves empty texts out: give each version, environment and property a value"
    }
    let most = ContractLimits.properties - Self.clientProperties.count
    if properties.count > most { return "the client has properties of its own: a session has at most \(most) others" }
    let names = Self.clientProperties + properties.map(\.name)
    // As the library tells names apart: é is é, however it is written.
    if Set(names).count < names.count {
      return "each property has its own name, none of them \(Self.clientProperties.joined(separator: ", "))"
    }
    return nil
  }
}
