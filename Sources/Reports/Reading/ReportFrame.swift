import FunnelDocument
import LocalTime
import Postgres

/// What every report over sessions begins with and says of itself: its scope, the apps, how new the data is.
struct ReportFrame {
  let scope: ReportScope
  let apps: AppDirectory
  /// The apps of the scope; nil for all.
  let appIDs: [Int32]?

  /// - Throws: `.usage` for an app that is not there, `PostgresError`.
  init(_ scope: ReportScope, _ connection: inout PostgresConnection) throws {
    self.scope = scope
    apps = try AppDirectory(&connection)
    appIDs = try apps.numbers(of: scope)
  }

  /// The name of an app.
  func appName(_ appID: Int32) -> String { apps.name(of: appID) }

  /// The newest arrival in the database, as RFC 3339.
  var dataThrough: String? { apps.dataThroughMicroseconds.map { TimestampText.rfc3339($0, in: .utc) } }

  /// When the report is made, as RFC 3339, to the second.
  static func generatedAt(_ nowMicroseconds: Int64) -> String {
    TimestampText.wholeSeconds(nowMicroseconds, in: .utc)
  }

  /// The scope as reports show it.
  var funnelScope: FunnelScope {
    let names = appIDs.map { $0.compactMap { apps.names[$0] } } ?? Array(apps.names.values)
    return FunnelScope(
      apps: names.sorted(), story: scope.story.name, from: scope.range.fromMicroseconds.map(local),
      to: scope.range.toMicroseconds.map(local), timeZone: scope.timeZone.name, order: scope.order,
      filters: scope.conditions.map(\.description), minimumCount: scope.minimumCount)
  }

  /// An instant as RFC 3339 in the report's zone.
  func local(_ microseconds: Int64) -> String { TimestampText.rfc3339(microseconds, in: scope.timeZone) }

  /// Throws where the scope names a story that no session ever has; asked where nothing was found.
  func requireStory(_ connection: inout PostgresConnection) throws {
    if case .named(let story) = scope.story {
      try StoryDirectory.requireStory(story, appIDs: appIDs, &connection)
    }
  }

  /// A sentence on why there is nothing.
  ///
  /// - Parameters:
  ///   - narrowed: where the scope is not everything.
  ///   - empty: where it is.
  func explanationOfNothing(
    narrowed: String = "No story was shown here; widen --from, --to, --story, --app or --where to see what there is.",
    empty: String = "No story was shown yet."
  ) -> String {
    if apps.names.isEmpty { return "No app has sent anything yet." }
    if apps.dataThroughMicroseconds == nil { return "No event has arrived yet." }
    let isNarrowed =
      scope.story != .all || scope.range != .allTime || !scope.apps.isEmpty || !scope.conditions.isEmpty
    return isNarrowed ? narrowed : empty
  }
}
