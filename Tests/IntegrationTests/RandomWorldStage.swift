import Foundation
import Simulation
import TestSupport
import Testing

/// One database for many worlds, an app and a write key for each, and two collectors that run all the while.
final class RandomWorldStage {
  let database: TestDatabase
  private let directory: TemporaryDirectory
  private let collectors: [RunningCollector]
  private let ports: [Int]

  init(worlds: [RandomWorld]) throws {
    database = try TestDatabase.migrated()
    let rows = worlds.map { "('\($0.app)', '\(Self.key(of: $0))')" }.joined(separator: ", ")
    _ = try database.psql(
      """
      CREATE TEMPORARY TABLE w (app text, key text); INSERT INTO w VALUES \(rows);
      INSERT INTO pagefall.apps (name) SELECT app FROM w;
      INSERT INTO pagefall.write_keys (key_hash, prefix, app_id, access_right)
        SELECT sha256(key::bytea), left(key, 8), app_id, 'ingest' FROM w JOIN pagefall.apps ON name = app
      """)
    let directory = try TemporaryDirectory()
    let connectionString = database.connectionString
    self.directory = directory
    collectors = try (1...2).map { number in
      try RunningCollector("\(directory.path)/collector-\(number)", database: connectionString)
    }
    ports = collectors.map(\.port)
  }

  /// A write key that is known beforehand: making each by the command would take longer than all the rest.
  private static func key(of world: RandomWorld) -> String {
    let digits = String(world.number)
    return "pfw_" + String(repeating: "w", count: 32 - digits.count) + digits
  }

  /// Something that loads a world from any thread.
  var loader: Loader {
    Loader(connectionString: database.connectionString, directory: directory.path, ports: ports)
  }

  /// Waits until all of them are stored, and lets the collectors end, which load what is left.
  func settle(distinctEvents: Int) throws {
    let count = { try self.database.psql("SELECT count(*) FROM pagefall.stored_events") }
    let isLoaded = try eventually { try count() == String(distinctEvents) }
    let found = try count()
    #expect(isLoaded, "\(found) events are stored instead of \(distinctEvents)")
    for collector in collectors { #expect(try collector.terminate().exitCode == 0) }
    _ = try database.psql("ANALYZE")
  }

  struct Loader: Sendable {
    let connectionString: String
    let directory: String
    let ports: [Int]

    /// Brings a world's events in, by its way, and its categories where it imports them.
    func load(_ world: RandomWorld, _ truth: RandomWorldTruth) throws {
      if world.surfaces.areImported, world.surfaces.responses != nil { try importCategories(world) }
      let pieces = Self.pieces(of: truth.lines, world.linesAtOnce)
      switch world.way {
      case .file: try ingest([pieces.flatMap { $0 }], world)
      case .fileTwice: for _ in 1...2 { try ingest([pieces.flatMap { $0 }], world) }
      case .filePieces: try ingest(pieces, world)
      case .sender:
        var sender = SenderConfiguration(baseURL: "http://127.0.0.1:\(ports[0])", key: RandomWorldStage.key(of: world))
        sender.connectionCount = 3
        let sent = try Simulator(world.configuration).run(output: .http(sender))
        #expect(sent.delivery?.accepted == sent.events && sent.delivery?.rejected == 0, "\(world.name)")
      case .client:
        let client = ClientConfiguration(
          baseURL: "http://127.0.0.1:\(ports[0])", key: RandomWorldStage.key(of: world))
        let sent = try Simulator(world.configuration).run(client: client)
        #expect(sent.events == truth.distinctEvents && sent.delivery?.dropped == 0, "\(world.name)")
      case .twiceOverHTTP: for _ in 1...2 { try post(pieces, world) }
      case .halvesToTwoCollectors:
        let halves = (0...1).map { half in pieces.indices.filter { $0 % 2 == half }.map { pieces[$0] } }
        _ = try inParallel(2) { try post(halves[$0], world, to: $0) }
      case .allToTwoCollectors: _ = try inParallel(2) { try post(pieces, world, to: $0) }
      case .fileThenHTTP:
        try ingest(pieces, world)
        try post(pieces, world)
      }
    }

    private func importCategories(_ world: RandomWorld) throws {
      let run = try PagefallProcess.run(
        ["category", "import", "-", "--app", world.app, "--database", connectionString],
        input: Array(world.surfaces.categories.utf8))
      try #require(run.exitCode == 0, "\(world.name): \(run.standardOutput)\(run.standardError)")
    }

    private func ingest(_ pieces: [[UInt8]], _ world: RandomWorld) throws {
      let paths = try pieces.enumerated().map { number, bytes in
        let path = "\(directory)/\(world.app)-\(number).ndjson"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
      }
      let run = try PagefallProcess.run(
        ["ingest", "--app", world.app, "--database", connectionString] + paths)
      try #require(run.exitCode == 0, "\(world.name): \(run.standardOutput)\(run.standardError)")
    }

    private func post(_ pieces: [[UInt8]], _ world: RandomWorld, to collector: Int = 0) throws {
      for piece in pieces where !piece.isEmpty {
        let answer = try HTTPCall.postEvents(
          piece, port: ports[collector], key: RandomWorldStage.key(of: world), type: "application/x-ndjson")
        try #require(answer.status == 202 && answer.body.contains("\"rejected\":0"), "\(world.name): \(answer.body)")
      }
    }

    /// So many lines at once, but no more than one request may hold (contract §1: 10,000 events, 2 MiB).
    private static func pieces(of lines: [[UInt8]], _ linesAtOnce: Int) -> [[UInt8]] {
      var pieces: [[UInt8]] = []
      var room = 0
      for line in lines {
        if room == 0 || pieces[pieces.count - 1].count + line.count > 500_000 {
          pieces.append([])
          room = linesAtOnce
        }
        pieces[pieces.count - 1] += line + [UInt8(ascii: "\n")]
        room -= 1
      }
      return pieces
    }
  }
}
