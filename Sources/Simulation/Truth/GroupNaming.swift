import StoryEvents

/// Names the group that a session is of.
struct GroupNaming: Sendable {
  /// What groups are made by.
  let grouping: TruthGrouping
  /// Whether the configuration says so, rather than there being several stories.
  let isExplicit: Bool
  private let storyNames: [String]
  private let environment: String
  private var days: DayNaming?

  init(_ configuration: WorldConfiguration) {
    grouping = configuration.truthGrouping ?? .story
    isExplicit = configuration.truthGrouping != nil
    storyNames = configuration.stories.map { $0.storyID ?? TruthGrouping.noneText }
    environment = configuration.environment
    switch grouping {
    case .day(let zone), .hour(let zone): days = DayNaming(zone)
    case .story, .context, .property: days = nil
    }
  }

  /// Whether the truth shows groups.
  var isAsked: Bool { isExplicit || storyNames.count > 1 }

  func storyName(_ index: Int) -> String { storyNames[index] }

  mutating func name(of session: SimulatedSession) -> String {
    switch grouping {
    case .story: storyName(session.storyIndex)
    case .context(let field): value(of: field, session.device) ?? TruthGrouping.noneText
    case .property(let name):
      session.device.properties.first { $0.name.utf8.elementsEqual(name.utf8) }?.value ?? TruthGrouping.noneText
    case .hour: days?.hour(atMicroseconds: session.countedAtMicroseconds) ?? TruthGrouping.noneText
    case .day: days?.name(atMicroseconds: session.countedAtMicroseconds) ?? TruthGrouping.noneText
    }
  }

  private func value(of field: ContextField, _ device: SimulatedDevice) -> String? {
    switch field {
    case .deviceID: device.deviceID.description
    case .appVersion: device.appVersion
    case .osVersion: device.osVersion
    case .deviceModel: device.deviceModel
    case .locale: device.locale
    case .sdkVersion: device.sdkVersion
    case .environment: device.environment ?? environment
    case .storyID, .messageHash, .messageID, .campaignID, .userID, .properties: nil
    }
  }
}
