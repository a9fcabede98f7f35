import LocalTime
import Postgres

/// The presentations that are in two scopes at once.
enum SharedPresentations {
  /// Counts them one by one; reads no more than the sessions that are in both.
  static func count(
    _ first: ReportScope, _ second: ReportScope, _ connection: inout PostgresConnection
  ) throws -> Int {
    guard let both = intersection(of: first, second) else { return 0 }
    let directory = try AppDirectory(&connection)
    var appIDs = try directory.numbers(of: first)
    if let others = try directory.numbers(of: second) {
      appIDs = appIDs.map { $0.filter(others.contains) } ?? others
    }
    if appIDs?.isEmpty ?? false { return 0 }
    var count = 0
    var stream = try SessionStream(both, appIDs: appIDs, columns: [])
    try stream.read(&connection) { session, _, _ in
      if session.isPresentation { count += 1 }
    }
    return count
  }

  /// What holds where both scopes do; nil where that cannot be. Its apps are left to the caller.
  static func intersection(of first: ReportScope, _ second: ReportScope) -> ReportScope? {
    var both = first
    both.apps = []
    both.groupBy = nil
    both.mostGroups = nil
    both.conditions += second.conditions
    switch (first.story, second.story) {
    case (_, .all): break
    case (.all, _): both.story = second.story
    case (.withoutStory, .withoutStory): break
    case (.named(let name), .named(let other)):
      guard name.isSameBytes(as: other) else { return nil }
    case (.named, .withoutStory), (.withoutStory, .named): return nil
    }
    let from = [first.range.fromMicroseconds, second.range.fromMicroseconds].compactMap { $0 }.max()
    let to = [first.range.toMicroseconds, second.range.toMicroseconds].compactMap { $0 }.min()
    if let from, let to, from >= to { return nil }
    both.range = TimeRange(fromMicroseconds: from, toMicroseconds: to)
    return both
  }
}
