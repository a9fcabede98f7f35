import FunnelDocument
import LocalTime

/// The forms in which a session can be printed (`--format`).
public enum SessionTimelineFormat: String, CaseIterable, Sendable {
  /// For people, on a terminal.
  case table
  /// For programs: one object.
  case json

  /// The session in this form, with a newline at its end.
  public func render(_ timeline: SessionTimeline, style: TextStyle = TextStyle()) -> String {
    switch self {
    case .table: SessionTimelineText(timeline, style).text
    case .json: timeline.json.printed()
    }
  }
}

extension SessionTimeline {
  /// Keys may be added, never renamed (docs/why.md).
  var json: JSONValue {
    .object([
      JSONMember("report", .string("session")), JSONMember("definitions", .string(FunnelReport.definitions)),
      JSONMember("session_id", .string(line.id)), JSONMember("app", .string(line.app)),
      JSONMember("started_at", .string(TimestampText.rfc3339(line.startedAtMicroseconds, in: timeZone))),
      JSONMember("arrived_at", .string(TimestampText.rfc3339(line.arrivedAtMicroseconds, in: timeZone))),
      JSONMember("clock_offset_ms", .milliseconds(clockOffsetMicroseconds)),
      JSONMember("suspect_clock", .bool(line.facts.contains(.hasSuspectClock))),
      JSONMember("context", .object(context.map { JSONMember($0.name, .string($0.text)) })),
      JSONMember("properties", properties.flatMap { try? JSONValue(text: $0) } ?? .null),
      JSONMember("page_count", .optional(line.pageCount)),
      JSONMember("events", .array(events.map(json))), JSONMember("unlisted_events", .count(unlistedEvents)),
      JSONMember(
        "missing",
        .array(gaps.map { .array([.count($0.lowerBound), .count($0.upperBound)]) })),
      JSONMember("missing_events", .count(line.missingEvents)),
      JSONMember("counts", .object(steps.map { JSONMember($0.name, Self.json($0)) })),
      JSONMember("pages", .array(pages.map(Self.json))), JSONMember("rejected", rejectedJSON),
      JSONMember("remarks", .array(remarks.map { .string($0) })),
    ])
  }

  private func json(_ event: TimelineEvent) -> JSONValue {
    var members = [
      JSONMember("seq", .count(event.seq)), JSONMember("type", .string(event.type)),
      JSONMember("at", .string(TimestampText.rfc3339(event.atMicroseconds, in: timeZone))),
      JSONMember("after_ms", .milliseconds(event.afterMicroseconds)),
    ]
    if let page = event.page { members.append(JSONMember("page_index", .count(page))) }
    if let count = event.pageCount { members.append(JSONMember("page_count", .count(count))) }
    if let title = event.title { members.append(JSONMember("title", .string(title))) }
    members += event.details.map { JSONMember($0.name, .string($0.text)) }
    if let impression = event.impression {
      members += [
        JSONMember("departure", .string(impression.departure)),
        JSONMember("departure_reason", .string(impression.reason)),
        JSONMember("next_cause", .optional(impression.nextCause)),
        JSONMember("dwell_ms", .milliseconds(impression.dwellMicroseconds)),
        JSONMember("dwell_reason", .optional(impression.dwellReason)),
      ]
    }
    if let remark = event.remark { members.append(JSONMember("remark", .string(remark))) }
    return .object(members)
  }

  private static func json(_ step: CountingStep) -> JSONValue {
    .object([JSONMember("counts", .bool(step.counts)), JSONMember("reason", .string(step.reason))])
  }

  private static func json(_ page: PageSteps) -> JSONValue {
    .object(
      [
        JSONMember("index", .count(page.page)), JSONMember("title", .optional(page.title)),
        JSONMember("impressions", .count(page.impressions)),
        JSONMember("taps", .count(page.taps)), JSONMember("dwells", .count(page.dwells)),
      ] + page.steps.map { JSONMember($0.name, json($0)) })
  }

  private var rejectedJSON: JSONValue {
    .object([
      JSONMember("found", .count(rejected.found)),
      JSONMember("looked_at", .count(rejected.lookedAt)),
      JSONMember("is_cut_short", .bool(rejected.isCutShort)),
      JSONMember(
        "events",
        .array(
          rejected.events.map { event in
            .object([
              JSONMember("handle", .string(event.handle)), JSONMember("code", .string(event.code)),
              JSONMember("field", .optional(event.field)), JSONMember("message", .string(event.message)),
              JSONMember("count", .integer(event.count)),
              JSONMember(
                "first_received_at",
                .string(TimestampText.rfc3339(event.firstReceivedAtMicroseconds, in: timeZone))),
            ])
          })),
    ])
  }
}
