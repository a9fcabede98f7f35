import EventStore
import Postgres
import ServiceLog
import Spool

/// The way from the spool to PostgreSQL, and what is done from time to time: a thread each for the loader, for the
/// database's housekeeping, and for old files of the spool.
final class LoadingService: Sendable {
  private let spool: Spool
  private let loader: Loader?
  private let housekeeper: Housekeeper?
  private let isStopping = Monitor(false)

  /// How often files that are loaded and kept long enough are deleted.
  static let spoolMilliseconds: Int64 = 60_000

  /// - Parameter now: the clock, in microseconds since 1970.
  init(
    _ configuration: CollectorConfiguration, spool: Spool, log: ServiceLog, now: @escaping @Sendable () -> Int64
  ) throws(CollectorError) {
    self.spool = spool
    guard configuration.isLoading else {
      loader = nil
      housekeeper = nil
      return
    }
    do {
      loader = try Loader(spool: spool, options: configuration.database(for: "loader"), log: log, now: now)
      housekeeper = try Housekeeper(options: configuration.database(for: "housekeeping"), log: log)
    } catch {
      throw .database(message: error.description)
    }
  }

  /// The threads' names and work; each ends after `stop`.
  var bodies: [(name: String, body: @Sendable () -> Void)] {
    var bodies: [(name: String, body: @Sendable () -> Void)] = [("spool", { [self] in keepSpool() })]
    if let loader { bodies.append(("loader", { loader.run() })) }
    if let housekeeper { bodies.append(("housekeeping", { housekeeper.run() })) }
    return bodies
  }

  /// Ends all of them, within two seconds; a batch that is being stored may be finished.
  func stop() {
    housekeeper?.stop()
    loader?.stop()
    isStopping.withLock { $0 = true }
    isStopping.signal()
  }

  /// What the loader has done.
  var figures: LoadingFigures {
    guard let statistics = loader?.statistics else { return LoadingFigures() }
    return LoadingFigures(
      fates: statistics.fates, batches: statistics.batches, unreadableRecords: statistics.unreadableRecords,
      lagSeconds: statistics.lagSeconds, isDatabaseUp: statistics.databaseUp)
  }

  private func keepSpool() {
    while isStopping.wait(milliseconds: Self.spoolMilliseconds, { $0 ? true : nil }) == nil {
      spool.deleteExpiredSegments()
    }
  }
}

/// What the loader has done, for `/metrics`.
struct LoadingFigures: Sendable {
  var fates = FateCounts()
  var batches: Int64 = 0
  var unreadableRecords: Int64 = 0
  /// How long the oldest record that was read has waited to be stored.
  var lagSeconds = 0.0
  /// nil: it has not been asked yet.
  var isDatabaseUp: Bool?
}
