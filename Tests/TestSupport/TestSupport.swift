// TestSupport: the real parts that tests stand on: PostgreSQL, fresh databases, temporary directories, the built command.
//
// - `TestServer`: one PostgreSQL for the whole test process; `TestDatabase`: a fresh database in it.
// - `DedicatedServer`: a PostgreSQL for one test that stops, kills or freezes it.
// - `TemporaryDirectory`, `SeededGenerator`, and `PagefallProcess` for the built `pagefall`.
//
// Everything lies below one temporary directory. A watchdog process notices the end of the test process, however it
// ends, stops what still runs and removes the directory. Databases are made with `psql`, so that the tests of the
// PostgreSQL client do not stand on what they test.

/// Why a part that a test needs could not be had.
public struct TestSupportError: Error, CustomStringConvertible {
  /// What failed.
  public let description: String

  init(_ description: String) { self.description = description }
}
