import LocalTime
import Reports

/// Reads the sides of `report compare`: each is the common scope, with what the side says in its place.
struct ComparedSides {
  private let common: ReportScope
  private let nowMicroseconds: Int64
  private let invocation: Invocation

  init(common: ReportScope, nowMicroseconds: Int64, _ invocation: Invocation) {
    self.common = common
    self.nowMicroseconds = nowMicroseconds
    self.invocation = invocation
  }

  /// The side of an option.
  func side(_ option: Option) throws(CommandError) -> ComparedScope {
    guard let text = invocation.value(option) else {
      throw .usage("--\(option.name) FILTER is missing; a comparison has two sides: --a story=one --b story=another")
    }
    let filter: SessionFilter
    do { filter = try SessionFilter(argument: text, hasRange: true) } catch {
      throw .usage("--\(option.name): \(error.description)")
    }
    var scope = common
    scope.conditions.removeAll { condition in filter.conditions.contains { $0.field == condition.field } }
    if filter.conditions.contains(where: { $0.field == .app }) { scope.apps = [] }
    if filter.conditions.contains(where: { $0.field == .context(.storyID) }) { scope.story = .all }
    scope.add(filter.conditions)
    if filter.from != nil || filter.to != nil {
      do {
        scope.range = try TimeRange(
          from: filter.from ?? invocation.value(ScopeOptions.from), to: filter.to ?? invocation.value(ScopeOptions.to),
          timeZone: scope.timeZone, nowMicroseconds: nowMicroseconds)
      } catch {
        throw .usage("--\(option.name): \(error.description)")
      }
    }
    return ComparedScope(label: text, scope: scope)
  }
}
