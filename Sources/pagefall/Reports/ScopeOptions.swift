import FunnelDocument
import LocalTime
import Reports

/// The options by which reports choose and group sessions, the same in all of them.
enum ScopeOptions {
  static let app = Option("app", takes: "NAME", help: "only this app; repeatable (default all)", repeatable: true)
  static let story = Option("story", takes: "ID", help: "only this story; (none) is what came without one")
  static let from = Option("from", takes: "TIME", help: "from then on: a date, today, yesterday, 7d, or RFC 3339")
  static let to = Option("to", takes: "TIME", help: "up to then: a date includes that day, an instant does not")
  static let filter = Option(
    "where", takes: "FIELD=VALUE",
    help: "only sessions with this; also FIELD!=VALUE and lists, VALUE|VALUE; repeatable", repeatable: true)
  static let order = Option("order", takes: "ORDER", help: "reached or strict (default reached)")
  static let by = Option("by", takes: "FIELD", help: "the numbers of each group as well")
  static let top = Option("top", takes: "N", help: "with --by: the N largest groups, the rest as (other)")
  static let devices = Option("devices", help: "distinct devices as well, and the share of presentations that have one")
  static let minimumCount = Option(
    "min-count", takes: "N", help: "hide the rates of groups with fewer presentations (default 1)")

  /// Which sessions: of every report of stories.
  static let choosing = [app, story, from, to, CommonOptions.timeZone, filter]
  /// The same of the other surfaces, whose events are of no story unless their sender says so.
  static let choosingWithoutStory = [app, from, to, CommonOptions.timeZone, filter]

  /// What to say of fields below a command's usage.
  static let fieldHelp = "Fields are \(SessionField.names.joined(separator: ", "))."
}

extension Invocation {
  /// The scope that the options of `ScopeOptions` ask for.
  func scope(nowMicroseconds: Int64) throws(CommandError) -> ReportScope {
    var scope = ReportScope()
    scope.apps = list(ScopeOptions.app)
    if let story = value(ScopeOptions.story) { scope.story = StorySelection(argument: story) }
    scope.timeZone = try timeZone()
    do {
      scope.range = try TimeRange(
        from: value(ScopeOptions.from), to: value(ScopeOptions.to), timeZone: scope.timeZone,
        nowMicroseconds: nowMicroseconds)
    } catch {
      throw .usage(error.description)
    }
    do {
      for text in list(ScopeOptions.filter) { scope.add(try SessionFilter(argument: text).conditions) }
      if let field = value(ScopeOptions.by) { scope.groupBy = try SessionField(argument: field) }
    } catch {
      throw ReportFailure.commandError(error)
    }
    if let order = try value(ScopeOptions.order, as: "reached or strict", { FunnelOrder(rawValue: $0) }) {
      scope.order = order
    }
    let isCount = { (text: String) in ValueParser.integer(text, in: 1...Int.max) }
    scope.mostGroups = try value(ScopeOptions.top, as: "a number from 1 to 10000") {
      ValueParser.integer($0, in: 1...ReportScope.mostGroupsAtOnce)
    }
    guard scope.mostGroups == nil || scope.groupBy != nil else { throw .usage("--top goes with --by FIELD") }
    scope.countsDevices = try flag(ScopeOptions.devices)
    scope.minimumCount = try value(ScopeOptions.minimumCount, as: "a number from 1 on", isCount) ?? 1
    return scope
  }
}
