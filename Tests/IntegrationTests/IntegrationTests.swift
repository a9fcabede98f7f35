/// The whole of Pagefall as a user meets it: the built command, a real PostgreSQL, real files and sockets.
///
/// - `Truth…Tests`: what a simulation says of itself is what a report shows, by whatever way the events came.
/// - `ReadmeTests`: the README's blocks, run as they stand.
/// - `Serve…Tests` and `KeyTests`: the collector's life, with its database up, down, frozen and exchanged.
/// - `PrivateDatabaseTests`: the cluster that commands make for themselves.
/// - `CommandLineTests`, `HelpTests`, `IngestFaultTests`, `OutputFileTests`, `LogTests`: what people see.
/// - `Export…Tests`: sets of days, their revisions, what a run may meet, and the history of changes.
/// - `ExportDocsTests`: the blocks of docs/exports.md, run as they stand; `ExportRoundTripTests`: exported files read by
///   Python, pandas and DuckDB.
/// - `Compare…Tests`: two groups of sessions side by side, every number computed once more; docs/comparing.md as it stands.
/// - `ScriptTests`: the files that are run from outside.
enum IntegrationTests {
  /// The project's folder.
  static let projectFolder = String(
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))
}
