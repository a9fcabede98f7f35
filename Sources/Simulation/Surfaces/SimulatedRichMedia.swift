import StoryEvents
import StoryPlayback

/// A rich media that the world's apps show.
public struct SimulatedRichMedia: Equatable, Sendable {
  /// What is shown.
  public var content: RichMediaContent
  /// How often it is shown, relative to the others' weights. Default 1.
  public var weight: Double
  /// How often its page cannot be loaded, 0…1. Default 0.02.
  public var failureShare: Double
  /// The shortest and the longest time that its page loads, in seconds. Default 0.3 to 2.
  public var loadSeconds: ClosedRange<Double>
  /// The shortest and the longest time before a hand closes it, in seconds. Default 1 to 20.
  public var openSeconds: ClosedRange<Double>

  /// Makes a rich media.
  public init(
    content: RichMediaContent, weight: Double = 1, failureShare: Double = 0.02,
    loadSeconds: ClosedRange<Double> = 0.3...2, openSeconds: ClosedRange<Double> = 1...20
  ) {
    self.content = content
    self.weight = weight
    self.failureShare = failureShare
    self.loadSeconds = loadSeconds
    self.openSeconds = openSeconds
  }

  /// The longest time that a page loads or stays open, in seconds: an hour.
  static let longestSeconds = 3_600.0

  /// A sentence on what a collector would reject, or on what makes no sense; nil where there is nothing.
  var fault: String? {
    let bytes = content.code.utf8
    guard !bytes.isEmpty, bytes.count <= ContractLimits.textBytes, !bytes.contains(0) else {
      return "a content code has 1 to \(ContractLimits.textBytes) bytes without U+0000"
    }
    guard (0...1_000_000).contains(weight) else { return "\(content.code): a weight is from 0 to 1000000" }
    guard (0...1).contains(failureShare) else { return "\(content.code): the share of failures is from 0 to 1" }
    for seconds in [loadSeconds, openSeconds]
    where !(seconds.lowerBound >= 0 && seconds.upperBound <= Self.longestSeconds) {
      return "\(content.code): times are from 0 to \(Int(Self.longestSeconds)) seconds"
    }
    guard content.window.cornerRadius.isFinite else { return "\(content.code): the corner radius must be a number" }
    let timer = content.window.autoCloseSeconds ?? 1
    guard timer > 0, timer <= ModalWindow.longestAutoCloseSeconds else {
      return "\(content.code): a window closes itself after more than 0 and at most 86400 seconds"
    }
    return nil
  }
}

/// The rich media of a world (playback §2): what is shown, and how often.
public struct RichMediaWorld: Equatable, Sendable {
  /// The contents; at least one.
  public var contents: [SimulatedRichMedia]
  /// How apps show them. Default the modal style.
  public var style: ModalPlayer.Style
  /// How many of them are asked for in all; each is a session. Default 500.
  public var sessionCount: Int
  /// How many are asked for in one visit to the app, from one to so many, one soon after the other. Default 4.
  public var mostPerVisit: Int

  /// Makes the rich media of a world.
  public init(
    contents: [SimulatedRichMedia], style: ModalPlayer.Style = .modal, sessionCount: Int = 500, mostPerVisit: Int = 4
  ) {
    self.contents = contents
    self.style = style
    self.sessionCount = sessionCount
    self.mostPerVisit = mostPerVisit
  }

  /// The most contents of a world.
  public static let contentCounts = 1...1_000

  /// A sentence on the first setting that makes no sense; nil where all do.
  func fault(properties: [PropertyChoice]) -> String? {
    guard Self.contentCounts.contains(contents.count), contents.contains(where: { $0.weight > 0 }) else {
      return "a world has 1 to \(Self.contentCounts.upperBound) rich media, one of them with a weight above 0"
    }
    if let fault = contents.lazy.compactMap(\.fault).first { return "rich media: \(fault)" }
    guard sessionCount >= 0 else { return "the number of rich media sessions must not be negative" }
    guard (1...100).contains(mostPerVisit) else { return "a visit has 1 to 100 rich media" }
    if let property = properties.first(where: { ModalWindow.propertyNames.contains($0.name) }) {
      return "the property \(property.name) is one of rich media's own; give it another name"
    }
    guard properties.count + ModalWindow.propertyNames.count <= ContractLimits.properties else {
      return "beside those of rich media a session has at most "
        + "\(ContractLimits.properties - ModalWindow.propertyNames.count) properties"
    }
    return nil
  }
}
