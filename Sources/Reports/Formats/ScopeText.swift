import FunnelDocument
import LocalTime
import PrintedText

/// What a heading says about the scope, in plain words.
package struct ScopeText {
  private let scope: FunnelScope
  private let coversAllApps: Bool
  private let observed: ObservedRange?
  private let dataThrough: String?
  private let environmentCounts: [CountedName]
  private let storyCounts: [StoryCount]

  /// Says it of a funnel.
  package init(funnel: Funnel) {
    scope = funnel.report.scope
    coversAllApps = funnel.coversAllApps
    observed = funnel.observed
    dataThrough = funnel.report.dataThrough
    environmentCounts = funnel.environments
    storyCounts = funnel.stories
  }

  /// Says it of the stories in use.
  package init(stories report: StoriesReport) {
    self.init(
      report.scope, coversAllApps: report.coversAllApps,
      observed: report.isEmpty ? nil : ObservedRange(first: report.total.firstSeen, last: report.total.lastSeen),
      dataThrough: report.dataThrough)
  }

  /// Says it of a quality report.
  init(quality report: QualityReport) {
    self.init(
      report.scope, coversAllApps: report.coversAllApps, observed: report.observed, dataThrough: report.dataThrough)
  }

  /// Says it of rich media.
  init(richMedia: RichMedia) {
    self.init(
      richMedia.report.scope, coversAllApps: richMedia.coversAllApps, observed: richMedia.observed,
      dataThrough: richMedia.report.dataThrough)
  }

  /// Says it of answers to notifications.
  init(buttons: Buttons) {
    self.init(
      buttons.report.scope, coversAllApps: buttons.coversAllApps, observed: buttons.observed,
      dataThrough: buttons.report.dataThrough)
  }

  private init(_ scope: FunnelScope, coversAllApps: Bool, observed: ObservedRange?, dataThrough: String?) {
    self.scope = scope
    self.coversAllApps = coversAllApps
    self.observed = observed
    self.dataThrough = dataThrough
    environmentCounts = []
    storyCounts = []
  }

  /// `spring-sale`, or what stands for all stories.
  package var story: String {
    guard let story = scope.story else { return "all stories" }
    return DisplayText.escaped(story)
  }

  /// The range and its zone.
  package var range: String {
    let zone = ", \(scope.timeZone)"
    switch (scope.from, scope.to) {
    case (nil, nil):
      guard let observed else { return "all time" + zone }
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

  /// The conditions as they were asked for; nil without any.
  package var filters: String? {
    scope.filters.isEmpty ? nil : "where " + scope.filters.map(DisplayText.escaped).joined(separator: ", ")
  }

  /// A group's name; that of an empty text can be seen, and a sender's `(other)` stands in quotes.
  ///
  /// - Parameter mergedGroups: of the group of others, how many they are.
  static func groupName(_ name: String, mergedGroups: Int?) -> String {
    if mergedGroups == nil, name.isEmpty || name == FunnelGroup.otherName { return "\"\(name)\"" }
    return DisplayText.escaped(name)
  }

  /// The same of a group of a funnel.
  package static func groupName(_ group: FunnelGroup) -> String {
    groupName(group.name, mergedGroups: group.mergedGroups)
  }

  /// What `(other)` is; nil where there is none.
  ///
  /// - Parameter mergedGroups: of the last group.
  static func others(_ mergedGroups: Int?) -> String? {
    mergedGroups.map {
      "\(FunnelGroup.otherName) is \(FigureText.count($0, "smaller group", "smaller groups together"))."
    }
  }

  /// The same of the groups of a funnel.
  package static func others(_ groups: [FunnelGroup]) -> String? { others(groups.last?.mergedGroups) }

  /// How many devices there are; nil where they were not asked for.
  package static func devices(_ report: FunnelReport) -> String? {
    guard let devices = report.devices else { return nil }
    let presentations = report.total.presentations
    let share = devices.share(ofPresentations: presentations, isHidden: report.rates.areHidden)
    return "\(FigureText.count(devices.distinct, "device")); \(FigureText.count(devices.presentationsWithDevice)) of "
      + "\(FigureText.count(presentations, "presentation")) (\(FigureText.percent(share.value))) have one"
  }

  /// The apps, a few of them by name.
  package var apps: String {
    let names = scope.apps.map(DisplayText.escaped)
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    if coversAllApps { return names.isEmpty ? "all apps" : "all apps (\(shown))" }
    return (names.count == 1 ? "app " : "apps ") + shown
  }

  /// How many sessions came from which environment; nil unless there are several.
  package var environments: String? {
    guard environmentCounts.count > 1 else { return nil }
    let shown = environmentCounts.prefix(5).map { "\(DisplayText.escaped($0.name)) \(FigureText.count($0.sessions))" }
    let hidden = environmentCounts.count - shown.count
    return "environments: " + shown.joined(separator: ", ") + (hidden > 0 ? " and \(hidden) more" : "")
  }

  /// Which stories are in a total of several; nil where there is one.
  package var stories: String? {
    guard scope.story == nil, storyCounts.count > 1 else { return nil }
    let severalApps = Set(storyCounts.map { ByteText($0.app) }).count > 1
    let shown = storyCounts.prefix(6).map { story in
      let app = severalApps ? "\(DisplayText.escaped(story.app)): " : ""
      return
        "\(app)\(DisplayText.escaped(story.story ?? StorySelection.noneText)) (\(FigureText.count(story.sessions)))"
    }
    let hidden = storyCounts.count - shown.count
    return "This is the total of \(FigureText.count(storyCounts.count, "story", "stories")): "
      + shown.joined(separator: ", ") + (hidden > 0 ? " and \(hidden) more" : "")
      + ". Their pages are not the same pages: look at one with --story."
  }

  /// How new the data is.
  package var freshness: String? {
    dataThrough.map { "Data through \(clock($0, digits: 19)) UTC." }
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

extension FunnelScope {
  /// All conditions as one text; nil without any.
  var filterText: String? { filters.isEmpty ? nil : filters.joined(separator: ",") }
}
