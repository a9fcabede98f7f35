import Postgres
import TestSupport
import Testing

/// `pagefall tail` on a standby.
@Suite struct TailStandbyTests {
  /// A database that says so of itself: the answer of a function is all that is asked for.
  @Test func `it shows the last events, and does not follow`() throws {
    let database = try TestDatabase.migrated()
    let ingest = try PagefallProcess.run(
      ["ingest", "-", "--database", database.connectionString], input: Array(EventText.pageShown(session: 1).utf8))
    try #require(ingest.exitCode == 0, "\(ingest.standardError)")
    _ = try database.psql(
      """
      CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true';
      ALTER DATABASE \(database.name) SET search_path = public, pg_catalog
      """)
    for arguments in [[], ["--follow"]] {
      let run = try PagefallProcess.run(["tail", "--database", database.connectionString] + arguments)
      #expect(run.standardOutput.contains(EventText.sessionID(1)))
      #expect(run.exitCode == (arguments.isEmpty ? 0 : 3))
      #expect(run.standardError.contains("give --follow the primary") == !arguments.isEmpty, "\(run.standardError)")
    }
  }
}
