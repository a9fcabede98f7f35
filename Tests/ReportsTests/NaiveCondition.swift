import Foundation
import FunnelDocument
import Reports
import StoryEvents

/// What a field says of a session, and whether a condition holds, once more and without a thought for speed.
struct NaiveCondition {
  var zone = "UTC"

  /// The value of a field by the name under which it is asked for; nil is a missing one.
  func value(of name: String, _ session: WorldSession) throws -> String? {
    let start = try Date(
      session.startedAt.replacing("Z", with: session.startedAt.count == 17 ? ":00Z" : "Z"), strategy: .iso8601)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .weekday, .weekOfYear, .yearForWeekOfYear], from: start)
    func digits(_ value: Int?, _ width: Int) -> String { String(String(10_000 + (value ?? 0)).suffix(width)) }
    func yes(_ isSo: Bool) -> String { isSo ? "yes" : "no" }
    let stories = session.events.filter { [.start, .pageShown, .actionTap, .finish].contains($0.type) }
    switch name {
    case "app": return session.app
    case "story_id": return session.story
    case "day": return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))"
    case "week": return "\(digits(parts.yearForWeekOfYear, 4))-W\(digits(parts.weekOfYear, 2))"
    case "hour": return digits(parts.hour, 2)
    case "weekday":
      let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
      return names[(parts.weekday ?? 1) - 1]
    case "fallback_reason":
      guard let first = session.events.first(where: { $0.type == .fallback }) else { return "(no fallback)" }
      return first.reason
    case "fallback": return yes(session.has(.fallback))
    case "finished": return yes(session.has(.finish))
    case "reached_last": return yes(session.pageCount.map { session.shows($0 - 1) } ?? false)
    case "tapped": return yes(session.has(.actionTap))
    case "started": return yes(session.has(.start))
    case "missing_events": return yes((session.events.last?.seq ?? -1) + 1 > session.events.count)
    case "orphan_tap": return yes(stories.contains { $0.type == .actionTap && !session.shows($0.number ?? -1) })
    case "suspect_clock": return yes(session.hasSuspectClock)
    case _ where name.hasPrefix("property:"):
      guard let properties = session.properties else { return nil }
      switch try JSONValue(text: properties.utf8)[String(name.dropFirst(9))] {
      case .string(let text): return text
      case nil, .null?: return nil
      case let value?: return value.text()
      }
    case _: return session.context[name]
    }
  }

  /// Whether a condition holds; texts are compared by their bytes.
  func holds(_ name: String, isNegated: Bool, _ values: [String], _ session: WorldSession) throws -> Bool {
    let value = Array((try value(of: name, session) ?? "(none)").utf8)
    return values.contains { Array($0.utf8) == value } != isNegated
  }
}
