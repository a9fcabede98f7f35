import Foundation
import StoryEvents

/// What the groups of a truth are made by: what `report funnel --by` makes of the same events.
public enum TruthGrouping: Equatable, Sendable {
  /// The story.
  case story
  /// What a device says of itself: one of `deviceFields`.
  case context(ContextField)
  /// One of the session's properties.
  case property(String)
  /// The local day of a zone on which a session counts (metrics §1).
  case day(TimeZone)
  /// The hour that the clocks of a zone show when a session counts, `00` to `23`.
  case hour(TimeZone)

  /// How a missing value is shown (contract §1).
  static let noneText = "(none)"

  /// The fields that the simulator's devices have.
  public static let deviceFields: [ContextField] = [
    .deviceID, .appVersion, .osVersion, .deviceModel, .locale, .sdkVersion, .environment,
  ]

  /// What can be asked for, for help and messages.
  public static let names = ["story_id", "day", "hour", "property:NAME"] + deviceFields.map(\.name)

  /// Reads the name of a field, `day`, `hour`, or `property:NAME`; nil for anything else.
  ///
  /// - Parameter timeZone: the zone of days and hours.
  public init?(argument: String, timeZone: TimeZone) {
    let property = "property:"
    if argument == ContextField.storyID.name {
      self = .story
    } else if argument == "day" {
      self = .day(timeZone)
    } else if argument == "hour" {
      self = .hour(timeZone)
    } else if argument.hasPrefix(property), argument.utf8.count > property.utf8.count {
      self = .property(String(argument.dropFirst(property.count)))
    } else if let field = Self.deviceFields.first(where: { $0.name == argument }) {
      self = .context(field)
    } else {
      return nil
    }
  }

  /// The zone's name where groups are of local time.
  var timeZoneName: String? {
    switch self {
    case .day(let zone), .hour(let zone): zone == .gmt ? "UTC" : zone.identifier
    case .story, .context, .property: nil
    }
  }
}
