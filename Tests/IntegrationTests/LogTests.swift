import Foundation
import TestSupport
import Testing

/// What is written to stderr, where others read it.
@Suite struct LogTests {
  private static let marker = "Kilroy-was-here-7391"

  @Test func `logs are logfmt, and hold neither values of rows nor keys`() throws {
    let directory = try TemporaryDirectory()
    let database = try TestDatabase.migrated()
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector(
      "\(directory.path)/data", database: database.connectionString, ["--log-level", "debug"])
    let context = ",\"context\":{\"user_id\":\"\(Self.marker)\"}"
    let bodies = [
      EventText.pageShown(session: 1, page: context),
      // Rejected, conflicting, unreadable.
      EventText.pageShown(session: 2, page: context).replacingOccurrences(of: "page_shown", with: Self.marker),
      EventText.pageShown(session: 1, page: context).replacingOccurrences(of: "10:00", with: "11:00"),
      "{\"user_id\":\"\(Self.marker)\"",
    ]
    let statuses = try bodies.map { try HTTPCall.postEvents($0, port: collector.port, key: key).status }
    #expect(statuses == [202, 422, 202, 400])
    _ = try HTTPCall.postEvents(bodies[0], port: collector.port, key: "pfw_\(Self.marker)")
    #expect(try eventually { try database.psql("SELECT count(*) FROM pagefall.rejected") == "3" })
    #expect(try collector.terminate().exitCode == 0)

    let said = collector.process.standardError
    #expect(!said.contains(Self.marker))
    #expect(!said.contains(key))
    let lines = said.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines { #expect(Self.isLogfmt(String(line)), "\(line)") }
  }

  @Test func `a password in a connection string is not shown`() throws {
    let password = "Secret\(Self.marker)"
    let directory = try TemporaryDirectory()
    for command in [["database", "status"], ["report", "funnel"], ["ingest", "/dev/null"]] {
      for database in [
        "postgresql://nobody:\(password)@127.0.0.1:1/none", "host=127.0.0.1 port=1 password=\(password)",
        "host=127.0.0.1 port=1 password=\(password) nonsense=1", "postgresql://nobody:\(password)@127.0.0.1:1x/none",
      ] {
        let run = try PagefallProcess.run(command + ["--database", database], directory: directory.path)
        #expect(run.exitCode == 3)
        #expect(!(run.standardOutput + run.standardError).contains(password), "\(run.standardError)")
      }
    }
  }

  /// Pairs `name=value`, parted by blanks; a value with blanks stands in quotes.
  private static func isLogfmt(_ line: String) -> Bool {
    let pair = #"[A-Za-z_][A-Za-z0-9_.]*=("([^"\\]|\\.)*"|[^ "=]*)"#
    return line.range(of: "^\(pair)( \(pair))*$", options: .regularExpression) != nil
  }
}
