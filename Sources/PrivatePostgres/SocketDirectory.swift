#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a server's socket lies.
///
/// In the home, unless that path is too long for a socket's address (107 bytes on Linux, 103 on macOS) or has
/// characters that libpq or the server's settings take apart (commas, quotes). Then in a short directory that is named
/// by a hash of the home's path: below `/run/pagefall` for root, else below `/tmp/pagefall-UID`, each made with mode
/// 0700 and refused when it belongs to someone else. The running server's `postmaster.pid` tells which it is.
enum SocketDirectory {
  /// `sun_path` less its end and `/.s.PGSQL.5432`.
  static let maximumBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 - 14

  /// Makes the directory, owned by the server's user.
  static func prepare(home: String, user: ServerUser) throws(PrivatePostgresError) -> String {
    let inHome = "\(home)/socket"
    if isPlain(inHome), inHome.utf8.count <= maximumBytes {
      try makeOwned(inHome, by: user)
      return inHome
    }
    let isRoot = geteuid() == 0
    let parent =
      isRoot && SystemCalls.target("/run")?.isDirectory == true ? "/run/pagefall" : "/tmp/pagefall-\(geteuid())"
    try SystemCalls.makeDirectory(parent, permissions: isRoot ? 0o711 : 0o700)
    // In /tmp anybody may have made it before.
    guard let found = SystemCalls.information(parent), found.isDirectory, found.ownerID == geteuid(),
      found.permissions & 0o022 == 0
    else {
      throw .notPermitted(
        path: parent,
        reason: "is not a directory of \(ServerUser.displayName(geteuid()))'s alone; remove it, or "
          + "choose a shorter --data-dir")
    }
    let directory = "\(parent)/\(PathHash.hexadecimal(home))"
    try makeOwned(directory, by: user)
    return directory
  }

  /// Removes a directory outside of the home when its server is gone.
  static func discard(_ directory: String, home: String) {
    if !directory.hasPrefix(home + "/") { rmdir(directory) }
  }

  private static func makeOwned(_ path: String, by user: ServerUser) throws(PrivatePostgresError) {
    try SystemCalls.makeDirectory(path, permissions: 0o700)
    guard let found = SystemCalls.information(path), found.isDirectory else {
      throw .notPermitted(path: path, reason: "is in the way of a directory for the database's socket; remove it")
    }
    if found.ownerID == user.userID { return }
    guard found.ownerID == geteuid() else {
      throw .notPermitted(path: path, reason: "belongs to \(ServerUser.displayName(found.ownerID)); remove it")
    }
    try SystemCalls.giveDirectory(path, to: user.userID, group: user.groupID)
  }

  /// Whether it means itself to libpq, to a list in `postgresql.conf` and to a shell.
  private static func isPlain(_ path: String) -> Bool {
    path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}

/// A short name for a path (FNV-1a, 64 bits). Two paths with one hash are told apart by what is recorded there.
enum PathHash {
  static func hexadecimal(_ path: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
