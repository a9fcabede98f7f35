import Foundation
import TestSupport
import Testing

/// Write keys, from the command that makes them to the collector that checks them.
@Suite struct KeyTests {
  let directory: TemporaryDirectory
  let database: TestDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
  }

  @Test func `a new key works at once and names the app; it is shown once and only its hash is stored`() throws {
    let collector = try start()
    let run = try PagefallProcess.run(["key", "create", "--app", "shop", "--database", database.connectionString])
    let key = run.standardOutput.trimmingCharacters(in: .newlines)
    #expect(key.hasPrefix("pfw_"))
    #expect(!run.standardError.contains(key))
    #expect(try post(1, collector, key).status == 202)
    #expect(try eventually { try database.psql("SELECT app FROM events") == "shop" })

    let list = try PagefallProcess.run(["key", "list", "--database", database.connectionString])
    #expect(!list.standardOutput.contains(key))
    #expect(list.standardOutput.contains(key.prefix(8)))
    let dump = try database.psql("SELECT row_to_json(k)::text FROM pagefall.write_keys k")
    #expect(!dump.contains(key))
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `a revoked key stops within 10 s, and cannot be revoked into something else`() throws {
    let collector = try start()
    let key = try createKey(database.connectionString)
    let other = try createKey(database.connectionString, app: "other")
    #expect(try post(1, collector, key).status == 202)
    let list = try PagefallProcess.run(["key", "list", "--database", database.connectionString])
    let line = try #require(list.standardOutput.split(separator: "\n").first { $0.contains("\tdemo\t") })
    let number = try #require(line.split(separator: "\t").first)
    let revoke = try PagefallProcess.run(["key", "revoke", String(number), "--database", database.connectionString])
    #expect(revoke.exitCode == 0, "\(revoke.standardError)")
    var last = 0
    let took = try time {
      _ = try eventually(within: .seconds(30)) {
        last = try post(2, collector, key).status
        return last == 401
      }
    }
    #expect(last == 401)
    #expect(took < .seconds(10), "\(took)")
    #expect(try post(3, collector, other).status == 202)
    let again = try PagefallProcess.run(["key", "revoke", "999999", "--database", database.connectionString])
    #expect(again.exitCode == 2)
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `no key, a wrong key and a read key are told apart`() throws {
    let collector = try start()
    let reading = try createKey(database.connectionString, right: "read")
    for key in [nil, "pfw_" + String(repeating: "A", count: 43), "nonsense"] {
      let answer = try post(1, collector, key)
      #expect(answer.status == 401)
      #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
      #expect(answer.headers["content-type"]?.hasPrefix("application/problem+json") == true)
    }
    #expect(try post(1, collector, reading).status == 403)
    #expect(try collector.terminate().exitCode == 0)
    #expect(try database.psql("SELECT count(*) FROM events") == "0")
  }

  @Test func `a key over its rate is told when to come back, another key is not`() throws {
    let collector = try start(["--max-events-per-second", "5"])
    let key = try createKey(database.connectionString)
    let other = try createKey(database.connectionString, app: "other")
    var refused: HTTPCall.Answer?
    for number in 1...40 where refused == nil {
      let answer = try post(number, collector, key)
      if answer.status != 202 { refused = answer }
    }
    #expect(refused?.status == 429)
    let wait = try #require(Int(refused?.headers["retry-after"] ?? ""))
    #expect((1...60).contains(wait))
    #expect(try post(100, collector, other).status == 202)
    sleep(UInt32(wait))
    #expect(try post(101, collector, key).status == 202)
    #expect(try collector.terminate().exitCode == 0)
  }

  private func start(_ arguments: [String] = []) throws -> RunningCollector {
    try RunningCollector("\(directory.path)/data", database: database.connectionString, arguments)
  }

  private func post(_ number: Int, _ collector: RunningCollector, _ key: String?) throws -> HTTPCall.Answer {
    try HTTPCall.postEvents(EventText.pageShown(session: number), port: collector.port, key: key)
  }
}
