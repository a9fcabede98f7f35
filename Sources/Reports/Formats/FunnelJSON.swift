import FunnelDocument

/// A funnel for programs: the form of metrics §5, with the environments and stories of the scope as further keys.
struct FunnelJSON {
  let text: String

  init(_ funnel: Funnel) {
    var report = funnel.report
    if let groupedBy = funnel.groupedBy {
      report.additionalMembers.append(JSONMember("grouped_by", .string(groupedBy)))
    }
    report.additionalMembers += [
      JSONMember(
        "environments",
        .array(
          funnel.environments.map {
            .object([JSONMember("environment", .string($0.name)), JSONMember("sessions", .count($0.sessions))])
          })),
      JSONMember(
        "stories",
        .array(
          funnel.stories.map {
            .object([
              JSONMember("app", .string($0.app)), JSONMember("story", .string($0.story ?? StorySelection.noneText)),
              JSONMember("sessions", .count($0.sessions)),
            ])
          })),
      JSONMember("page_changes", .array(funnel.pageChanges.map(Self.json))),
    ]
    text = report.json.printed()
  }

  private static func json(_ change: PageChange) -> JSONValue {
    .object([
      JSONMember("index", .count(change.index)), JSONMember("changed_at", .string(change.changedAt)),
      JSONMember(
        "fields",
        .array(
          change.fields.map { field in
            .object([
              JSONMember("name", .string(field.name)), JSONMember("before", .string(field.before)),
              JSONMember("after", .optional(field.after)),
            ])
          })),
    ])
  }
}
