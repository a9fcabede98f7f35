import Foundation

/// The built command `pagefall`, run as a user would.
///
/// Its environment is the test's own without `PG*` and `PAGEFALL_*`, plus what the test gives.
public struct PagefallProcess {
  /// How a run ended.
  public struct Result: Sendable {
    /// The exit code; 128 + n when signal n ended it.
    public let exitCode: Int32
    public let standardOutput: String
    public let standardError: String
  }

  /// The binary of this build: what `PAGEFALL_BINARY` names, else `pagefall` beside the tests, else in `.build`.
  public static var binaryPath: String {
    get throws {
      let candidates = candidatePaths()
      guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
        throw TestSupportError("no pagefall in \(candidates.joined(separator: ", ")); build it first")
      }
      return path
    }
  }

  /// Runs it to its end.
  /// - Parameters:
  ///   - input: what it reads from standard input.
  ///   - timeout: then it is killed and an error thrown.
  ///   - binary: another program in its place.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], directory: String? = nil,
    timeout: Duration = .seconds(60), binary: String? = nil
  ) throws -> Result {
    let running = try Running(
      arguments, environment: environment, input: input, directory: directory, binary: binary)
    let exitCode = try running.waitForExit(timeout: timeout)
    return Result(
      exitCode: exitCode, standardOutput: running.standardOutput, standardError: running.standardError)
  }

  /// Starts it, to be stopped by the test; it is killed at the latest when the value is let go.
  public static func start(
    _ arguments: [String], environment: [String: String] = [:], directory: String? = nil, binary: String? = nil
  ) throws -> Running {
    try Running(arguments, environment: environment, input: [], directory: directory, binary: binary)
  }

  private static func candidatePaths() -> [String] {
    var directories: [String] = []
    if let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      directories.append((executable as NSString).deletingLastPathComponent)
    }
    // macOS runs a helper of the toolchain's with the bundle's path among its arguments.
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      let parts = argument.components(separatedBy: "/")
      if let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) {
        directories.append(parts[..<bundle].joined(separator: "/"))
      }
    }
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    directories += ["\(top)/.build/debug", "\(top)/.build/release"]
    let named = ProcessInfo.processInfo.environment["PAGEFALL_BINARY"].map { [$0] } ?? []
    return named + directories.map { "\($0)/pagefall" }
  }
}
