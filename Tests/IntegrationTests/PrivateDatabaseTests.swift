import Foundation
import Postgres
import TestSupport
import Testing

/// The PostgreSQL that commands make for themselves, through the commands.
@Suite struct PrivateDatabaseTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [["report", "funnel"], ["key", "list"], ["database", "status"], ["database", "psql"]])
  func `a command that only reads makes nothing, and says where it looked`(command: [String]) throws {
    let run = try PagefallProcess.run(command, directory: directory.path)
    #expect(run.exitCode == 3)
    #expect(run.standardOutput == "")
    #expect(run.standardError.contains(".pagefall"))
    #expect(run.standardError.contains("PAGEFALL_DATABASE"))
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `the first command that writes makes it and says so, and it ends with the command`() throws {
    let made = try pagefall(["key", "create", "--app", "shop"])
    #expect(made.exitCode == 0, "\(made.standardError)")
    #expect(made.standardError.contains("PostgreSQL"))
    #expect(made.standardError.contains(data))
    #expect(made.standardOutput.hasPrefix("pfw_"))
    #expect(made.standardOutput.split(separator: "\n").count == 1)
    #expect(postmaster == nil)

    let again = try pagefall(["key", "list"])
    #expect(again.exitCode == 0, "\(again.standardError)")
    #expect(again.standardOutput.contains("\tshop\t"))
    #expect(again.standardError == "")
    #expect(postmaster == nil)
  }

  @Test func `two commands that make it at once share it`() throws {
    let data = data
    let runs = try inParallel(2) { number in
      try PagefallProcess.run(["key", "create", "--app", "app\(number)", "--data-dir", data])
    }
    for run in runs { #expect(run.exitCode == 0, "\(run.standardError)") }
    #expect(try pagefall(["key", "list"]).standardOutput.split(separator: "\n").count == 2)
    #expect(postmaster == nil)
  }

  @Test func `commands share it while a collector runs, and the last stops it`() throws {
    let collector = try RunningCollector(data, database: nil, ["--open"])
    let server = try #require(postmaster)
    #expect(try HTTPCall.postEvents(EventText.pageShown(session: 1), port: collector.port).status == 202)
    #expect(try eventually { try countEvents() == "1\n" })
    #expect(try pagefall(["report", "funnel"]).exitCode == 0)
    #expect(postmaster == server)
    #expect(try collector.terminate().exitCode == 0)
    #expect(postmaster == nil)
  }

  @Test func `a collector whose database is stopped goes on, and loads when it is back`() throws {
    let collector = try RunningCollector(data, database: nil, ["--open"])
    #expect(try pagefall(["database", "stop"]).exitCode == 0)
    #expect(try HTTPCall.postEvents(EventText.pageShown(session: 1), port: collector.port).status == 202)
    #expect(try pagefall(["database", "start"]).exitCode == 0)
    #expect(try eventually { try countEvents() == "1\n" })
    #expect(try collector.terminate().exitCode == 0)
    #expect(try pagefall(["database", "stop"]).exitCode == 0)
  }

  @Test func `what a killed collector leaves running, the next command uses and stops`() throws {
    let collector = try RunningCollector(data, database: nil, ["--open"])
    #expect(try HTTPCall.postEvents(EventText.pageShown(session: 1), port: collector.port).status == 202)
    try collector.kill()
    // The event may still be in the spool alone.
    #expect(try pagefall(["report", "funnel"]).exitCode == 0)
    #expect(postmaster == nil)
    let second = try RunningCollector(data, database: nil, ["--open"])
    #expect(try eventually { try countEvents() == "1\n" })
    #expect(try second.terminate().exitCode == 0)
    #expect(postmaster == nil)
  }

  @Test func `database start keeps it running, and database stop ends it`() throws {
    let started = try pagefall(["database", "start"])
    #expect(started.exitCode == 0, "\(started.standardError)")
    let server = try #require(postmaster)
    #expect(started.standardOutput.contains("process \(server)"))
    #expect(try pagefall(["key", "create", "--app", "shop"]).exitCode == 0)
    #expect(try pagefall(["database", "status"]).standardOutput.contains("private, under \(data)"))
    #expect(postmaster == server)
    let stopped = try pagefall(["database", "stop"])
    #expect(stopped.standardOutput == "stopped\n")
    #expect(postmaster == nil)
    #expect(try pagefall(["database", "stop"]).standardOutput == "it was not running\n")
    // What it holds is still there.
    #expect(try pagefall(["key", "list"]).standardOutput.contains("\tshop\t"))
  }

  @Test func `the PG variables win over a private one`() throws {
    let database = try TestDatabase.migrated()
    let options = try ConnectionOptions(database.connectionString)
    let variables = try ["host", "port", "user", "dbname"].map { try #require(options[$0]) }
    let environment = [
      "PGHOST": variables[0], "PGPORT": variables[1], "PGUSER": variables[2], "PGDATABASE": variables[3],
    ]
    let run = try pagefall(["key", "create", "--app", "shop"], environment)
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(try database.psql("SELECT count(*) FROM pagefall.write_keys") == "1")
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test func `a named server that is not there is an error, never a private one`() throws {
    let run = try pagefall(["key", "create", "--app", "shop"], ["PGHOST": directory.path])
    #expect(run.exitCode == 3)
    #expect(run.standardError.contains("check --database, PAGEFALL_DATABASE and the PG* variables"))
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test(arguments: [["report", "funnel"], ["key", "create", "--app", "shop"], ["ingest", "/dev/null"]])
  func `a named database without the schema is left as it is, and says what to run`(command: [String]) throws {
    let empty = try TestDatabase()
    let run = try pagefall(command + ["--database", empty.connectionString])
    #expect(run.exitCode == 3)
    #expect(run.standardError.contains("pagefall database migrate"))
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(try empty.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'pagefall'") == "0")
  }

  private var data: String { "\(directory.path)/data" }

  /// The process of its server; nil where none runs.
  private var postmaster: String? {
    let path = "\(data)/postgres/data/postmaster.pid"
    return (try? String(contentsOfFile: path, encoding: .utf8))?.components(separatedBy: "\n").first
  }

  private func countEvents() throws -> String {
    try pagefall(["database", "psql", "--", "-Atc", "SELECT count(*) FROM events"]).standardOutput
  }

  private func pagefall(_ arguments: [String], _ environment: [String: String] = [:]) throws -> PagefallProcess.Result {
    // What stands behind -- is another program's.
    let place = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return try PagefallProcess.run(
      arguments[..<place] + ["--data-dir", data] + arguments[place...], environment: environment)
  }
}
