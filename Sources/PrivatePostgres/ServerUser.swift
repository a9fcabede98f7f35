#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The user that runs a server, and how this process runs programs as that user.
///
/// An ordinary user runs it themselves. Root cannot (PostgreSQL refuses), so a program changes the user between fork
/// and exec, which `posix_spawn` cannot do. In this order, the first that works:
///
/// 1. `setpriv` (util-linux, part of every Debian and Fedora): changes the ids and execs, nothing else; no PAM session.
/// 2. `runuser` (util-linux): the same by way of PAM.
/// 3. `sudo` (macOS has no other), 4. `su`.
package struct ServerUser: Sendable {
  /// Its name, as the server sees it.
  package let name: String
  package let userID: uid_t
  package let groupID: gid_t
  private let changer: Changer?

  /// A program that changes the user, by its path.
  private enum Changer: Sendable {
    case setpriv(String)
    case runuser(String)
    case sudo(String)
    case su(String)
  }

  /// The user for a server whose files belong, or shall belong, to `owner`.
  ///
  /// For root, with files of root's: `postgres`, which the distribution's packages make; else `nobody`.
  package static func choose(owner: uid_t) throws(PrivatePostgresError) -> ServerUser {
    let current = geteuid()
    if current != 0 {
      guard let account = account(current) else {
        throw .noServerUser(reason: "the user \(current) has no entry in the list of users, which PostgreSQL needs")
      }
      return ServerUser(name: account.name, userID: current, groupID: getegid(), changer: nil)
    }
    let candidates = owner == 0 ? [account("postgres"), account("_postgres"), account("nobody")] : [account(owner)]
    guard let account = candidates.compactMap({ $0 }).first(where: { $0.userID != 0 }) else {
      throw .noServerUser(reason: owner == 0 ? "there is no user postgres or nobody" : "the user \(owner) has no name")
    }
    for changer in installedChangers() {
      let user = ServerUser(name: account.name, userID: account.userID, groupID: account.groupID, changer: changer)
      if (try? user.run(["/bin/sh", "-c", ":"], directory: "/", timeout: .seconds(20)))?.status == 0 { return user }
    }
    throw .noServerUser(reason: "setpriv, runuser, sudo and su are missing or cannot change to \(account.name)")
  }

  /// Runs a program as this user, in a directory that it can enter.
  package func run(
    _ command: [String], directory: String, input: [UInt8] = [], timeout: Duration
  ) throws(PrivatePostgresError) -> ChildProcess.Output {
    let environment = ChildProcess.environment()
    return try ChildProcess.run(
      wrapped(command, environment: environment), environment: environment, directory: directory, input: input,
      timeout: timeout)
  }

  /// Whether this user can reach the directory by its path, and write there.
  func canUse(_ directory: String) throws(PrivatePostgresError) -> Bool {
    try run(
      ["/bin/sh", "-c", "cd -- \"$1\" 2>&1 && test -w .", "sh", directory], directory: "/", timeout: .seconds(20)
    ).status == 0
  }

  /// The command that runs `command` as this user.
  private func wrapped(_ command: [String], environment: [String]) -> [String] {
    switch changer {
    case nil: command
    case .setpriv(let path): [path, "--reuid=\(userID)", "--regid=\(groupID)", "--init-groups", "--"] + command
    case .runuser(let path): [path, "-u", name, "--"] + command
    // sudo empties the environment.
    case .sudo(let path): [path, "-n", "-u", name, "--", "/usr/bin/env", "-i"] + environment + command
    case .su(let path): [path, "-s", "/bin/sh", name, "-c", "exec \"$0\" \"$@\"", "--"] + command
    }
  }

  private static func installedChangers() -> [Changer] {
    func find(_ name: String) -> String? {
      ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
    return [
      find("setpriv").map(Changer.setpriv), find("runuser").map(Changer.runuser), find("sudo").map(Changer.sudo),
      find("su").map(Changer.su),
    ].compactMap { $0 }
  }

  private struct Account {
    let name: String
    let userID: uid_t
    let groupID: gid_t

    init(_ entry: passwd) {
      name = String(cString: entry.pw_name)
      userID = entry.pw_uid
      groupID = entry.pw_gid
    }
  }

  private static func account(_ name: String) -> Account? {
    lookUp { entry, buffer, size, found in getpwnam_r(name, entry, buffer, size, found) }
  }

  private static func account(_ identifier: uid_t) -> Account? {
    lookUp { entry, buffer, size, found in getpwuid_r(identifier, entry, buffer, size, found) }
  }

  /// The name of a user for messages; the number where it has none.
  static func displayName(_ identifier: uid_t) -> String { account(identifier)?.name ?? String(identifier) }

  private static func lookUp(
    _ body: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) -> Account? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer -> Account? in
      guard let base = buffer.baseAddress, body(&entry, base, buffer.count, &found) == 0, found != nil else {
        return nil
      }
      return Account(entry)
    }
  }
}
