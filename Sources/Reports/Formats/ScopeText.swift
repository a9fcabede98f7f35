import FunnelDocument
import LocalTime
import PrintedText

/// What a heading says about the scope, in plain words.
struct ScopeText {
  let funnel: Funnel

  /// `spring-sale`, or what stands for all stories.
  var story: String {
    guard let story = funnel.report.scope.story else { return "all stories" }
    return DisplayText.escaped(story)
  }

  /// The range and its zone.
  var range: String {
    let scope = funnel.report.scope
    let zone = ", \(scope.timeZone)"
    switch (scope.from, scope.to) {
    case (nil, nil):
      guard let observed = funnel.observed else { return "all time" + zone }
      return "all time (\(clock(observed.first)) to \(clock(observed.last)))" + zone
    case (let from?, nil): return "since \(clock(from))" + zone
    case (nil, let to?): return "before \(clock(to))" + zone
    case (let from?, let to?):
      guard clock(from).count == 10, let last = dayBefore(to) else {
        return "\(clock(from)) up to \(clock(to))" + zone
      }
      return (last == clock(from) ? last : "\(clock(from)) through \(last)") + zone
    }
  }

  /// A group's name; that of an empty text can be seen.
  static func groupName(_ group: FunnelGroup) -> String {
    group.name.isEmpty ? "\"\"" : DisplayText.escaped(group.name)
  }

  /// The apps, a few of them by name.
  var apps: String {
    let names = funnel.report.scope.apps.map(DisplayText.escaped)
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    if funnel.coversAllApps { return names.isEmpty ? "all apps" : "all apps (\(shown))" }
    return (names.count == 1 ? "app " : "apps ") + shown
  }

  /// How many sessions came from which environment; nil unless there are several.
  var environments: String? {
    guard funnel.environments.count > 1 else { return nil }
    let shown = funnel.environments.prefix(5).map { "\(DisplayText.escaped($0.name)) \(FigureText.count($0.sessions))" }
    let hidden = funnel.environments.count - shown.count
    return "environments: " + shown.joined(separator: ", ") + (hidden > 0 ? " and \(hidden) more" : "")
  }

  /// Which stories are in a total of several; nil where there is one.
  var stories: String? {
    guard funnel.report.scope.story == nil, funnel.stories.count > 1 else { return nil }
    let severalApps = Set(funnel.stories.map(\.app)).count > 1
    let shown = funnel.stories.prefix(6).map { story in
      let app = severalApps ? "\(DisplayText.escaped(story.app)): " : ""
      return
        "\(app)\(DisplayText.escaped(story.story ?? StorySelection.noneText)) (\(FigureText.count(story.sessions)))"
    }
    let hidden = funnel.stories.count - shown.count
    return "This is the total of \(FigureText.count(funnel.stories.count, "story", "stories")): "
      + shown.joined(separator: ", ") + (hidden > 0 ? " and \(hidden) more" : "")
      + ". Their pages are not the same pages: look at one with --story."
  }

  /// How new the data is.
  var freshness: String? {
    funnel.report.dataThrough.map { "Data through \(clock($0, digits: 19)) UTC." }
  }

  /// The last day of a range that ends with a midnight; nil where it ends at another time of the day.
  private func dayBefore(_ end: String) -> String? {
    let parts = clock(end).split(separator: "-").compactMap { Int($0) }
    guard clock(end).count == 10, parts.count == 3 else { return nil }
    return CivilDate(year: parts[0], month: parts[1], day: parts[2]).map {
      CivilDate(dayNumber: $0.dayNumber - 1).text
    }
  }

  /// The day and the time of an RFC 3339 text, the day alone for midnight.
  private func clock(_ text: String, digits: Int = 16) -> String {
    let shown = text.prefix(digits).replacing("T", with: " ")
    return shown.hasSuffix(" 00:00") ? String(shown.dropLast(6)) : String(shown)
  }
}
