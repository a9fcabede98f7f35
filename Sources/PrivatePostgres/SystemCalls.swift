#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The system calls on files that this module needs, with their errors typed.
package enum SystemCalls {
  /// What `lstat` tells of a path.
  package struct FileInformation {
    package let ownerID: uid_t
    package let permissions: mode_t
    package let isDirectory: Bool
    package let sizeInBytes: Int64
    /// Device and inode: the same for two paths exactly when they are one file.
    package let identity: [UInt64]

    init(_ information: stat) {
      ownerID = information.st_uid
      permissions = information.st_mode & 0o7777
      isDirectory = information.st_mode & S_IFMT == S_IFDIR
      sizeInBytes = Int64(information.st_size)
      identity = [UInt64(truncatingIfNeeded: information.st_dev), UInt64(information.st_ino)]
    }
  }

  /// Errno in words.
  package static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// What stands at the path itself, links not followed; nil where nothing does or it cannot be seen.
  package static func information(_ path: String) -> FileInformation? {
    var information = stat()
    return lstat(path, &information) == 0 ? FileInformation(information) : nil
  }

  /// What the path leads to, links followed.
  static func target(_ path: String) -> FileInformation? {
    var information = stat()
    return stat(path, &information) == 0 ? FileInformation(information) : nil
  }

  /// Makes a directory with exactly these permissions, whatever the umask; false where there is one already.
  @discardableResult
  package static func makeDirectory(
    _ path: String, permissions: mode_t
  ) throws(PrivatePostgresError) -> Bool {
    guard mkdir(path, permissions) == 0 else {
      let code = errno
      if code == EEXIST, target(path)?.isDirectory == true { return false }
      if code == EACCES || code == EPERM || code == EROFS {
        throw .notPermitted(path: path, reason: "cannot be made (\(message(code))); choose another --data-dir")
      }
      throw .systemCall(name: "mkdir", path: path, code: code)
    }
    guard chmod(path, permissions) == 0 else { throw .systemCall(name: "chmod", path: path, code: errno) }
    return true
  }

  /// Makes a directory and those above it (0755).
  static func makeDirectories(_ path: String, permissions: mode_t) throws(PrivatePostgresError) {
    if target(path)?.isDirectory == true { return }
    let parent = parentPath(path)
    if parent != path { try makeDirectories(parent, permissions: 0o755) }
    try makeDirectory(path, permissions: permissions)
  }

  /// Gives a directory to a user, never through a link.
  package static func giveDirectory(
    _ path: String, to owner: uid_t, group: gid_t
  ) throws(PrivatePostgresError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .systemCall(name: "open", path: path, code: errno) }
    defer { close(descriptor) }
    guard fchown(descriptor, owner, group) == 0 else { throw .systemCall(name: "chown", path: path, code: errno) }
  }

  /// The last bytes of a file as text, at most `limit` of them; nil where it cannot be read.
  package static func readText(_ path: String, limit: Int = 16_384) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0, lseek(descriptor, max(0, end - off_t(limit)), SEEK_SET) >= 0 else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Puts a small file in place of what stands there, whole or not at all.
  static func writeText(_ text: String, to path: String) throws(PrivatePostgresError) {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw .systemCall(name: "open", path: temporary, code: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw .systemCall(name: "write", path: temporary, code: errno)
    }
    guard rename(temporary, path) == 0 else { throw .systemCall(name: "rename", path: path, code: errno) }
  }

  /// The path without links and `..`; made absolute at least where it does not exist.
  package static func canonicalPath(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }

  static func parentPath(_ path: String) -> String {
    var trimmed = Substring(path)
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }
}
