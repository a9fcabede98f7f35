/// Runs programs of the system's: those that read files, mount, or count.
public enum Program {
  /// Runs it to its end; it must succeed.
  /// - Parameter name: of a program in the path, or its own path.
  /// - Returns: what it printed.
  public static func run(_ name: String, _ arguments: [String]) throws -> String {
    let run = try PagefallProcess.run([name] + arguments, binary: "/usr/bin/env")
    guard run.exitCode == 0 else { throw TestSupportError("\(name) ended with \(run.exitCode): \(run.standardError)") }
    return run.standardOutput
  }

  /// A file's SHA-256 in hexadecimal digits, by a program that each system has under its own name.
  public static func sha256(_ path: String) throws -> String {
    let script = "sha256sum \"$1\" 2>/dev/null || shasum -a 256 \"$1\""
    return String(try run("/bin/sh", ["-c", script, "sh", path]).prefix { $0 != " " })
  }
}
