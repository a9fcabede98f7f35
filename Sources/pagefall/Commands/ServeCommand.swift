import Collector
import Foundation
import Postgres
import ServiceLog
import Spool

/// `pagefall serve`: the collector. Takes events over HTTP, makes them durable and loads them into PostgreSQL.
enum ServeCommand {
  static let listen = Option(
    "listen", takes: "HOST:PORT", help: "where to take events (default 127.0.0.1:8787)", configurable: true)
  static let metricsListen = Option(
    "metrics-listen", takes: "HOST:PORT", help: "serve /metrics there instead of with the events", configurable: true)
  static let open = Option("open", help: "take events without a key, for the app demo; only on a loopback address")
  static let spool = Option(
    "spool", takes: "DIR", help: "where events become durable (default DATA-DIR/spool)", configurable: true)
  static let spoolMaximum = Option(
    "spool-max", takes: "SIZE", help: "how much the spool may hold, such as 8GiB (default 8GiB)", configurable: true)
  static let spoolKeep = Option(
    "spool-keep", takes: "SPAN", help: "how long loaded events stay in the spool (default 24h)", configurable: true)
  static let rate = Option(
    "max-events-per-second", takes: "N", help: "per key; beyond it the answer is 429 (default: no limit)",
    configurable: true)
  static let bytesInFlight = Option(
    "max-bytes-in-flight", takes: "SIZE", help: "bodies of all requests together (default 32MiB)", configurable: true)
  static let connections = Option(
    "max-connections", takes: "N", help: "connections served at a time (default 1024)", configurable: true)
  static let noLoad = Option("no-load", help: "only take events; load them at a later start")

  static let command = Command(
    "serve", summary: "Take events over HTTP, keep them, load them into PostgreSQL",
    options: [
      listen, metricsListen, open, spool, spoolMaximum, spoolKeep, rate, bytesInFlight, connections, noLoad,
    ],
    discussion: """
      Prints one line when it is ready. An answer of 202 means that the events are on disk;
      they are in PostgreSQL within a second, or when it is back. SIGTERM or Ctrl-C drains
      and ends within 10 s. TLS belongs to a proxy in front.
      """,
    examples: [
      "pagefall serve",
      "pagefall serve --database postgresql://db.example/stories --listen :8787",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    // Before any thread starts, so that all inherit it: these signals are for the thread that waits for them.
    let signals = StopSignals()
    let log = try invocation.log()
    // What can be refused is refused before a database is made or asked for.
    let settings = try settings(invocation)
    do {
      try settings.listen.requireAvailable(loopbackOnly: settings.isOpen)
    } catch {
      throw commandError(error)
    }
    try OutputFile.makeDirectory(invocation.dataDirectory)
    let access = try DatabaseAccess.openForService(invocation, log: log)
    var spool = SpoolConfiguration(directory: invocation.value(Self.spool) ?? invocation.dataDirectory + "/spool")
    if let bytes = settings.spoolMaximumBytes { spool.maximumBytes = Int64(bytes) }
    if let keep = settings.spoolKeep { spool.keepLoaded = keep }
    var configuration = CollectorConfiguration(spool: spool, database: access.options)
    settings.apply(&configuration)

    let collector = Collector(configuration, log: log)
    signals.whenAsked { name in
      log.info("asked to stop", ["signal": .string(name)])
      collector.stop()
    }
    let isOpen = configuration.isOpen
    do {
      try collector.run { addresses in
        let keys = isOpen ? ", without keys, app demo" : ""
        let line = "pagefall serve: ready on http://\(addresses.events)\(keys)\n"
        try? Console.print(line)
      }
    } catch {
      throw commandError(error)
    }
    return .success
  }

  private static func commandError(_ error: CollectorError) -> CommandError {
    switch error {
    case .openBeyondLoopback: .usage(error.description)
    case .addressUnknown, .cannotListen, .cannotServe, .spool, .database, .system: .environment(error.description)
    }
  }

  /// What the flags say, read before anything is started.
  private struct Settings {
    var listen: ListenAddress
    var isOpen: Bool
    var spoolMaximumBytes: Int?
    var spoolKeep: Duration?
    var apply: (inout CollectorConfiguration) -> Void
  }

  private static func settings(_ invocation: Invocation) throws(CommandError) -> Settings {
    let address = "HOST:PORT, such as 127.0.0.1:8787"
    let listen = try invocation.value(listen, as: address) { ListenAddress($0) } ?? .standard
    let metrics = try invocation.value(metricsListen, as: address) { ListenAddress($0) }
    let isOpen = try invocation.flag(open)
    let rate = try invocation.value(rate, as: "a number of events, 1 or more") {
      ValueParser.integer($0, in: 1...1_000_000_000)
    }
    let bytes = try invocation.value(bytesInFlight, as: "a size of at least 1MiB, such as 32MiB") { text in
      ValueParser.bytes(text).flatMap { $0 >= 1 << 20 ? $0 : nil }
    }
    let connections = try invocation.value(connections, as: "a number from 1 to 100000") {
      ValueParser.integer($0, in: 1...100_000)
    }
    let isLoading = try !invocation.flag(noLoad)
    return Settings(
      listen: listen, isOpen: isOpen,
      spoolMaximumBytes: try invocation.value(spoolMaximum, as: "a size, such as 8GiB", ValueParser.bytes),
      spoolKeep: try invocation.value(spoolKeep, as: "a span, such as 24h", ValueParser.duration)
    ) { configuration in
      configuration.listen = listen
      configuration.metricsListen = metrics
      configuration.isOpen = isOpen
      configuration.maximumEventsPerSecond = rate.map(Double.init)
      if let bytes { configuration.maximumBytesInFlight = bytes }
      if let connections { configuration.maximumConnections = connections }
      configuration.isLoading = isLoading
      configuration.version = Pagefall.version
    }
  }
}
