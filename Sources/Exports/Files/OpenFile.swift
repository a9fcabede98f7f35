#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file or directory; closed when it goes out of scope. No child process inherits it.
struct OpenFile: ~Copyable, Sendable {
  let descriptor: Int32

  /// Opens by a path.
  init(path: String, _ flags: Int32) throws(FileFault) {
    descriptor = try calling { open(path, flags | O_CLOEXEC) }
  }

  /// Opens by a name within a directory that is open.
  init(_ name: EntryName, _ flags: Int32, permissions: mode_t = 0, in directory: Int32) throws(FileFault) {
    descriptor = try calling { openat(directory, name.cString, flags | O_CLOEXEC, permissions) }
  }

  deinit { close(descriptor) }

  /// Writes all of it at the file's position.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileFault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try calling { platformWrite(descriptor, rest) }
      // A call that writes nothing and reports nothing would be repeated for ever.
      guard count > 0 else { throw FileFault(code: EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes a text as UTF-8 at the file's position.
  func write(_ text: String) throws(FileFault) {
    try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(FileFault) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Reads to the end; nil where there is more than the limit.
  func read(limit: Int) throws(FileFault) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try calling { platformRead(descriptor, &buffer) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { return nil }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// Makes bytes and attributes, or a directory's entries, durable.
  func synchronize() throws(FileFault) {
    #if canImport(Darwin)
      // fsync leaves the bytes in the drive's cache there.
      try calling { fcntl(descriptor, F_FULLFSYNC) }
    #else
      try calling { fsync(descriptor) }
    #endif
  }

  func setPermissions(_ permissions: mode_t) throws(FileFault) {
    try calling { fchmod(descriptor, permissions) }
  }

  func status() throws(FileFault) -> FileStatus {
    var status = stat()
    try calling { fstat(descriptor, &status) }
    return FileStatus(status)
  }
}

/// What stands under a name.
struct FileStatus: Equatable {
  enum Kind: Equatable {
    case file
    case directory
    case link
    /// A device, a pipe, a socket.
    case other
  }

  let kind: Kind
  /// Device and inode: equal exactly where two names lead to one file.
  let identity: [UInt64]
  /// Who may read and write it, and what else chmod sets.
  let permissions: mode_t

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case _: .other
      }
    identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
    permissions = status.st_mode & 0o7777
  }
}

// Outside of the type, whose methods would hide them.
private func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func platformRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
