extension RichMediaReport {
  /// The JSON form, its keys in the order of rich-media §3. `JSONValue.text(layout:)` makes text of it.
  public var json: JSONValue {
    var members: [JSONMember] = [
      JSONMember("report", .string("rich-media")),
      JSONMember("definitions", .string(Self.definitions)),
      JSONMember("generated_at", .string(generatedAt)),
      JSONMember("data_through", .optional(dataThrough)),
      JSONMember("scope", scope.json),
    ]
    members += rates(of: total).members
    members += self.members(of: contents, hidden: hiddenContents)
    if let groups {
      let values = groups.map { group in
        var members = [JSONMember("group", .string(group.name))]
        if let mergedGroups = group.mergedGroups { members.append(JSONMember("merged_groups", .count(mergedGroups))) }
        members += rates(of: group.counts).members
        members += self.members(of: group.contents, hidden: group.hiddenContents)
        return JSONValue.object(members)
      }
      members.append(JSONMember("groups", .array(values)))
    }
    members.append(
      JSONMember("completeness", losses.json(expected: total.expectedEvents, missing: total.missingEvents)))
    return .object(members + additionalMembers)
  }

  private func members(of lines: [RichMediaLine], hidden: Int) -> [JSONMember] {
    let values = lines.map { line in
      JSONValue.object(
        [JSONMember("app", .optional(line.app)), JSONMember("content_code", .string(line.contentCode))]
          + rates(of: line.counts).members)
    }
    let contents = JSONMember("contents", .array(values))
    return hidden > 0 ? [contents, JSONMember("hidden_contents", .count(hidden))] : [contents]
  }
}

extension RichMediaRates {
  /// The keys that the total, each line and each group have alike.
  fileprivate var members: [JSONMember] {
    [
      JSONMember("presentations", .count(counts.presentations)),
      JSONMember("deferred", .count(counts.deferred)),
      JSONMember("deferred_rate", .optional(deferred.value)),
      JSONMember("deferred_ci", .optional(deferred.wilsonInterval)),
      JSONMember("shown", .count(counts.shown)),
      JSONMember("shown_rate", .optional(shown.value)),
      JSONMember("shown_ci", .optional(shown.wilsonInterval)),
      JSONMember("failed", .count(counts.failed)),
      JSONMember("failed_rate", .optional(failed.value)),
      JSONMember("failed_ci", .optional(failed.wilsonInterval)),
      JSONMember("closed", .count(counts.closed)),
      JSONMember("closed_by_timer", .optional(counts.closedByTimer)),
      JSONMember("closed_before_timer", .optional(counts.closedBeforeTimer)),
      JSONMember("closed_by_timer_rate", .optional(closedByTimer.value)),
      JSONMember("closed_by_timer_ci", .optional(closedByTimer.wilsonInterval)),
      JSONMember("open_or_lost", .count(counts.openOrLost)),
      JSONMember("waiting_or_lost", .count(counts.waitingOrLost)),
      JSONMember("wait_ms", counts.wait.json),
      JSONMember("open_ms", counts.open.json),
      JSONMember("expected_events", .count(counts.expectedEvents)),
      JSONMember("missing_events", .count(counts.missingEvents)),
    ]
  }
}
