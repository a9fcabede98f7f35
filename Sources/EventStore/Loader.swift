import Dispatch
import Postgres
import ServiceLog
import Spool
import Synchronization

/// Empties a spool into PostgreSQL: `run()` on a thread of its own, until `stop()`.
///
/// Reads what is synced, stores it in batches (at most five a second, so that a busy collector's batches are large; at once
/// when nothing was stored for 200 ms), and tells the spool how far the database has it. While the database is away it
/// waits, from 0.1 s rising to 5 s, for ever: the spool is the buffer.
public final class Loader: Sendable {
  private let spool: Spool
  private let options: ConnectionOptions
  private let interrupt: WaitInterrupt
  private let log: ServiceLog
  private let now: @Sendable () -> Int64
  private let state = Mutex(LoaderState())
  /// Signalled to end a wait for the database.
  private let wakeUp = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// A batch begins at most so often.
  private static let pace: Int64 = 200_000
  /// How long `stop` lets a transaction go on before it interrupts it.
  private static let patience = DispatchTimeInterval.seconds(1)

  /// - Parameters:
  ///   - options: the database. Their `interrupt` is replaced by the loader's own.
  ///   - now: the clock, microseconds since 1970.
  /// - Throws: where the process has no descriptor left.
  public init(
    spool: Spool, options: ConnectionOptions, log: ServiceLog,
    now: @escaping @Sendable () -> Int64 = SystemTime.microsecondsSince1970
  ) throws(EventStoreError) {
    self.spool = spool
    do throws(PostgresError) { interrupt = try WaitInterrupt() } catch { throw .database(error) }
    var options = options
    options.interrupt = interrupt
    self.options = options
    self.log = log
    self.now = now
  }

  /// Its figures of this moment.
  public var statistics: LoaderStatistics {
    let now = now()
    return state.withLock { $0.statistics(nowMicroseconds: now) }
  }

  /// Ends `run()`, and waits for that: at most two seconds, also when the server hangs. A transaction under way may finish
  /// within the first; one that is cut off is found out, and done again if need be, by the next start.
  public func stop() {
    let isRunning = state.withLock { state in
      state.isStopping = true
      return state.isRunning
    }
    spool.interruptReaders()
    wakeUp.signal()
    if isRunning && hasEnded.wait(timeout: .now() + Self.patience) == .timedOut {
      interrupt.trigger()
      _ = hasEnded.wait(timeout: .now() + Self.patience)
    }
    interrupt.trigger()
  }

