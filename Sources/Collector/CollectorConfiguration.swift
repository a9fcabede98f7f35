import EventStore
import Postgres
import Spool
import StoryEvents

/// All that a collector can be told. Each value has a default that suits one machine.
public struct CollectorConfiguration: Sendable {
  /// The program's version, which `/metrics` reports.
  public var version = "unknown"

  /// Where events are taken: 127.0.0.1:8787. Port 0 is any free one.
  public var listen = ListenAddress.standard

  /// An address of its own for `/metrics` and the probes; nil (default): they are served with the events.
  public var metricsListen: ListenAddress?

  /// Where events become durable, and how much of it there may be.
  public var spool: SpoolConfiguration

  /// Where the hashes of the known keys are kept, so that they work while the database is away, also after a restart.
  /// By default `SPOOLDIR-known-keys.json`, beside the spool's directory.
  public var knownKeysPath: String

  /// How to reach PostgreSQL.
  public var database: ConnectionOptions

  /// Take events without a key, for one app; refused on anything but a loopback address. Off by default.
  public var isOpen = false

  /// The app of events that come without a key.
  public var openApp = "demo"

  /// How many events a key may send in a second, over time; nil (default): no limit. A batch larger than this is taken
  /// when the key is not in debt, and has to be paid off before the next.
  public var maximumEventsPerSecond: Double?

  /// Bytes that the bodies of all requests in flight may hold together, as sent, decompressed and judged: 32 MiB. Beyond it
  /// the answer is 503. Only what a worker has judged already may exceed it, by one request a worker.
  public var maximumBytesInFlight = 32 * 1024 * 1024

  /// Connections served at a time: 1,024; each costs 16 KiB. Further ones are told 503 and closed.
  public var maximumConnections = 1024

  /// Threads that judge bodies over 64 KiB: 1.
  public var workers = 1

  /// Whether accepted events are loaded into PostgreSQL (default). Without, the spool only grows.
  public var isLoading = true

  /// From a request's first byte until its head and body must be complete: 30 s (contract §2, 408).
  public var requestTimeout = Duration.seconds(ContractLimits.requestSeconds)

  /// What every collector must be told; the rest has defaults.
  public init(spool: SpoolConfiguration, database: ConnectionOptions) {
    self.spool = spool
    self.database = database
    var directory = spool.directory
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    knownKeysPath = directory + "-known-keys.json"
  }
}

extension CollectorConfiguration {
  /// The database for one of the threads, whose connection says in `pg_stat_activity` what it is for.
  func database(for thread: String) -> ConnectionOptions {
    var options = database
    options["fallback_application_name"] = "pagefall \(thread)"
    return options
  }
}

/// What is known once a collector serves.
public struct CollectorAddresses: Sendable, Equatable {
  /// Where events are taken; the port is the real one.
  public let events: ListenAddress
  /// Where `/metrics` is; nil: with the events.
  public let metrics: ListenAddress?
}
