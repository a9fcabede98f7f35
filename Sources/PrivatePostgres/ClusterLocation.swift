#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A data directory, and where the home of its cluster lies.
struct ClusterLocation: Sendable {
  /// Without links, so that one directory has one name.
  let dataDirectory: String

  init(dataDirectory: String) {
    self.dataDirectory = SystemCalls.canonicalPath(dataDirectory)
  }

  var homeInside: String { "\(dataDirectory)/\(PrivateNames.home)" }
  var pointerFile: String { "\(dataDirectory)/postgres.location" }
  var lockFile: String { "\(dataDirectory)/postgres.lock" }
  var usersFile: String { "\(dataDirectory)/postgres.users" }
  var keepFile: String { "\(dataDirectory)/postgres.keep" }

  /// The owner of the data directory; root's own id when it does not exist.
  var ownerID: uid_t { SystemCalls.target(dataDirectory)?.ownerID ?? geteuid() }

  /// Finds the cluster.
  /// - Returns: nil where there is none.
  func find() throws(PrivatePostgresError) -> PostgresServer? {
    let home = try recordedHome() ?? homeInside
    guard let found = SystemCalls.information(home), found.isDirectory else { return nil }
    guard geteuid() == 0 || found.ownerID == geteuid() else {
      throw .notPermitted(
        path: home,
        reason: "belongs to \(ServerUser.displayName(found.ownerID)); run the command as "
          + "\(ServerUser.displayName(ownerID)), or choose another --data-dir")
    }
    guard SystemCalls.information("\(home)/data/PG_VERSION") != nil else { return nil }
    return PostgresServer(home: home, user: try ServerUser.choose(owner: found.ownerID))
  }

  /// Makes the home for a new cluster, where the server's user can work.
  func makeHome(notice: (String) -> Void) throws(PrivatePostgresError) -> PostgresServer {
    let user = try ServerUser.choose(owner: ownerID)
    let made = try SystemCalls.makeDirectory(homeInside, permissions: 0o700)
    try give(homeInside, to: user)
    if try user.canUse(homeInside) { return PostgresServer(home: homeInside, user: user) }
    if made { rmdir(homeInside) }
    guard geteuid() == 0 else {
      throw .notPermitted(path: homeInside, reason: "cannot be written; choose another --data-dir")
    }
    return try makeSystemHome(user: user, notice: notice)
  }

  /// A home outside of the data directory, for a server's user that cannot pass through to it.
  private func makeSystemHome(
    user: ServerUser, notice: (String) -> Void
  ) throws(PrivatePostgresError) -> PostgresServer {
    try SystemCalls.makeDirectories(PrivateNames.systemHomes, permissions: 0o755)
    let base = "\(PrivateNames.systemHomes)/\(PathHash.hexadecimal(dataDirectory))"
    var home = base
    var number = 1
    // Never the cluster of an earlier data directory at this path: nobody asked for its data.
    while SystemCalls.information("\(home)/data") != nil {
      notice("\(home) holds the database of an earlier \(dataDirectory); remove it if it is not needed")
      number += 1
      home = "\(base)-\(number)"
    }
    try SystemCalls.makeDirectory(home, permissions: 0o700)
    try give(home, to: user)
    guard try user.canUse(home) else {
      throw .noServerUser(reason: "\(user.name) can use neither \(homeInside) nor \(home)")
    }
    try SystemCalls.writeText("\(home)\n\(dataDirectory)\n", to: pointerFile)
    return PostgresServer(home: home, user: user)
  }

  private func give(_ home: String, to user: ServerUser) throws(PrivatePostgresError) {
    guard let found = SystemCalls.information(home), found.isDirectory else {
      throw .notPermitted(path: home, reason: "is in the way of the database's directory; remove it")
    }
    if found.ownerID != user.userID { try SystemCalls.giveDirectory(home, to: user.userID, group: user.groupID) }
  }

  /// What the pointer file says. A moved data directory keeps its database; a copy must not share the original's.
  private func recordedHome() throws(PrivatePostgresError) -> String? {
    guard let text = SystemCalls.readText(pointerFile) else { return nil }
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.count == 2, lines[0].hasPrefix("/") else { return nil }
    let (home, original) = (lines[0], lines[1])
    if original != dataDirectory {
      let other = ClusterLocation(dataDirectory: original)
      if let text = SystemCalls.readText(other.pointerFile), text.hasPrefix(home + "\n") {
        throw .copiedDirectory(path: dataDirectory, original: original, home: home)
      }
      try SystemCalls.writeText("\(home)\n\(dataDirectory)\n", to: pointerFile)
    }
    return home
  }
}
