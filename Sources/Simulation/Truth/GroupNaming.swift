import StoryEvents

/// Names the group that a session is of.
struct GroupNaming: Sendable {
  /// What groups are made by.
  let grouping: TruthGrouping
  /// Whether the configuration says so, rather than there being several stories.
  let isExplicit: Bool
  private let storyNames: [String]
  private let environment: String
  private let contentProperties: [[(name: String, text: String)]]
  private var days: DayNaming?

  init(_ configuration: WorldConfiguration) {
    grouping = configuration.truthGrouping ?? .story
    isExplicit = configuration.truthGrouping != nil
    storyNames = configuration.stories.map { $0.storyID ?? TruthGrouping.noneText }
    environment = configuration.environment
    contentProperties = configuration.richMedia?.contents.map { RichMediaDetails.texts(of: $0.content.window) } ?? []
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
    case .story:
      switch session.surface {
      case .story(let index): storyName(index)
      case .richMedia, .response: TruthGrouping.noneText
      }
    case .context(let field): value(of: field, session.device) ?? TruthGrouping.noneText
    case .property(let name): property(name, of: session) ?? TruthGrouping.noneText
    case .hour: days?.hour(atMicroseconds: session.countedAtMicroseconds) ?? TruthGrouping.noneText
    case .day: days?.name(atMicroseconds: session.countedAtMicroseconds) ?? TruthGrouping.noneText
    }
  }

  /// A property of the device, or of a rich media's window.
  private func property(_ name: String, of session: SimulatedSession) -> String? {
    let ofDevice = session.device.properties.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    switch session.surface {
    case .richMedia(let index): return ofDevice ?? contentProperties[index].first { $0.name == name }?.text
    case .story, .response: return ofDevice
    }
  }

  /// Groups as a report shows them, without empty ones: days and hours in their order, others by size and name.
  func ordered<Group>(_ groups: [Group], name: (Group) -> String, size: (Group) -> Int) -> [Group] {
    let filled = groups.filter { size($0) > 0 }
    switch grouping {
    case .day, .hour: return filled.sorted { name($0) < name($1) }
    case .story, .context, .property:
      // By their bytes, as the database tells names apart: to Swift two ways to write an accent are the same.
      return filled.sorted {
        size($0) != size($1) ? size($0) > size($1) : name($0).utf8.lexicographicallyPrecedes(name($1).utf8)
      }
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
