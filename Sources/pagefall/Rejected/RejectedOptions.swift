import EventStore
import LocalTime
import Postgres
import PrintedText
import StoryEvents

/// The filter that `pagefall rejected list`, `show` and `replay` share, and the handles of the last two.
enum RejectedOptions {
  static let code = Option(
    "code", takes: "CODE", help: "only with this reason, such as invalid_seq; repeatable", repeatable: true)
  static let from = Option(
    "from", takes: "TIME", help: "first received from then on: a date, today, yesterday, 7d, or RFC 3339")
  static let to = Option(
    "to", takes: "TIME", help: "first received up to then: a date includes that day (UTC), an instant does not")

  static let filter = [ScopeOptions.app, code, from, to]

  /// Whether any condition was given.
  static func isFiltered(_ invocation: Invocation) -> Bool {
    filter.contains { !invocation.list($0).isEmpty }
  }

  /// What of the filter can be read before a database is looked for: everything but the apps.
  static func conditions(_ invocation: Invocation) throws(CommandError) -> RejectedFilter {
    var result = RejectedFilter()
    for name in invocation.list(code) {
      guard let found = RejectionCode.allCases.first(where: { $0.name == name }) else {
        let names = RejectionCode.allCases.map(\.name)
        let hint = Suggestion.nearest(to: name, in: names).map { "; did you mean \($0)?" } ?? "."
        throw .usage("there is no code \(quoted(name))\(hint) The codes are \(names.joined(separator: ", "))")
      }
      result.codes.append(found)
    }
    do {
      let range = try TimeRange(
        from: invocation.value(from), to: invocation.value(to), timeZone: .utc,
        nowMicroseconds: invocation.environment.nowMicroseconds())
      result.fromMicroseconds = range.fromMicroseconds
      result.toMicroseconds = range.toMicroseconds
    } catch {
      throw .usage(error.description)
    }
    return result
  }

  /// The numbers of the apps that were named; none where all are meant. (Also of `pagefall tail`.)
  static func apps(
    _ invocation: Invocation, _ connection: inout PostgresConnection
  ) throws(CommandError) -> [Int32] {
    var numbers: [Int32] = []
    for name in invocation.list(ScopeOptions.app) {
      do {
        if let number = try AppStore.find(name, &connection) {
          numbers.append(number)
          continue
        }
        let names = try RejectedStore.appNames(&connection)
        throw CommandError.usage(
          names.isEmpty
            ? "there is no app \(quoted(name)): no app has sent anything yet"
            : "there is no app \(quoted(name)); there is \(listed(names.map(quoted)))")
      } catch {
        throw commandError(error)
      }
    }
    return numbers
  }

  /// Reads handles; before a database is looked for.
  static func handles(_ words: [String]) throws(CommandError) -> [RejectedHandle] {
    var handles: [RejectedHandle] = []
    for word in words {
      guard let handle = RejectedHandle(word) else {
        throw .usage(
          "\(quoted(word)) is no handle; a handle is hexadecimal digits, 1 to 64 of them, as `pagefall rejected list` shows"
        )
      }
      handles.append(handle)
    }
    return handles
  }

  /// The one event that a handle means; else an error that lists what there is.
  static func entry(
    _ handle: RejectedHandle, _ filter: RejectedFilter, _ connection: inout PostgresConnection
  ) throws(CommandError) -> RejectedEntry {
    do {
      let found = try RejectedStore.find(handle, filter, &connection)
      if found.count == 1 { return found[0] }
      guard found.isEmpty else {
        throw CommandError.usage(
          "\(quoted(handle.text)) may be \(listed(found.map(described))): give more digits, or the app with --app")
      }
      let (newest, totals) = try RejectedStore.list(RejectedFilter(), limit: 5, &connection)
      let count = totals.reduce(0) { $0 + $1.events }
      throw CommandError.usage(
        newest.isEmpty
          ? "no rejected event has the handle \(quoted(handle.text)): nothing is kept as rejected"
          : "no rejected event\(filter == RejectedFilter() ? "" : " of this filter") has the handle "
            + "\(quoted(handle.text)); the newest of \(count) are \(listed(newest.map(described)))")
    } catch {
      throw commandError(error)
    }
  }

  private static func described(_ entry: RejectedEntry) -> String {
    "\(entry.sha256Text.prefix(16)) (\(DisplayText.escaped(entry.app)), \(DisplayText.escaped(entry.reason.code)))"
  }

  private static func listed(_ texts: [String]) -> String {
    let shown = texts.prefix(12).joined(separator: ", ")
    return texts.count > 12 ? "\(shown) and \(texts.count - 12) more" : shown
  }

  /// What is being done with rejected events.
  enum Work {
    case reading, replaying

    /// The line for a role that may not.
    var refusal: CommandError {
      switch self {
      case .reading:
        .environment(
          "this role may not read what was rejected: the owner of the tables lets it with "
            + "SELECT pagefall.grant_report('ROLE')")
      case .replaying:
        .environment(
          "this role may not replay what was rejected: that takes the owner of the tables, or a role that the owner lets "
            + "with SELECT pagefall.grant_ingest('ROLE')")
      }
    }
  }

  /// The line for what the database said; rights get one that says who grants them.
  static func commandError(_ error: any Error, while work: Work = .reading) -> CommandError {
    if case EventStoreError.database(let cause) = error, cause.sqlState == .insufficientPrivilege {
      return work.refusal
    }
    return DatabaseFailure.commandError(error)
  }
}
