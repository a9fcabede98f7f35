import Compression
import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The same truth, when the events come over HTTP.
@Suite struct TruthOverHTTPTests {
  @Test(arguments: [20, 21] as [UInt64]) func `a report shows the truth of events sent over HTTP`(stream: UInt64) throws
  {
    let world = try DrawnWorld(stream: stream, endsNow: true)
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector("\(directory.path)/data", database: database.connectionString)
    let truth = try world.send(port: collector.port, key: key)
    try waitUntilLoaded(try world.eventCount(), database)
    try checkTruth(truth, in: database.connectionString, world.name)
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `two collectors that get the same events at once store each once`() throws {
    let world = try DrawnWorld(stream: 22, endsNow: true)
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let key = try createKey(database.connectionString)
    let collectors = try (1...2).map { number in
      try RunningCollector("\(directory.path)/data\(number)", database: database.connectionString)
    }
    let ports = collectors.map(\.port)
    let truths = try inParallel(2) { try world.send(port: ports[$0], key: key) }
    // The times of arrival apart, which are real.
    #expect(try FunnelComparison.differences(JSONValue(text: truths[0]), JSONValue(text: truths[1])) == [])
    let count = try world.eventCount()
    try waitUntilLoaded(count, database)
    try checkTruth(truths[0], in: database.connectionString, world.name)
    // Every accepted event has exactly one fate, and the counts of both add up.
    let fates = { (fate: String) in
      try collectors.reduce(0) { try $0 + $1.metric("pagefall_events_loaded_total{fate=\"\(fate)\"}") }
    }
    #expect(try eventually { try fates("stored") + fates("duplicate") == 2 * count })
    #expect(try fates("stored") == count)
    #expect(try collectors.map { try $0.metric("pagefall_events_accepted_total") } == [count, count])
    for collector in collectors { #expect(try collector.terminate().exitCode == 0) }
    // What the second has still to load, it loads at its next start; and changes nothing.
    for number in 1...2 {
      _ = try RunningCollector("\(directory.path)/data\(number)", database: database.connectionString).terminate()
    }
    try checkTruth(truths[0], in: database.connectionString, world.name)
  }

  @Test(arguments: [CompressionFormat.gzip, .zstd])
  func `a report shows the truth of a file posted in compressed pieces`(
    format: CompressionFormat
  ) throws {
    let world = try DrawnWorld(stream: 23, endsNow: true)
    let written = try world.write()
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let collector = try RunningCollector("\(directory.path)/data", database: database.connectionString, ["--open"])
    for piece in pieces(of: written.events) {
      let body = try piece.withUnsafeBytes { try compress($0, format) }
      let answer = try HTTPCall.postEvents(
        body, port: collector.port, type: "application/x-ndjson", encoding: format == .gzip ? "gzip" : "zstd")
      try #require(answer.status == 202, "\(answer.body)")
    }
    try waitUntilLoaded(try world.eventCount(), database)
    try checkTruth(written.truth, in: database.connectionString, world.name)
    #expect(try collector.terminate().exitCode == 0)
  }

  /// Lines that fit a request together (contract §1: 10,000 events).
  private func pieces(of events: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = [[]]
    for line in events.split(separator: UInt8(ascii: "\n")) {
      if pieces[pieces.count - 1].count + line.count > 500_000 { pieces.append([]) }
      pieces[pieces.count - 1] += line + [UInt8(ascii: "\n")]
    }
    return pieces
  }

  private func waitUntilLoaded(_ count: Int, _ database: TestDatabase) throws {
    let isLoaded = try eventually { try database.psql("SELECT count(*) FROM events") == String(count) }
    let found = try database.psql("SELECT count(*) FROM events")
    try #require(isLoaded, "\(found) events instead of \(count)")
  }
}
