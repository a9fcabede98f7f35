import Postgres
import Reports

/// `pagefall tail`: events as they are stored, for whoever asks "did it arrive?" (docs/why.md).
enum TailCommand {
  static let follow = Option("follow", short: "f", help: "go on showing what is stored, until Ctrl-C")
  static let session = Option("session", takes: "ID", help: "only of this session, every event of it")
  static let lines = Option("lines", short: "n", takes: "N", help: "the last N events first, 0 to 10000 (default 20)")
  static let format = Option("format", takes: "FORMAT", help: "text or json, a line an event (default text)")

  static let command = Command(
    "tail", summary: "Show events as they are stored", options: [follow, ScopeOptions.app, session, lines, format],
    discussion: """
      A line an event: when it was stored (UTC), app, story, session, seq, type and page, and its time by the device's
      clock. Duplicates and events that were rejected are shown, too, and why. Of a batch of very many events the first
      are shown and the others counted; of one session, every event is shown. It looks back an hour at the most.
      """,
    examples: ["pagefall tail --follow --app shop", "pagefall tail -f --session 01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f"],
    run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let isFollowing = try invocation.flag(follow)
    // Before any thread starts, so that all inherit it.
    let signals = isFollowing ? StopSignals() : nil
    let count =
      try invocation.value(lines, as: "a number from 0 to 10000") { ValueParser.integer($0, in: 0...10_000) } ?? 20
    let format = try invocation.value(format, as: "text or json") { TailFormat(rawValue: $0) } ?? .text
    var filter = TailFilter()
    do {
      filter.session = try invocation.value(session).map { text throws(ReportError) in
        try SessionReference(argument: text)
      }
    } catch {
      throw ReportFailure.commandError(error)
    }
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    filter.appIDs = try RejectedOptions.apps(invocation, &connection)
    do {
      let interrupt = try WaitInterrupt()
      signals?.whenAsked { _ in interrupt.trigger() }
      var options = access.options
      options.interrupt = interrupt
      options.connectTimeout = options.connectTimeout ?? .seconds(5)
      options.queryTimeout = .seconds(30)
      var own = try PostgresConnection(options)
      var run = TailRun(options, filter, format: format, interrupt: interrupt)
      let hasShown = try run.showLast(count, &own)
      if !hasShown, count > 0 { Console.note("pagefall: \(try nothing(filter, isFollowing, &connection))") }
      if isFollowing {
        try requirePrimary(&connection)
        try run.follow(consume own)
      }
    } catch let error as PostgresError where error.kind == .interrupted {
      return .success
    } catch let error as ReportError {
      throw ReportFailure.commandError(error)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }

  /// A standby's snapshots do not name the transactions that are under way on its primary, so what those store would be passed
  /// over.
  private static func requirePrimary(_ connection: inout PostgresConnection) throws {
    let isStandby: Bool = try connection.execute("SELECT pg_is_in_recovery()")[0, 0]
    guard isStandby else { return }
    throw CommandError.environment(
      "the database is a standby, which cannot tell what is new: give --follow the primary (without --follow a standby "
        + "will do)")
  }

  /// Why there is no line.
  private static func nothing(
    _ filter: TailFilter, _ isFollowing: Bool, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> String {
    let wait = isFollowing ? "; waiting for what comes" : " (--follow waits for what comes)"
    if let session = filter.session {
      return
        "no event of the session '\(session.text)' is stored yet\(wait); pagefall report session says whether rejected "
        + "events name it"
    }
    let result = try connection.execute(
      "SELECT max(data_through) FROM pagefall.apps WHERE $1::int4[] IS NULL OR app_id = ANY ($1)",
      [filter.appIDs.isEmpty ? .null : .int32Array(filter.appIDs.map { $0 })])
    guard let newest: PostgresTimestamp = try result[0, 0] else { return "no event is stored yet\(wait)" }
    return "nothing was stored in the last hour; the newest event arrived at "
      + "\(InstantText.text(microseconds: newest.microsecondsSince1970))\(wait)"
  }
}
