import Foundation
import TestSupport
import Testing

/// What `pagefall export` writes, read by other people's programs: values come back as they were sent, and numbers are those
/// of reports.
@Suite(.enabled(if: PythonPackages.areThere, PythonPackages.reason)) struct ExportRoundTripTests {
  @Test func `hostile values come back equal from Python, pandas and DuckDB`() throws {
    let directory = try TemporaryDirectory()
    let database = try TestDatabase.migrated()
    let run = try PagefallProcess.run(
      [
        Self.fixture("exports/round_trip.py"), PagefallProcess.binaryPath, database.connectionString, directory.path,
      ], timeout: .seconds(120), binary: PythonPackages.python())
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardError == "")
    // Each of three readers has read each of two formats by each of three compressions, and every event.
    let lines = run.standardOutput.split(separator: "\n")
    #expect(lines.count == 18)
    #expect(Set(lines.compactMap { $0.split(separator: ": ").last }).count == 1, "\(run.standardOutput)")
    #expect(lines.first?.hasSuffix(" events") == true && lines.first?.hasSuffix(": 0 events") == false)
  }

  static func fixture(_ name: String) -> String { "\(IntegrationTests.projectFolder)/Tests/Fixtures/\(name)" }
}
