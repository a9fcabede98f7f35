import PrintedText
import StoryEvents

/// What the sessions of a report can be grouped by (`--by`).
public enum GroupField: Sendable, Equatable {
  /// The app's name.
  case app
  /// What was said about the session; all fields but `properties`.
  case context(ContextField)
  /// One of the session's properties.
  case property(String)
  /// The time of the session's start.
  case time(GroupPeriod)

  /// Reads the value of `--by`: the name of a field, of a period, or `property:NAME`.
  ///
  /// - Throws: `.usage` with the names that there are.
  public init(argument: String) throws(ReportError) {
    if argument == "app" {
      self = .app
    } else if let period = GroupPeriod(rawValue: argument) {
      self = .time(period)
    } else if let field = Self.fields.first(where: { $0.name == argument }) {
      self = .context(field)
    } else if argument.hasPrefix(Self.propertyPrefix), argument.utf8.count > Self.propertyPrefix.utf8.count {
      let name = String(argument.dropFirst(Self.propertyPrefix.count))
      guard !name.utf8.contains(0) else { throw .usage("a property's name cannot hold a zero byte") }
      self = .property(name)
    } else {
      throw .usage(
        "sessions cannot be grouped by '\(DisplayText.escaped(argument))'; there is \(Self.names.joined(separator: ", "))"
      )
    }
  }

  /// What `--by` takes, for help and messages.
  public static let names: [String] =
    ["app"] + fields.map(\.name) + GroupPeriod.allCases.map(\.rawValue) + ["property:NAME"]

  /// The name as it is asked for.
  public var name: String {
    switch self {
    case .app: "app"
    case .context(let field): field.name
    case .property(let name): Self.propertyPrefix + name
    case .time(let period): period.rawValue
    }
  }

  private static let propertyPrefix = "property:"
  private static let fields = ContextField.allCases.filter { $0 != .properties }
}

/// The periods of local time that sessions can be grouped by.
public enum GroupPeriod: String, Sendable, CaseIterable {
  /// A local day, such as `2026-11-01`; 23 to 25 hours (metrics §1).
  case day
  /// An ISO 8601 week, such as `2026-W44`: from Monday, and of the year that has its Thursday.
  case week
  /// A day of the week, `Monday` to `Sunday`.
  case weekday
  /// An hour of the local clock, `00` to `23`.
  case hour
}
