import TestSupport
import Testing

/// Expects an exit code, one line on standard error, and nothing on standard output.
func expectRefusal(
  _ run: PagefallProcess.Result, _ exitCode: Int32, says: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(run.exitCode == exitCode, "\(run.standardError)", sourceLocation: sourceLocation)
  #expect(run.standardOutput == "", sourceLocation: sourceLocation)
  #expect(run.standardError.hasPrefix("pagefall: "), sourceLocation: sourceLocation)
  #expect(run.standardError.contains(says), "\(run.standardError)", sourceLocation: sourceLocation)
  #expect(
    run.standardError.hasSuffix("\n") && run.standardError.split(separator: "\n").count == 1, "\(run.standardError)",
    sourceLocation: sourceLocation)
}
