import StoryEvents

/// What the sessions of a report can be grouped by (`--by`) and chosen by (`--where`).
public enum SessionField: Sendable, Equatable {
  /// The app's name.
  case app
  /// What was said about the session; all fields but `properties`.
  case context(ContextField)
  /// One of the session's properties.
  case property(String)
  /// The time of the session's start.
  case time(TimePeriod)
  /// Why the story fell back: the reason of the session's first `fallback`.
  case fallbackReason
  /// Something that the session did, or that is wrong with it: `yes` or `no`.
  case fact(SessionFact)

  /// Reads a field as it is asked for: its name, `story` for `story_id`, or `property:NAME`.
  ///
  /// - Throws: `.usage` with the names that there are.
  public init(argument: String) throws(ReportError) {
    guard let field = Self(name: argument) else {
      throw .usage(
        "there is no field \(QuotedText.of(argument)) of sessions; there is \(Self.names.joined(separator: ", "))"
      )
    }
    guard !field.name.utf8.contains(0) else { throw .usage("a property's name cannot hold a zero byte") }
    self = field
  }

  /// The field of this name; nil where there is none.
  init?(name: String) {
    if let field = Self.fixed.first(where: { $0.name.isSameBytes(as: name) }) {
      self = field
    } else if name == "story" {
      self = .context(.storyID)
    } else if name.utf8.starts(with: Self.propertyPrefix.utf8), name.utf8.count > Self.propertyPrefix.utf8.count {
      // By scalars: a mark at the beginning of the property's name would be one character with the colon.
      self = .property(String(name.unicodeScalars.dropFirst(Self.propertyPrefix.unicodeScalars.count)))
    } else {
      return nil
    }
  }

  /// Fields are the same where their names are, by the bytes: two ways to write an accent are two properties.
  public static func == (left: SessionField, right: SessionField) -> Bool {
    left.name.isSameBytes(as: right.name)
  }

  /// What `--by` and `--where` take, for help and messages.
  public static let names: [String] = fixed.map(\.name) + [propertyPrefix + "NAME"]

  /// The name as it is asked for.
  public var name: String {
    switch self {
    case .app: "app"
    case .context(let field): field.name
    case .property(let name): Self.propertyPrefix + name
    case .time(let period): period.rawValue
    case .fallbackReason: "fallback_reason"
    case .fact(let fact): fact.rawValue
    }
  }

  static let propertyPrefix = "property:"

  private static let fixed: [SessionField] =
    [.app] + ContextField.allCases.filter { $0 != .properties }.map { .context($0) }
    + TimePeriod.allCases.map { .time($0) } + [.fallbackReason] + SessionFact.allCases.map { .fact($0) }
}

/// The periods of local time that sessions can be grouped by.
public enum TimePeriod: String, Sendable, CaseIterable {
  /// A local day, such as `2026-11-01`; 23 to 25 hours (metrics §1).
  case day
  /// An ISO 8601 week, such as `2026-W44`: from Monday, and of the year that has its Thursday.
  case week
  /// A day of the week, `Monday` to `Sunday`.
  case weekday
  /// An hour of the local clock, `00` to `23`.
  case hour
}

/// What is either so of a session or not (metrics §1 and §4).
public enum SessionFact: String, Sendable, CaseIterable {
  /// At least one `fallback`.
  case fallback
  /// At least one `finish`.
  case finished
  /// Showed its last page.
  case reachedLast = "reached_last"
  /// At least one `action_tap`.
  case tapped
  /// At least one `start`.
  case started
  /// At least one `seq` is missing below its highest.
  case hasMissingEvents = "missing_events"
  /// Tapped on a page that it never showed.
  case hasOrphanTap = "orphan_tap"
  /// Its clock was not believable, so it counts at its arrival.
  case hasSuspectClock = "suspect_clock"
}
