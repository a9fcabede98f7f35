import Foundation

/// The directory of one installation's programs: `initdb`, `pg_ctl` and `postgres`.
package struct PostgresPrograms: Sendable, Equatable {
  /// Where they are.
  package let directory: String
  /// The major version, such as `15`.
  package let majorVersion: String

  /// The path of one of them.
  package func path(_ program: String) -> String { "\(directory)/\(program)" }

  private static let needed = ["initdb", "pg_ctl", "postgres"]

  /// The installation for a cluster of that major version, or for a new one: PATH first, then the places where Debian
  /// and Ubuntu, the PostgreSQL project's RPMs and Homebrew put them (highest version first), then where `pg_config` says.
  /// - Parameter clusterVersion: what the cluster's `PG_VERSION` says; nil for a new cluster.
  package static func find(
    clusterVersion: String? = nil, directory clusterDirectory: String = ""
  ) throws(PrivatePostgresError) -> PostgresPrograms {
    var installed: [String] = []
    for directory in searchDirectories() where isComplete(directory) {
      guard let version = majorVersion(of: directory) else { continue }
      if clusterVersion == nil || clusterVersion == version {
        return PostgresPrograms(directory: directory, majorVersion: version)
      }
      if !installed.contains(version) { installed.append(version) }
    }
    if let clusterVersion, !installed.isEmpty {
      throw .otherVersion(
        directory: clusterDirectory, clusterVersion: clusterVersion, installedVersions: installed)
    }
    throw .programsNotFound(lookedIn: ["PATH"] + patterns.map { "\($0.parent)/\($0.prefix)*\($0.suffix)" })
  }

  /// A client program such as `psql`: beside the server of this version where one is given, else in PATH.
  package static func findClient(_ name: String, version: String?) throws(PrivatePostgresError) -> String {
    let directories = searchDirectories()
    let beside = version.map { version in directories.filter { majorVersion(of: $0) == version } } ?? []
    guard let directory = (beside + directories).first(where: { isExecutable("\($0)/\(name)") }) else {
      throw .programsNotFound(lookedIn: ["PATH for \(name)"])
    }
    return "\(directory)/\(name)"
  }

  private struct Pattern: Sendable {
    let parent: String
    let prefix: String
    let suffix: String
  }

  private static let patterns = [
    Pattern(parent: "/usr/lib/postgresql", prefix: "", suffix: "/bin"),
    Pattern(parent: "/usr", prefix: "pgsql-", suffix: "/bin"),
    Pattern(parent: "/opt/homebrew/opt", prefix: "postgresql", suffix: "/bin"),
    Pattern(parent: "/usr/local/opt", prefix: "postgresql", suffix: "/bin"),
  ]

  private static func searchDirectories() -> [String] {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
    let known = patterns.flatMap { pattern in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: pattern.parent)) ?? []
      return names.filter { $0.hasPrefix(pattern.prefix) }
        .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        .map { "\(pattern.parent)/\($0)\(pattern.suffix)" }
    }
    // Last, as it has to be run: an installation that only pg_config knows.
    let configured = path.first { isExecutable("\($0)/pg_config") }.flatMap { directory in
      (try? ChildProcess.run(
        ["\(directory)/pg_config", "--bindir"], environment: ChildProcess.environment(), timeout: .seconds(10)))?
        .lastLine
    }
    return path + known + [configured].compactMap { $0 }
  }

  private static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  private static func isComplete(_ directory: String) -> Bool {
    needed.allSatisfy { isExecutable("\(directory)/\($0)") }
  }

  /// From `postgres (PostgreSQL) 15.18 (Debian …)`; a development version such as `19devel` is 19.
  private static func majorVersion(of directory: String) -> String? {
    guard isExecutable("\(directory)/postgres"),
      let output = try? ChildProcess.run(
        ["\(directory)/postgres", "--version"], environment: ChildProcess.environment(), timeout: .seconds(10)),
      output.status == 0
    else { return nil }
    return parseMajorVersion(output.text)
  }

  static func parseMajorVersion(_ text: String) -> String? {
    guard let mark = text.range(of: "(PostgreSQL) ") else { return nil }
    let digits = text[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : String(digits)
  }
}
