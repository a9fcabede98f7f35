import FunnelDocument

/// Stories for programs (docs/metrics.md, "The JSON form of stories").
struct StoriesJSON {
  let text: String

  init(_ report: StoriesReport) {
    var members: [JSONMember] = [
      JSONMember("report", .string("stories")),
      JSONMember("definitions", .string(FunnelReport.definitions)),
      JSONMember("generated_at", .string(report.generatedAt)),
      JSONMember("data_through", .optional(report.dataThrough)),
      JSONMember("scope", report.scope.json),
      JSONMember("days", .array(report.days.map { .string($0) })),
      JSONMember(
        "stories",
        .array(
          report.stories.map { line in
            let names = [
              JSONMember("app", .optional(line.app)),
              JSONMember("story", .string(line.story ?? StorySelection.noneText)),
            ]
            return .object(names + Self.members(line, report))
          })),
    ]
    if report.hiddenStories > 0 { members.append(JSONMember("hidden_stories", .count(report.hiddenStories))) }
    members.append(JSONMember("total", .object(Self.members(report.total, report))))
    text = JSONValue.object(members).printed()
  }

  /// The keys that a story and the total have alike.
  private static func members(_ line: StoryLine, _ report: StoriesReport) -> [JSONMember] {
    let rates = report.rates(of: line)
    var members =
      rates.sessionMembers + [
        JSONMember("pages", .count(line.pageCount)),
        JSONMember("first_seen", .optional(line.firstSeen.isEmpty ? nil : line.firstSeen)),
        JSONMember("last_seen", .optional(line.lastSeen.isEmpty ? nil : line.lastSeen)),
        JSONMember("sessions_by_day", .array(line.sessionsByDay.map { .count($0) })),
        JSONMember("completeness", line.counts.completeness.json),
      ]
    if let devices = line.devices { members.append(JSONMember("devices", devices.json(rates))) }
    return members
  }
}
