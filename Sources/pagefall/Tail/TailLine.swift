import EventStore
import FunnelDocument
import LocalTime
import PrintedText
import Reports

/// An event as it was stored, or was not.
struct TailLine: Equatable {
  /// When the database took it, microseconds since 1970; nil where the journal does not reach back so far.
  var storedAtMicroseconds: Int64?
  /// What became of it.
  var fate: JournaledFate
  /// Its app's name.
  var app: String
  /// Nil where it was not said.
  var story: String?
  /// As it was sent; nil of an event that was rejected on arrival.
  var sessionID: String?
  /// Its number within the session.
  var seq: Int?
  /// Its type's name; nil where nothing but its key is known.
  var type: String?
  /// The page that was shown or tapped.
  var page: Int?
  /// Of rich media and responses: which it is of, as far as the event says it.
  var details: [Detail] = []
  /// By the device's own clock, microseconds since 1970.
  var atMicroseconds: Int64?
  /// Why it was rejected.
  var rejection: Rejection?

  /// A field of an event.
  struct Detail: Equatable {
    var name: String
    var text: String
  }

  /// Why an event was rejected.
  struct Rejection: Equatable {
    var code: String
    var field: String?
    var message: String
    var handle: String
    /// How often it came so far.
    var count: Int64
  }

  /// For people: on one line, nothing of a sender's obeyed.
  var text: String {
    let stored = storedAtMicroseconds.map { ClockText.seconds($0, in: .utc) } ?? "–"
    let front = "\(stored)  \(DisplayText.escaped(app))"
    if let rejection {
      // Most messages begin with the field.
      let field =
        rejection.field.flatMap { rejection.message.hasPrefix($0) ? nil : " \(DisplayText.escaped($0))" } ?? ""
      let times = rejection.count > 1 ? " (came \(rejection.count) times)" : ""
      return "\(front)  rejected \(DisplayText.escaped(rejection.code))\(field) "
        + "\(DisplayText.escaped(rejection.message))\(times), pagefall rejected show \(rejection.handle)"
    }
    var words = [front, story.map(DisplayText.escaped) ?? StorySelection.noneText, sessionID ?? "", "\(seq ?? 0)"]
    if let type {
      let detail = details.map { " \(DisplayText.escaped($0.text))" }.joined()
      words.append((page.map { "\(type) \($0)" } ?? type) + detail)
    }
    if let atMicroseconds { words.append("at \(ClockText.milliseconds(atMicroseconds, in: .utc))") }
    if fate != .stored { words.append("not stored: \(fate.name)") }
    return words.joined(separator: "  ")
  }

  /// For programs: one line.
  var json: JSONValue {
    var members = [
      JSONMember("stored_at", Self.instant(storedAtMicroseconds)), JSONMember("fate", .string(fate.name)),
      JSONMember("app", .string(app)),
    ]
    if let rejection {
      members += [
        JSONMember("code", .string(rejection.code)), JSONMember("field", .optional(rejection.field)),
        JSONMember("message", .string(rejection.message)), JSONMember("handle", .string(rejection.handle)),
        JSONMember("count", .integer(rejection.count)),
      ]
    } else {
      members += [
        JSONMember("story_id", .optional(story)),
        JSONMember("session_id", .optional(sessionID)),
        JSONMember("seq", .optional(seq)), JSONMember("type", .optional(type)),
        JSONMember("page_index", .optional(page)), JSONMember("at", Self.instant(atMicroseconds)),
      ]
      members += details.map { JSONMember($0.name, .string($0.text)) }
    }
    return .object(members)
  }

  /// An instant as RFC 3339 in UTC, or null.
  fileprivate static func instant(_ microseconds: Int64?) -> JSONValue {
    .optional(microseconds.map { TimestampText.rfc3339($0, in: .utc) })
  }
}

extension JournaledFate {
  /// As the contract calls it.
  var name: String {
    switch self {
    case .stored: "stored"
    case .duplicate: "duplicate"
    case .conflictingDuplicate: "conflicting_duplicate"
    case .foreignSession: "foreign_session"
    case .expired: "expired"
    case .refusedByDatabase: "refused_by_database"
    case .rejected: "rejected"
    }
  }
}

/// What is written at a time: lines, and how many further events are not among them.
struct TailPiece: Equatable {
  var storedAtMicroseconds: Int64?
  var lines: [TailLine] = []
  /// Events of the batch that are wanted and not listed, by fate; none where all are.
  var further: [(fate: JournaledFate, events: Int64)] = []

  static func == (left: TailPiece, right: TailPiece) -> Bool {
    left.lines == right.lines && left.further.elementsEqual(right.further, by: ==)
  }
}

/// The forms of `pagefall tail`.
enum TailFormat: String {
  case text, json

  func text(_ line: TailLine) -> String {
    switch self {
    case .text: line.text + "\n"
    case .json: line.json.printed(layout: .compact)
    }
  }

  /// What stands for events that are not listed.
  func text(_ further: [(fate: JournaledFate, events: Int64)], storedAtMicroseconds: Int64?) -> String {
    if further.isEmpty { return "" }
    switch self {
    case .text:
      let stored = storedAtMicroseconds.map { ClockText.seconds($0, in: .utc) } ?? "–"
      let counts = further.map { FigureText.count(Int($0.events)) + ($0.fate == .stored ? "" : " \($0.fate.name)") }
      let all = further.reduce(0) { $0 + $1.events }
      let detail = further.count == 1 && further[0].fate == .stored ? "" : " (\(counts.joined(separator: ", ")))"
      return "\(stored)  and \(FigureText.count(Int(all), "more event"))\(detail)\n"
    case .json:
      let members = further.map { JSONMember($0.fate.name, .integer($0.events)) }
      let value = JSONValue.object([
        JSONMember("stored_at", TailLine.instant(storedAtMicroseconds)),
        JSONMember("more_events", .object(members)),
      ])
      return value.printed(layout: .compact)
    }
  }
}
