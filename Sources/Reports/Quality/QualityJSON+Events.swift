import FunnelDocument

extension QualityJSON {
  /// What is known of events by app, beside the sessions.
  static func events(_ report: QualityReport) -> [JSONMember] {
    let fates = report.fates
    let apps = fates.apps.map { JSONValue.object([text("app", $0.app)] + numbers($0.numbers)) }
    let rejected = report.rejected.map { reason in
      JSONValue.object([
        text("app", reason.app), text("code", reason.code), count("events", reason.events),
        count("times", reason.times),
      ])
    }
    let fallbacks = report.fallbacks.map { fallback in
      JSONValue.object([
        text("reason", fallback.reason ?? FunnelGroup.otherName), count("presentations", fallback.presentations),
        number("share", Rate(fallback.presentations, of: report.presentations).value),
      ])
    }
    let dropped = report.dropped.map { JSONValue.object([text("app", $0.app), count("events", $0.events)]) }
    return [
      JSONMember(
        "accepted_events",
        .object(
          [text("first_day", fates.firstDay), text("last_day", fates.lastDay)] + numbers(fates.total)
            + [JSONMember("apps", .array(apps))])),
      JSONMember("rejected_events", .array(rejected)),
      count("rejected_events_removed", report.removedRejections),
      JSONMember("fallbacks", .array(fallbacks)),
      JSONMember("dropped_by_devices", .array(dropped)),
    ]
  }

  private static func numbers(_ numbers: FateNumbers) -> [JSONMember] {
    let accepted = numbers.accepted
    let fates = [
      ("duplicate", numbers.duplicates), ("conflicting_duplicate", numbers.conflictingDuplicates),
      ("foreign_session", numbers.foreignSessions), ("expired", numbers.expired),
      ("refused_by_database", numbers.refusedByDatabase),
    ]
    return [count("accepted", accepted), count("stored", numbers.stored)]
      + fates.flatMap { [count($0.0, $0.1), number($0.0 + "_rate", Rate($0.1, of: accepted).value)] }
  }
}
