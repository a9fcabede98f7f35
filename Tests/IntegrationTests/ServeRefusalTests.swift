import Foundation
import TestSupport
import Testing

/// What `pagefall serve` refuses, and how it says so.
@Suite struct ServeRefusalTests {
  let directory: TemporaryDirectory
  let database: TestDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
  }

  @Test(arguments: ["0.0.0.0:0", "[::]:0"])
  func `without keys it serves a loopback address only`(address: String) throws {
    let run = try serve(["--open", "--listen", address])
    #expect(run.exitCode == 2)
    #expect(run.standardError.contains("--open takes events without a key, so it is refused on \(address)"))
    #expect(lines(run.standardError).count == 1)
  }

  @Test func `without keys everything is the app demo's`() throws {
    let collector = try RunningCollector(data, database: database.connectionString, ["--open"])
    #expect(try HTTPCall.postEvents(EventText.pageShown(session: 1), port: collector.port).status == 202)
    #expect(try eventually { try database.psql("SELECT app FROM events") == "demo" })
    #expect(collector.process.standardOutput.contains(", without keys, app demo"))
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `a port that is taken is an error of the environment`() throws {
    let first = try RunningCollector(data, database: database.connectionString)
    let run = try serve(["--listen", "127.0.0.1:\(first.port)"], data: "\(directory.path)/other")
    #expect(run.exitCode == 3)
    #expect(run.standardError.contains("cannot listen on 127.0.0.1:\(first.port): another program does"))
    #expect(try first.terminate().exitCode == 0)
  }

  @Test func `a second collector on the same spool is told whose it is`() throws {
    let first = try RunningCollector(data, database: database.connectionString)
    let run = try serve(["--listen", "127.0.0.1:0"])
    #expect(run.exitCode == 3)
    #expect(run.standardError.contains(String(first.process.processIdentifier)), "\(run.standardError)")
    #expect(try HTTPCall.get("/readyz", port: first.port).status == 200)
    #expect(try first.terminate().exitCode == 0)
  }

  @Test func `a database without the schema is told to be migrated, and nothing is made in it`() throws {
    let empty = try TestDatabase()
    let run = try PagefallProcess.run(
      ["serve", "--data-dir", data, "--listen", "127.0.0.1:0", "--database", empty.connectionString])
    #expect(run.exitCode == 3)
    #expect(run.standardError.contains("pagefall database migrate"))
    #expect(try empty.psql("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace") == "0")
  }

  private var data: String { "\(directory.path)/data" }

  private func serve(_ arguments: [String], data: String? = nil) throws -> PagefallProcess.Result {
    try PagefallProcess.run(
      ["serve", "--data-dir", data ?? self.data, "--database", database.connectionString] + arguments,
      timeout: .seconds(30))
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
}
