extension ButtonsReport {
  /// The JSON form, its keys in the order of buttons §4. `JSONValue.text(layout:)` makes text of it.
  public var json: JSONValue {
    var members: [JSONMember] = [
      JSONMember("report", .string("buttons")),
      JSONMember("definitions", .string(Self.definitions)),
      JSONMember("generated_at", .string(generatedAt)),
      JSONMember("data_through", .optional(dataThrough)),
      JSONMember("scope", scope.json),
    ]
    members += rates(of: total).members
    members += self.members(of: categories, hidden: hiddenCategories)
    if let groups {
      let values = groups.map { group in
        var members = [JSONMember("group", .string(group.name))]
        if let mergedGroups = group.mergedGroups { members.append(JSONMember("merged_groups", .count(mergedGroups))) }
        members += rates(of: group.counts).members
        members += self.members(of: group.categories, hidden: group.hiddenCategories)
        return JSONValue.object(members)
      }
      members.append(JSONMember("groups", .array(values)))
    }
    members.append(
      JSONMember("completeness", losses.json(expected: total.expectedEvents, missing: total.missingEvents)))
    return .object(members + additionalMembers)
  }

  private func members(of lines: [CategoryLine], hidden: Int) -> [JSONMember] {
    let values = lines.map { $0.json(rates(of: $0.counts)) }
    let categories = JSONMember("categories", .array(values))
    return hidden > 0 ? [categories, JSONMember("hidden_categories", .count(hidden))] : [categories]
  }
}

extension ResponseRates {
  /// The keys that the total, a group and a category have alike: from `responses` to `missing_events`.
  fileprivate var members: [JSONMember] {
    [
      JSONMember("responses", .count(counts.responses)),
      JSONMember("button_responses", .count(counts.buttonResponses)),
      JSONMember("button_rate", .optional(buttons.value)),
      JSONMember("button_ci", .optional(buttons.wilsonInterval)),
      JSONMember("opens", .count(counts.opens)),
      JSONMember("open_rate", .optional(opens.value)),
      JSONMember("open_ci", .optional(opens.wilsonInterval)),
      JSONMember("dismissals", .count(counts.dismissals)),
      JSONMember("dismissal_rate", .optional(dismissals.value)),
      JSONMember("dismissal_ci", .optional(dismissals.wilsonInterval)),
      JSONMember("expected_events", .count(counts.expectedEvents)),
      JSONMember("missing_events", .count(counts.missingEvents)),
    ]
  }
}

extension CategoryLine {
  fileprivate func json(_ rates: ResponseRates) -> JSONValue {
    let names: [JSONMember] = [
      JSONMember("app", .optional(app)),
      JSONMember("category_id", .optional(categoryID)),
      JSONMember("known", .bool(isKnown)),
    ]
    let lines = buttons.map { $0.json(share: rates.share($0.responses)) }
    return .object(names + rates.members + [JSONMember("buttons", .array(lines))])
  }
}

extension ButtonLine {
  fileprivate func json(share: Rate) -> JSONValue {
    .object([
      JSONMember("button_id", .string(buttonID)),
      JSONMember("label", .optional(label)),
      JSONMember("opens_app", opensApp.map { .bool($0) } ?? .null),
      JSONMember("destructive", isDestructive.map { .bool($0) } ?? .null),
      JSONMember("current", .bool(isCurrent)),
      JSONMember("responses", .count(responses)),
      JSONMember("share", .optional(share.value)),
      JSONMember("share_ci", .optional(share.wilsonInterval)),
    ])
  }
}
