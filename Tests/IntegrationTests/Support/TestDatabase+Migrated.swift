import Foundation
import TestSupport
import Testing

extension TestDatabase {
  /// A database with the schema, as `pagefall database migrate` makes it.
  static func migrated() throws -> TestDatabase {
    try TestDatabase(template: "schema") { try migrate($0) }
  }

  /// The same, empty, for all tests that only read.
  static func unchanged() throws -> TestDatabase { try shared.get() }

  private static let shared = Result { try migrated() }

  /// Brings any database to the present schema.
  static func migrate(_ connectionString: String) throws {
    let run = try PagefallProcess.run(["database", "migrate", "--database", connectionString])
    try #require(run.exitCode == 0, "\(run.standardError)")
  }
}

/// Makes a write key, as `pagefall key create` prints it.
func createKey(_ connectionString: String, app: String = "demo", right: String = "ingest") throws -> String {
  let run = try PagefallProcess.run(
    ["key", "create", "--app", app, "--right", right, "--database", connectionString])
  try #require(run.exitCode == 0, "\(run.standardError)")
  return run.standardOutput.trimmingCharacters(in: .newlines)
}

/// Asks again and again, until the answer is right or the time is over.
/// - Returns: whether it was right in time.
func eventually(within limit: Duration = .seconds(60), _ isRight: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  repeat {
    if try isRight() { return true }
    usleep(20_000)
  } while ContinuousClock.now < deadline
  return false
}

/// How long something takes.
func time(_ work: () throws -> Void) rethrows -> Duration {
  let begin = ContinuousClock.now
  try work()
  return ContinuousClock.now - begin
}
