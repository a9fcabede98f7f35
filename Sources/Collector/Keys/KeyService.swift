import EventStore
import Postgres
import ServiceLog

/// The key thread: asks the database for keys that are not known, and renews the known ones, so that a new key works at
/// once and a revoked one stops within ten seconds. While the database is away, what is known stays valid.
///
/// Everything here belongs to the thread that calls `run()`.
final class KeyService {
  private let options: ConnectionOptions
  private let lookups: KeyLookups
  private let file: KeyFile
  private let log: ServiceLog
  private let publish: @Sendable (KeyNews) -> Void
  private var connection: PostgresConnection?
  private var known: [KnownKey] = []
  private var isReachable = true
  private var nextAttemptMilliseconds: Int64 = 0
  private var nextRenewalMilliseconds: Int64 = 0

  /// How often the known keys are renewed. With the longest wait for a connection and an answer it stays below the ten
  /// seconds in which a revoked key must stop.
  static let renewalMilliseconds: Int64 = 3_000
  /// How long the database may take to be reached, and to answer.
  static let patience = Duration.seconds(2)
  /// After a failure nobody is kept waiting for another one so soon.
  static let retryMilliseconds: Int64 = 1_000

  /// What the HTTP thread is told.
  enum KeyNews: Sendable {
    case all([KnownKey])
    case finding(KeyHash, KeyGate.Finding)
  }

  /// - Parameters:
  ///   - options: how to reach the database; the waits are set here.
  ///   - publish: called on this thread.
  init(
    options: ConnectionOptions, interrupt: WaitInterrupt, lookups: KeyLookups, file: KeyFile, log: ServiceLog,
    publish: @escaping @Sendable (KeyNews) -> Void
  ) {
    var options = options
    options.connectTimeout = Self.patience
    options.queryTimeout = Self.patience
    options.interrupt = interrupt
    self.options = options
    self.lookups = lookups
    self.file = file
    self.log = log
    self.publish = publish
  }

  /// Works until the lookups are stopped; every question has its answer then.
  func run() {
    if let stored = file.read() {
      known = stored
      publish(.all(stored))
    }
    while true {
      let now = MonotonicClock.milliseconds
      if now >= nextRenewalMilliseconds {
        renew()
        nextRenewalMilliseconds = MonotonicClock.milliseconds + Self.renewalMilliseconds
      }
      let left = max(1, nextRenewalMilliseconds - MonotonicClock.milliseconds)
      guard let asked = lookups.wait(milliseconds: left) else { break }
      for hash in asked { publish(.finding(hash, lookUp(hash))) }
    }
    for hash in lookups.takeRest() { publish(.finding(hash, .uncheckable)) }
  }

  private func renew() {
    do {
      let keys = try query { connection throws(EventStoreError) in
        try KeyStore.activeKeys(&connection)
      }
      guard let keys else { return }
      take(keys.compactMap(KnownKey.init))
      publish(.all(known))
    } catch {
      fail(error)
    }
  }

  private func lookUp(_ hash: KeyHash) -> KeyGate.Finding {
    if lookups.isStopped { return .uncheckable }
    do {
      let found = try query { connection throws(EventStoreError) in
        Found(key: try KeyStore.lookup(hash: hash.bytes, &connection))
      }
      guard let found else { return .uncheckable }
      guard let key = found.key.flatMap(KnownKey.init) else { return .nothing }
      take(known.filter { $0.hash != hash } + [key])
      return .key(key)
    } catch {
      fail(error)
      return .uncheckable
    }
  }

  private struct Found {
    let key: WriteKey?
  }

  private func take(_ keys: [KnownKey]) {
    let keys = keys.sorted { $0.hash.bytes.lexicographicallyPrecedes($1.hash.bytes) }
    guard keys != known else { return }
    known = keys
    do {
      try file.write(keys)
    } catch {
      log.warning("known keys not written", ["error": .string(error.description)])
    }
  }

  /// Asks the database, over a connection that is kept; nil where it failed a moment ago.
  private func query<Result>(
    _ body: (inout PostgresConnection) throws(EventStoreError) -> Result
  ) throws(EventStoreError) -> Result? {
    if let kept = connection.take() {
      do {
        return try ask(kept, body)
      } catch  where error.isRetryable {
        // The server was restarted since the last question, perhaps: that is no reason to refuse a key.
      }
    }
    guard MonotonicClock.milliseconds >= nextAttemptMilliseconds else { return nil }
    do {
      connection = try PostgresConnection(options)
    } catch {
      throw .database(error)
    }
    guard let fresh = connection.take() else { return nil }
    return try ask(fresh, body)
  }

  /// Asks once; the connection is kept where that succeeds.
  private func ask<Result>(
    _ fresh: consuming PostgresConnection, _ body: (inout PostgresConnection) throws(EventStoreError) -> Result
  ) throws(EventStoreError) -> Result {
    var asking = fresh
    let result = try body(&asking)
    if !isReachable { log.info("keys are checked again") }
    isReachable = true
    connection = consume asking
    return result
  }

  private func fail(_ error: EventStoreError) {
    connection = nil
    nextAttemptMilliseconds = MonotonicClock.milliseconds + Self.retryMilliseconds
    // Once, not at every attempt.
    if isReachable, !lookups.isStopped {
      log.warning("keys cannot be checked; known ones stay valid", ["error": .string(error.description)])
    }
    isReachable = false
  }
}
