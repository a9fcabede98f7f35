import Foundation
import TestSupport
import Testing

/// Worlds that go through the library that apps use: recorded, queued, sent, stored and reported, against their truth.
@Suite struct ClientSimulationTests {
  private func waitUntilLoaded(_ count: Int, _ database: TestDatabase) throws {
    let query = "SELECT count(*) FROM pagefall.stored_events"
    let isLoaded = try eventually { try database.psql(query) == String(count) }
    let found = try database.psql(query)
    try #require(isLoaded, "\(found) events instead of \(count)")
  }

  @Test(
    arguments: [
      (1, 1, ["--looping"], []), (2, 3, [], ["--by", "story_id"]), (3, 4, ["--looping"], ["--by", "story_id"]),
      (
        4, 2, ["--app-version", "1.0", "--app-version", "2.0=3", "--truth-by", "app_version"], ["--by", "app_version"]
      ),
      (
        5, 2, ["--property", "plan=free", "--property", "plan=ünï\"\\", "--truth-by", "property:plan"],
        ["--by", "property:plan"]
      ),
      (6, 2, ["--truth-by", "day", "--tz", "Asia/Kathmandu"], ["--by", "day", "--tz", "Asia/Kathmandu"]),
      (7, 4, ["--ending", "2023-03-04", "--truth-by", "story_id"], ["--by", "story_id"]),
      (8, 2, ["--truth-by", "device_id", "--environment", "a", "--environment", "b"], ["--by", "device_id"]),
    ] as [(Int, Int, [String], [String])])
  func `reports show the truth of what the library sends`(
    seed: Int, messages: Int, world: [String], report: [String]
  ) throws {
    let world = try ClientWorld(seed: seed, sessions: 60, messages: messages, world)
    let database = try TestDatabase.migrated()
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector("\(world.directory.path)/data", database: database.connectionString)
    let run = try PagefallProcess.run(world.command(port: collector.port, key: key) + ["--client"])
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardError.contains(" 0 rejected, 0 repeats, ") && run.standardError.hasSuffix("; 0 dropped\n"))
    let count = try ClientWorld.eventCount(run.standardError)
    try waitUntilLoaded(count, database)
    try world.checkTruths(in: database.connectionString, report)
    #expect(try collector.metric("pagefall_events_loaded_total{fate=\"stored\"}") == count)
    #expect(try collector.metric("pagefall_events_accepted_total") == count)
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `what the library reads of a message stands in the database`() throws {
    let world = try ClientWorld(seed: 9, sessions: 150, messages: 4)
    let database = try TestDatabase.migrated()
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector("\(world.directory.path)/data", database: database.connectionString)
    let run = try PagefallProcess.run(world.command(port: collector.port, key: key) + ["--client"])
    try #require(run.exitCode == 0, "\(run.standardError)")
    try waitUntilLoaded(try ClientWorld.eventCount(run.standardError), database)
    let pages = try database.psql(
      """
      SELECT string_agg(concat_ws(' ', story_id, page_index, payload_index, image_url, duration, link, button_title), E'\\n'
        ORDER BY story_id, page_index) FROM pagefall.story_pages
      """)
    #expect(
      pages == "story-0 0 0 a:0 0.25\nstory-0 1 1 a:1 5\nstory-1 0 1 a:1 5 a:b Go\nstory-1 1 3 a:3 1.5")
    // A reason is what a payload falls back for; without a block the app has said which story it is.
    let reasons = try database.psql("SELECT string_agg(DISTINCT reason, ' ' ORDER BY reason) FROM events")
    #expect(reasons == "bad_page_list missing_block no_usable_page")
    let sources = try FunnelComparison.report(database.connectionString, ["--by", "property:story_id_source"])
    let names = (sources["groups"]?.arrayValue ?? []).compactMap { $0["group"]?.stringValue }
    #expect(names.sorted() == ["campaign", "payload"])
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `with the library and without it the events are the same`() throws {
    let world = try ClientWorld(seed: 10, sessions: 60, messages: 4, ["--ending", Date().formatted(.iso8601)])
    let database = try TestDatabase.migrated()
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector("\(world.directory.path)/data", database: database.connectionString)
    var count = 0
    for way in [[], ["--client"]] {
      let run = try PagefallProcess.run(world.command(port: collector.port, key: key) + way)
      try #require(run.exitCode == 0, "\(run.standardError)")
      count = try ClientWorld.eventCount(run.standardError)
      try waitUntilLoaded(count, database)
    }
    let fate = { (fate: String) in try collector.metric("pagefall_events_loaded_total{fate=\"\(fate)\"}") }

    #expect(try eventually { try fate("duplicate") == count })
    #expect(try fate("stored") == count && fate("conflicting_duplicate") == 0)
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `a collector that is killed and started again gets every event once`() throws {
    let world = try ClientWorld(seed: 11, sessions: 500, messages: 3, ["--looping"])
    let database = try TestDatabase.migrated()
    let key = try createKey(database.connectionString)
    let data = "\(world.directory.path)/data"
    let first = try RunningCollector(data, database: database.connectionString)
    let port = first.port
    let metric = { (name: String) in
      let text = try? HTTPCall.get("/metrics", port: port).body
      let line = text?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
      return line.flatMap { Int($0.dropFirst(name.utf8.count + 1)) } ?? -1
    }
    let run = try PagefallProcess.start(world.command(port: port, key: key) + ["--client", "--rate", "1500/s"])
    var collector = first.process
    for _ in 1...2 {
      let isFar = eventually { metric("pagefall_events_accepted_total") >= 300 }
      try #require(isFar, "\(run.standardError)")
      collector.signal(SIGKILL)
      try collector.waitForExit()
      usleep(300_000)
      collector = try PagefallProcess.start(
        ["serve", "--data-dir", data, "--listen", "127.0.0.1:\(port)", "--database", database.connectionString])
      _ = try collector.waitForLine(containing: "ready on http://127.0.0.1:", timeout: .seconds(60))
    }
    #expect(try run.waitForExit(timeout: .seconds(60)) == 0, "\(run.standardError)")
    #expect(!run.standardError.contains(" 0 repeats"), "\(run.standardError)")
    try waitUntilLoaded(try ClientWorld.eventCount(run.standardError), database)
    try world.checkTruths(in: database.connectionString, ["--by", "story_id"])
    #expect(metric("pagefall_events_loaded_total{fate=\"conflicting_duplicate\"}") == 0)
    collector.signal(SIGTERM)
    #expect(try collector.waitForExit() == 0)
  }

  @Test func `a queue that is kept is sent by the next run`() throws {
    let database = try TestDatabase.migrated()
    let key = try createKey(database.connectionString)
    let directory = try TemporaryDirectory()
    let collector = try RunningCollector("\(directory.path)/data", database: database.connectionString)
    let arguments = ["simulate", "--client", "--client-queue", "\(directory.path)/queue", "--sessions", "60"]
    let place = ["--url", "http://127.0.0.1:\(collector.port)"]
    let first = try PagefallProcess.run(arguments + place + ["--key", "pfw_00000000000000000000000000000000"])
    #expect(first.exitCode != 0)
    #expect(first.standardError.contains("the collector refuses the write key (401)"), "\(first.standardError)")
    let second = try PagefallProcess.run(arguments + place + ["--key", key, "--seed", "2"])
    try #require(second.exitCode == 0, "\(second.standardError)")
    #expect(try eventually { try database.psql("SELECT count(DISTINCT session_id) FROM events") == "120" })
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/queue/pagefall")
    #expect(left == [])
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test(
    arguments: [
      (
        ["--loss", "0.1"], "--loss and --client exclude each other: with --client the app's library does the sending by"
      ),
      (["--duplicates", "0"], "--duplicates and --client exclude each other"),
      (["--reorder", "0.1"], "--reorder and --client exclude each other"),
      (["--late", "0.1"], "--late and --client exclude each other"),
      (["--clock-skew", "0.1"], "--clock-skew and --client exclude each other"),
      (["--retries", "0.1"], "--retries and --client exclude each other"),
      (["--batch", "10"], "--batch and --client exclude each other"),
      (["--out", "-"], "--out and --client exclude each other"),
      ([], "say where --client sends to: --url BASE"),
      (["--url", "nowhere"], "nowhere is no address: expected one such as http://127.0.0.1:8787"),
      (["--url", "ftp://a"], "ftp://a is no address: expected one such as http://127.0.0.1:8787"),
      (["--url", "http://127.0.0.1:9", "--property", "plan="], "the client leaves empty texts out: give each version"),
      (
        ["--url", "http://127.0.0.1:9", "--property", "story_id_source=a"],
        "each property has its own name, none of them"
      ),
      (
        ["--url", "http://127.0.0.1:9", "--client-queue", "/dev/null/x"],
        "cannot make the queue's directory /dev/null/x: "
      ),
    ] as [([String], String)]) func `what the library cannot do is refused in one line`(
      arguments: [String], line: String
    )
    throws
  {
    let run = try PagefallProcess.run(["simulate", "--sessions", "1", "--client"] + arguments)
    #expect(run.exitCode != 0 && run.standardOutput == "")
    #expect(run.standardError.hasPrefix("pagefall: \(line)"), "\(run.standardError)")
    #expect(run.standardError.split(separator: "\n").count <= 2)
  }

  @Test func `a queue without its client is refused`() throws {
    let run = try PagefallProcess.run(["simulate", "--client-queue", "x", "--out", "-"])
    #expect(
      run.exitCode == 2 && run.standardError.hasPrefix("pagefall: --client-queue is where --client keeps its queue"))
  }
}
