import EventStore
import Postgres

/// `pagefall rejected replay`: puts rejected events through the present rules, as if they came now for the first time.
enum RejectedReplayCommand {
  static let all = Option("all", help: "all rejected events (else say which)")
  static let dryRun = Option("dry-run", help: "judge only, and change nothing")
  static let withoutContext = Option(
    "without-context", help: "also events whose batch's context was at fault, without it (it is not kept)")

  static let command = Command(
    "rejected", "replay", summary: "Put rejected events through the present rules", operands: "[HANDLE…]",
    options: RejectedOptions.filter + [all, dryRun, withoutContext],
    discussion: """
      For after an update whose rules are wider, or after a fault of the database is
      mended. Say which: handles, a filter, both, or --all. What passes is stored exactly
      once, as if it had been accepted when it was first received, and leaves the list;
      what does not stays, with its present reason. May be stopped and repeated, and runs
      beside collectors. The context of an event's batch is not kept with it. Exits 1 if
      an event is still rejected.
      """,
    examples: [
      "pagefall rejected replay --code invalid_timestamp --from 7d --dry-run", "pagefall rejected replay 4b1f0e9a77c2",
      "pagefall rejected replay --all",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let handles = try RejectedOptions.handles(invocation.operands)
    let isAll = try invocation.flag(all)
    guard isAll || !handles.isEmpty || RejectedOptions.isFiltered(invocation) else {
      throw .usage("say which events: rejected replay HANDLE…, a filter such as --code, or --all")
    }
    if isAll, !handles.isEmpty { throw .usage("give handles or --all, not both") }
    var filter = try RejectedOptions.conditions(invocation)
    let isDryRun = try invocation.flag(dryRun)
    let isContextIgnored = try invocation.flag(withoutContext)
    let log = try invocation.log()
    let access = try DatabaseAccess.open(invocation, for: .reading)
    let keys = try prepare(invocation, handles, &filter, access, isDryRun: isDryRun)
    var run = ReplayRun(
      access.options, store: BatchStore(access.options, source: .replay, log: log), isDryRun: isDryRun,
      isContextIgnored: isContextIgnored)
    do {
      try run.run(filter, keys: keys)
    } catch {
      try Console.print(run.summary.text(isDryRun: isDryRun) + "\n")
      throw error
    }
    try Console.print(run.summary.text(isDryRun: isDryRun) + "\n")
    if run.summary.refusedForContext > 0 {
      Console.note(
        "pagefall: \(run.summary.refusedForContext) of them pass by themselves; what was at fault is the context of their "
          + "batch, which is not kept: --without-context takes them without one")
    }
    return run.summary.stillRejected.isEmpty ? .success : .dataFault
  }

  /// Makes sure that this role may do it, and finds what was named.
  private static func prepare(
    _ invocation: Invocation, _ handles: [RejectedHandle], _ filter: inout RejectedFilter,
    _ access: borrowing DatabaseAccess, isDryRun: Bool
  ) throws(CommandError) -> [RejectedKey]? {
    var connection = try access.connect()
    if !isDryRun {
      do {
        guard try RejectedStore.mayReplay(&connection) else { throw RejectedOptions.Work.replaying.refusal }
      } catch {
        throw RejectedOptions.commandError(error, while: .replaying)
      }
    }
    filter.appIDs = try RejectedOptions.apps(invocation, &connection)
    if handles.isEmpty { return nil }
    var keys: [RejectedKey] = []
    for handle in handles {
      let key = try RejectedOptions.entry(handle, filter, &connection).key
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }
}
