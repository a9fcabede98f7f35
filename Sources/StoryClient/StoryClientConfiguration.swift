import Foundation

/// What an app says once about itself and its collector. Everything but the first two has a default.
///
/// Nothing here can be wrong in a way that throws: a text beyond the contract's limits is cut, what cannot be told is left out.
public struct StoryClientConfiguration: Sendable {
  /// The collector's base address, such as `https://events.example.com`; events go to `/v1/events` below it.
  public var collector: URL
  /// The write key, `pfw_…`; it names the app.
  public var writeKey: String
  /// The App Group that app and extensions share, such as `group.com.example.app`: the queue lies in its container. Nil: the
  /// caches directory of this process alone, which the system may empty.
  public var appGroupIdentifier: String?
  /// Where the queue lies, instead: a folder `pagefall` is made in it. For tests, simulators and macOS.
  public var queueDirectory: URL?
  /// What the installation is called (`device_id`).
  public var installIdentifier: InstallIdentifier = .generated
  /// Whether somebody must have agreed before anything is written.
  public var consent: ConsentPolicy = .notRequired
  /// What the app calls its user (`user_id`); nil by default: no personal data.
  public var userID: String?
  /// Version of the app; nil: the main bundle's.
  public var appVersion: String?
  /// Version of the operating system; nil: found out.
  public var osVersion: String?
  /// Model of the device, such as `iPhone17,1`; nil: found out.
  public var deviceModel: String?
  /// Language and region, such as `de_DE`; nil: the current ones.
  public var locale: String?
  /// Version of the SDK that shows stories, where the app knows it.
  public var sdkVersion: String?
  /// Such as `production`; nil: `simulator` in an iOS Simulator, else `production`.
  public var environment: String?
  /// The message, where the app knows it and the payload does not say; a story's own setting wins.
  public var messageID: String?
  /// The campaign, where the app knows it and the payload does not say; a story's own setting wins.
  public var campaignID: String?
  /// Goes along with every session (contract §1, `properties`). The client's own come first, then these in the order of their
  /// names, 32 in all.
  public var properties: [String: PropertyValue] = [:]
  /// After so many events of a session an upload is asked for; below 1 never for their number alone.
  public var uploadsAfterEvents = 20

  /// Names the collector and the key.
  public init(collector: URL, writeKey: String) {
    self.collector = collector
    self.writeKey = writeKey
  }
}

/// What the installation is called in events (`device_id`).
public enum InstallIdentifier: Sendable, Equatable {
  /// A random UUID, made once and kept beside the queue; `StoryClient.reset()` forgets it.
  case generated
  /// The app's own; at most 1,024 bytes.
  case custom(String)
  /// None: reports then cannot tell devices apart.
  case none
}

/// Whether somebody must have agreed before anything is recorded.
public enum ConsentPolicy: Sendable, Equatable {
  /// Events are recorded until `StoryClient.setConsent(false)`.
  case notRequired
  /// Nothing at all is written before `StoryClient.setConsent(true)`, on any process that shares the queue.
  case required
}

/// The value of a property (contract §1, `properties`).
public enum PropertyValue: Sendable, Equatable {
  /// True or false.
  case bool(Bool)
  /// A finite number; others are left out.
  case number(Double)
  /// A text; beyond 256 bytes it is cut.
  case text(String)
}

extension PropertyValue: ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral
{
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
}
