#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension PostgresServer {
  /// What becomes of a cluster's data when the machine fails.
  package enum Durability: Sendable {
    /// Everything committed is there again.
    case full
    /// Whatever: for tests.
    case none
  }

  /// Makes the cluster with its database, in a home that the server's user owns.
  ///
  /// It is made aside and moved to its place as the last step, so a broken-off creation leaves nothing that looks
  /// like a cluster. All files are written by the server's user: root does not write where another user could have put a
  /// link.
  /// - Parameter settings: names of `postgresql.conf` and plain values, besides those of every private cluster.
  package func create(
    programs: PostgresPrograms, durability: Durability = .full, settings: [(name: String, value: String)] = []
  ) throws(PrivatePostgresError) {
    // A name of this creation's own: an initdb whose command was killed may still be at work in its directory.
    let unfinished = "new-" + String(UInt64.random(in: .min ... .max), radix: 36)
    try runShell("clearing \(home)", "rm -rf new-* 2>&1 || true")
    // Synced once, at the end: neither by initdb nor (-F) by the single-user server.
    try runProgram(
      programs, "initdb",
      [
        "-D", unfinished, "-U", PrivateNames.role, "--encoding=UTF8", "--locale=C", "--data-checksums", "--auth=peer",
        "--no-sync",
      ])
    let configuration = Self.configuration(durability: durability, settings: settings)
    try runShell(
      "writing the settings",
      """
      set -e; cd "$4"
      printf '%s' "$1" > pagefall.conf
      printf '%s' "$2" > pg_hba.conf
      printf '%s' "$3" > pg_ident.conf
      printf "\\n# The program's own settings; what stands below wins.\\ninclude 'pagefall.conf'\\n" >> postgresql.conf
      """, arguments: [configuration, Self.clientAuthentication, userNames(), unfinished])
    try runProgram(
      programs, "postgres", ["--single", "-F", "-D", unfinished, "-c", "exit_on_error=true", "template1"],
      input: Array("CREATE DATABASE \(PrivateNames.database)\n".utf8))
    switch durability {
    case .full: try runProgram(programs, "initdb", ["--sync-only", "-D", unfinished])
    case .none: break
    }
    try runShell("moving the new cluster to its place", "mv \"$1\" data", arguments: [unfinished])
  }

  /// Settings for a server of one machine's own: small, durable, quiet, and without a way in from outside.
  private static func configuration(durability: Durability, settings: [(name: String, value: String)]) -> String {
    var lines = [
      "# Settings of the private cluster; change them in postgresql.conf, below the include.",
      "listen_addresses = ''",
      "max_connections = 50",
      "shared_buffers = 256MB",
      "max_wal_size = 4GB",
      "checkpoint_timeout = 15min",
      "jit = off",
      "timezone = 'UTC'",
      "log_timezone = 'UTC'",
      "# No statement and no value of a row in the log.",
      "log_min_error_statement = panic",
      "log_error_verbosity = terse",
      "log_checkpoints = off",
    ]
    switch durability {
    case .full: lines += ["fsync = on", "synchronous_commit = on", "full_page_writes = on"]
    case .none: lines += ["fsync = off", "synchronous_commit = off", "full_page_writes = off"]
    }
    lines += settings.map { "\($0.name) = '\(quoted($0.value))'" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ value: String) -> String {
    String(value.flatMap { $0 == "'" ? ["'", "'"] : [$0] })
  }

  private static let clientAuthentication = """
    # The kernel says who a client is; pg_ident.conf says who may be role \(PrivateNames.role).
    local all all peer map=pagefall
    local replication all peer map=pagefall

    """

  private func userNames() -> String {
    let names = user.name == "root" ? ["root"] : ["root", user.name]
    return names.map { "pagefall \"\($0)\" \(PrivateNames.role)\n" }.joined()
  }

  private func runProgram(
    _ programs: PostgresPrograms, _ name: String, _ arguments: [String], input: [UInt8] = []
  ) throws(PrivatePostgresError) {
    let output = try user.run(
      [programs.path(name)] + arguments, directory: home, input: input, timeout: .seconds(180))
    guard output.status == 0, !output.timedOut else {
      throw .programFailed(program: name, detail: output.lastLine)
    }
  }

  private func runShell(
    _ purpose: String, _ script: String, arguments: [String] = []
  ) throws(PrivatePostgresError) {
    let output = try user.run(
      ["/bin/sh", "-c", script, "sh"] + arguments, directory: home, timeout: .seconds(60))
    guard output.status == 0 else { throw .programFailed(program: purpose, detail: output.lastLine) }
  }
}