  /// Loads until `stop()`, or until the spool is closed. Returns only then.
  public func run() {
    state.withLock { $0.isRunning = true }
    defer {
      state.withLock { $0.isRunning = false }
      hasEnded.signal()
    }
    var store = BatchStore(options, source: .spool(spool.identity), log: log, now: now)
    var reader = spool.makeReader()
    var retry = RetryDelay()
    var task = LoaderTask.open
    while !isStopping {
      do throws(LoaderFailure) {
        task = try step(task, &store, &reader)
        if task == .end { break }
        retry.reset()
      } catch {
        if isStopping { break }
        let delay = retry.next()
        note(error, retryingIn: delay)
        wait(delay)
      }
    }
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func wait(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = wakeUp.wait(timeout: .now() + .nanoseconds(nanoseconds))
  }

  /// Does one thing, and says what comes next.
  private func step(
    _ task: LoaderTask, _ store: inout BatchStore, _ reader: inout SpoolReader
  ) throws(LoaderFailure) -> LoaderTask {
    switch task {
    case .end: return .end
    case .open:
      try place(&reader, &store)
      return .gather
    case .gather:
      return try gather(&store, &reader)
    case .store:
      return try storeBatch(&store, &reader)
    }
  }

  /// Begins to read where the database says that it is.
  private func place(_ reader: inout SpoolReader, _ store: inout BatchStore) throws(LoaderFailure) {
    let position: SpoolPosition
    do throws(EventStoreError) { position = try store.open() } catch { throw .store(error) }
    note(isDatabaseUp: true)
    switch spool.relation(of: position) {
    case .within:
      reader.seek(to: position)
      spool.markLoaded(through: position)
      log.info("loading", ["from": .string(position.description)])
      return
    case .beyondEnd:
      log.warning(
        "the database is ahead of this spool, whose disk seems older: loading all that is kept again",
        ["database": .string(position.description), "spool": .string(spool.endPosition.description)])
    case .beforeOldest where position == .start:
      log.warning(
        "the database does not know this spool: loading all that is kept",
        ["from": .string(spool.oldestPosition.description)])
    case .beforeOldest:
      log.warning(
        "the database is behind what this spool still keeps (was a backup restored?): events in between are missing",
        ["database": .string(position.description), "oldest": .string(spool.oldestPosition.description)])
    }
    reader.seek(to: spool.oldestPosition)
    spool.markLoaded(through: spool.oldestPosition)
  }

  /// Reads on until the batch should be stored.
  private func gather(
    _ store: inout BatchStore, _ reader: inout SpoolReader
  ) throws(LoaderFailure) -> LoaderTask {
    while !store.isFull {
      let record: SpoolRecord?
      do throws(SpoolError) { record = try reader.next() } catch { throw .spool(error) }
      guard let record else { break }
      if store.isEmpty { state.withLock { $0.oldestUnstoredMicroseconds = now() } }
      store.add(orSetAside: record.bytes, place: record.begin.description)
    }
    if store.isFull { return .store }
    let sinceLast = now() - state.withLock { $0.lastStoreMicroseconds }
    let isTime = !(0..<Self.pace).contains(sinceLast)
    if !store.isEmpty && isTime { return .store }
    let patience: Duration = store.isEmpty ? .milliseconds(500) : .microseconds(max(1, Self.pace - sinceLast))
    switch reader.waitForRecords(timeout: patience) {
    case .records, .timedOut, .interrupted: return .gather
    case .closed: return store.isEmpty ? .end : .store
    }
  }

  private func storeBatch(
    _ store: inout BatchStore, _ reader: inout SpoolReader
  ) throws(LoaderFailure) -> LoaderTask {
    let begun = now()
    state.withLock { $0.lastStoreMicroseconds = begun }
    let setAside = store.setAsideCount
    let end = reader.position
    let counts: FateCounts
    do throws(EventStoreError) {
      counts = try store.store(through: end)
    } catch .positionMoved(let position) {
      log.warning(
        "another program moved this spool's position, or the database was exchanged: reading again from there",
        ["position": .string(position?.description ?? "unknown")])
      store.discard()
      return .open
    } catch {
      throw .store(error)
    }
    spool.markLoaded(through: end)
    let isDrained = end >= spool.endPosition
    state.withLock { $0.noteBatch(counts, setAside: setAside, isDrained: isDrained) }
    note(isDatabaseUp: true)
    return .gather
  }

  private func note(isDatabaseUp: Bool) {
    let wasUp = state.withLock { state in
      defer { state.isDatabaseUp = isDatabaseUp }
      return state.isDatabaseUp
    }
    if isDatabaseUp && wasUp == false { log.info("the database is back") }
  }

  /// Says what went wrong: when it begins, when it changes, and once a minute.
  private func note(_ failure: LoaderFailure, retryingIn delay: Duration) {
    let text = failure.description
    let now = now()
    let isNews = state.withLock { state in
      if case .store = failure { state.isDatabaseUp = false }
      if state.lastFailure == text, (0..<60_000_000).contains(now - state.lastFailureMicroseconds) { return false }
      state.lastFailure = text
      state.lastFailureMicroseconds = now
      return true
    }
    if !isNews { return }
    if failure.isRetryable {
      log.warning("cannot load now; the spool keeps everything", ["error": .string(text)])
    } else {
      log.error("cannot load until somebody helps; the spool keeps everything", ["error": .string(text)])
    }
  }
}

/// What the loader is about to do.
private enum LoaderTask { case open, gather, store, end }

/// What keeps the loader from going on; it tries again.
private enum LoaderFailure: Error {
  case store(EventStoreError)
  case spool(SpoolError)

  var isRetryable: Bool {
    switch self {
    case .store(let error): error.isRetryable
    case .spool: false
    }
  }

  var description: String {
    switch self {
    case .store(let error): error.description
    case .spool(let error): error.description
    }
  }
}
