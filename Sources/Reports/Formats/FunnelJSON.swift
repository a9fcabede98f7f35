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
            .object([JSONMember("environment", .string($0.name)), JSONMember("sessions", .integer(Int64($0.sessions)))])
          })),
      JSONMember(
        "stories",
        .array(
          funnel.stories.map {
            .object([
              JSONMember("app", .string($0.app)), JSONMember("story", .string($0.story ?? StorySelection.noneText)),
              JSONMember("sessions", .integer(Int64($0.sessions))),
            ])
          })),
    ]
    text = report.json.text(layout: .readable) + "\n"
  }
}
