import EventStore
import Foundation
import Postgres

/// `pagefall rejected list`: what was refused, newest first.
enum RejectedListCommand {
  static let limit = Option("limit", takes: "N", help: "rows at the most, 1 to 10000 (default 20)")
  static let format = Option("format", takes: "FORMAT", help: "table, json or csv (default table)")

  static let command = Command(
    "rejected", "list", summary: "List rejected events, newest first",
    options: RejectedOptions.filter + [limit, format],
    discussion: """
      An event is listed once for each app, with the number of times that it came. The
      last line says how many there are in all by code (with csv, on stderr). A handle is
      the beginning of the SHA-256 of the event's bytes.
      """,
    examples: [
      "pagefall rejected list --app shop --from 7d", "pagefall rejected list --code invalid_seq --format json",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    var filter = try RejectedOptions.conditions(invocation)
    let limit =
      try invocation.value(limit, as: "a number from 1 to 10000", { ValueParser.integer($0, in: 1...10_000) }) ?? 20
    let format = try invocation.value(format, as: "table, json or csv") { RejectedFormat(rawValue: $0) } ?? .table
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    filter.appIDs = try RejectedOptions.apps(invocation, &connection)
    let table: RejectedTable
    do {
      let (entries, totals) = try RejectedStore.list(filter, limit: limit, &connection)
      table = RejectedTable(entries: entries, totals: totals)
    } catch {
      throw RejectedOptions.commandError(error)
    }
    switch format {
    case .table: try Console.print(table.text(columns: Console.isTerminal(STDOUT_FILENO) ? Console.columns : nil))
    case .json: try Console.print(table.json)
    case .csv:
      try Console.print(table.csv)
      Console.note("pagefall: \(table.totalLine)")
    }
    return .success
  }
}

/// `pagefall rejected show`: all that is known of one, and its bytes.
enum RejectedShowCommand {
  static let raw = Option("raw", help: "print the body alone, byte for byte")

  static let command = Command(
    "rejected", "show", summary: "Show a rejected event with its body", operands: "HANDLE",
    options: [ScopeOptions.app, raw],
    discussion: """
      HANDLE is the beginning of the SHA-256, as `pagefall rejected list` shows it. Where
      several apps sent the same bytes, --app says whose is meant. The body is escaped
      for a terminal: \\u{1B} for a character, \\xFF for a byte that is not UTF-8.
      """,
    examples: ["pagefall rejected show 4b1f0e9a77c2", "pagefall rejected show 4b1f0e9a77c2 --raw > event.json"],
    run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.count == 1, let handle = try RejectedOptions.handles(invocation.operands).first else {
      throw .usage("say which event: rejected show HANDLE (pagefall rejected list shows them)")
    }
    let isRaw = try invocation.flag(raw)
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    var filter = RejectedFilter()
    filter.appIDs = try RejectedOptions.apps(invocation, &connection)
    let entry = try RejectedOptions.entry(handle, filter, &connection)
    let body: [UInt8]
    do {
      guard let found = try RejectedStore.body(entry.key, &connection) else {
        throw CommandError.usage("\(quoted(handle.text)) was taken out just now: replayed, or too old")
      }
      body = found
    } catch {
      throw RejectedOptions.commandError(error)
    }
    if isRaw {
      try Console.print(body)
    } else {
      try Console.print(RejectedPage.text(entry, body: body))
    }
    return .success
  }
}
