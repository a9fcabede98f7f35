import Foundation
import TestSupport
import Testing

/// The Python that has what tests read exported files with: DuckDB and pandas.
enum PythonPackages {
  private static let result = Result {
    let run = try PagefallProcess.run(
      [], timeout: .seconds(300), binary: "\(IntegrationTests.projectFolder)/scripts/python-packages")
    try #require(run.exitCode == 0, "\(run.standardError)")
    return run.standardOutput.trimmingCharacters(in: .newlines)
  }

  /// Whether they are there, or could be had now.
  static let areThere = (try? python()) != nil

  /// Why a test that needs them is left out.
  static let reason: Comment =
    "the packages of scripts/python-packages.txt are not there, and could not be had from the network"

  /// Its path; made once by `scripts/python-packages`, which needs the network then.
  static func python() throws -> String { try result.get() }
}
