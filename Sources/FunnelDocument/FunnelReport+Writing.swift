extension FunnelReport {
  /// The JSON form, its keys in the order of metrics §5. `JSONValue.text(layout:)` makes text of it.
  ///
  /// `fallback_ci`, `step_ci` and `exit_ci` stand beside the documented keys, since every rate has its interval (metrics §3).
  public var json: JSONValue {
    var members: [JSONMember] = [
      JSONMember("report", .string("funnel")),
      JSONMember("definitions", .string(Self.definitions)),
      JSONMember("generated_at", .string(generatedAt)),
      JSONMember("data_through", .optional(dataThrough)),
      JSONMember("scope", scope.json),
    ]
    members += rates.members
    if let devices { members.append(JSONMember("devices", devices.json(rates))) }
    members += additionalMembers
    if let groups {
      let values = groups.map { group in
        let rates = rates(of: group.counts)
        var members = [JSONMember("group", .string(group.name))]
        if let mergedGroups = group.mergedGroups { members.append(JSONMember("merged_groups", .count(mergedGroups))) }
        members += rates.members
        if let devices = group.devices { members.append(JSONMember("devices", devices.json(rates))) }
        return JSONValue.object(members)
      }
      members.append(JSONMember("groups", .array(values)))
    }
    return .object(members)
  }
}

extension FunnelScope {
  /// The object under `scope` (metrics §5).
  package var json: JSONValue {
    var members: [JSONMember] = [
      JSONMember("apps", .array(apps.map { .string($0) })),
      JSONMember("story", .optional(story)),
      JSONMember("from", .optional(from)),
      JSONMember("to", .optional(to)),
      JSONMember("timezone", .string(timeZone)),
      JSONMember("order", .string(order.rawValue)),
      JSONMember("filters", .array(filters.map { .string($0) })),
    ]
    if minimumCount != 1 { members.append(JSONMember("min_count", .count(minimumCount))) }
    return .object(members)
  }
}

extension FunnelRates {
  /// The keys that the total and each group have alike.
  fileprivate var members: [JSONMember] {
    sessionMembers + [
      JSONMember("pages", .array(zip(counts.pages, pages).map { page, rates in page.json(rates) })),
      JSONMember("completeness", counts.completeness.json),
    ]
  }

  /// The keys of the sessions' counts and rates (metrics §5): from `presentations` to `tap_ci`.
  package var sessionMembers: [JSONMember] {
    [
      JSONMember("presentations", .count(counts.presentations)),
      JSONMember("fallbacks", .count(counts.fallbacks)),
      JSONMember("fallback_rate", .optional(fallback.value)),
      JSONMember("fallback_ci", .optional(fallback.wilsonInterval)),
      JSONMember("sessions", .count(counts.sessions)),
      JSONMember("finished_sessions", .count(counts.finishedSessions)),
      JSONMember("completion_rate", .optional(completion.value)),
      JSONMember("completion_ci", .optional(completion.wilsonInterval)),
      JSONMember("reached_last_sessions", .count(counts.reachedLastSessions)),
      JSONMember("reached_last_rate", .optional(reachedLast.value)),
      JSONMember("reached_last_ci", .optional(reachedLast.wilsonInterval)),
      JSONMember("tapped_sessions", .count(counts.tappedSessions)),
      JSONMember("tap_rate", .optional(tap.value)),
      JSONMember("tap_ci", .optional(tap.wilsonInterval)),
    ]
  }
}

extension PageCounts {
  fileprivate func json(_ rates: PageRates) -> JSONValue {
    .object([
      JSONMember("index", .count(index)),
      JSONMember("title", .optional(title)),
      JSONMember("link", .optional(link)),
      JSONMember("impressions", .count(impressions)),
      JSONMember("sessions", .count(sessions)),
      JSONMember("strict_sessions", .count(strictSessions)),
      JSONMember("replays", .count(replays)),
      JSONMember("reach_rate", .optional(rates.reach.value)),
      JSONMember("reach_ci", .optional(rates.reach.wilsonInterval)),
      JSONMember("step_rate", .optional(rates.step?.value)),
      JSONMember("step_ci", .optional(rates.step?.wilsonInterval)),
      JSONMember("completed_sessions", .count(completedSessions)),
      JSONMember("page_completion_rate", .optional(rates.completion.value)),
      JSONMember("page_completion_ci", .optional(rates.completion.wilsonInterval)),
      JSONMember("taps", .count(taps)),
      JSONMember("tapped_sessions", .count(tappedSessions)),
      JSONMember("tap_through_rate", .optional(rates.tapThrough.value)),
      JSONMember("tap_through_ci", .optional(rates.tapThrough.wilsonInterval)),
      JSONMember("departures", departures.json),
      JSONMember("exit_rate", .optional(rates.exit.value)),
      JSONMember("exit_ci", .optional(rates.exit.wilsonInterval)),
      JSONMember("dwell_ms", dwell.json),
    ])
  }
}

extension Departures {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("next", .count(next)), JSONMember("next_auto", .optional(nextAuto)),
      JSONMember("next_tap", .optional(nextTap)), JSONMember("back", .count(back)),
      JSONMember("looped", .count(looped)), JSONMember("finished", .count(finished)),
      JSONMember("tapped_out", .count(tappedOut)), JSONMember("exited", .count(exited)),
      JSONMember("unknown", .count(unknown)),
    ])
  }
}

extension DwellSummary {
  /// The object under `dwell_ms` (metrics §5).
  var json: JSONValue {
    .object([
      JSONMember("count", .count(count)), JSONMember("median", .optional(medianMilliseconds)),
      JSONMember("p90", .optional(ninetiethPercentileMilliseconds)),
    ])
  }
}

extension JSONValue {
  /// An interval as `[lower, upper]`; nil becomes `null`.
  static func optional(_ interval: ConfidenceInterval?) -> JSONValue {
    interval.map { .array([.number($0.lower), .number($0.upper)]) } ?? .null
  }
}
