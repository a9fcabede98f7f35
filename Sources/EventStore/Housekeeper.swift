import Dispatch
import Postgres
import ServiceLog
import Synchronization

/// Housekeeping on a thread and a connection of its own: `run()` until `stop()`.
public final class Housekeeper: Sendable {
  private let options: ConnectionOptions
  private let interrupt: WaitInterrupt
  private let interval: Duration
  private let log: ServiceLog
  private let isStopping = Mutex(false)
  private let wakeUp = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - options: the database. Their `interrupt` is replaced by its own.
  ///   - interval: between rounds; the first is at once.
  /// - Throws: where the process has no descriptor left.
  public init(
    options: ConnectionOptions, interval: Duration = .seconds(600), log: ServiceLog
  ) throws(EventStoreError) {
    do throws(PostgresError) { interrupt = try WaitInterrupt() } catch { throw .database(error) }
    var options = options
    options.interrupt = interrupt
    self.options = options
    self.interval = interval
    self.log = log
  }

  /// Ends `run()`, also in the middle of a statement and when the server hangs.
  public func stop() {
    isStopping.withLock { $0 = true }
    interrupt.trigger()
    wakeUp.signal()
  }

  /// Does rounds until `stop()`. A round that fails (the database is away, a table is locked for long) is tried again
  /// after a minute.
  public func run() {
    while !isStopping.withLock({ $0 }) {
      var pause = interval
      do throws(EventStoreError) {
        let round = try roundOnFreshConnection()
        if round != HousekeepingRound() {
          log.info(
            "housekeeping",
            [
              "months_made": .integer(round.monthsMade), "rejected_removed": .integer(round.rejectedRemoved),
              "positions_removed": .integer(round.positionsRemoved),
              "batches_removed": .integer(round.batchesRemoved), "sessions_packed": .integer(round.sessionsPacked),
            ])
        }
      } catch {
        if isStopping.withLock({ $0 }) { return }
        pause = min(interval, .seconds(60))
        log.warning("housekeeping failed and will be tried again", ["error": .string(error.description)])
      }
      let (seconds, attoseconds) = pause.components
      _ = wakeUp.wait(timeout: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)))
    }
  }

  /// A connection for a few seconds every ten minutes is not worth keeping.
  private func roundOnFreshConnection() throws(EventStoreError) -> HousekeepingRound {
    var connection: PostgresConnection
    do throws(PostgresError) { connection = try PostgresConnection(options) } catch { throw .database(error) }
    try Migrator.requireUpToDate(&connection)
    return try Housekeeping.run(&connection)
  }
}
