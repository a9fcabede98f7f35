#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The real file system.
package struct SystemFileSystem: SpoolFileSystem {
  package init() {}

  package func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32 {
    let flags: Int32 =
      switch access {
      case .readOnly: O_RDONLY
      case .readWrite: O_RDWR | O_CREAT
      case .createNew: O_RDWR | O_CREAT | O_EXCL
      case .directory: O_RDONLY | O_DIRECTORY
      }
    #if canImport(Darwin)
      let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
    #else
      let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
    #endif
    return try checked(descriptor)
  }

  package func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  package func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int {
    try checked(pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
  }

  package func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, filling: UnsafeRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int {
    // The system only reads through these pointers; iovec has no const form.
    var pieces = (
      iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count),
      iovec(iov_base: UnsafeMutableRawPointer(mutating: filling.baseAddress), iov_len: filling.count)
    )
    let written = withUnsafeBytes(of: &pieces) { pieces in
      pwritev(descriptor, pieces.assumingMemoryBound(to: iovec.self).baseAddress, 2, off_t(offset))
    }
    return try checked(written)
  }

  package func synchronizeData(_ descriptor: Int32) throws(SystemFailure) {
    #if canImport(Darwin)
      // fsync leaves the bytes in the drive's cache there.
      try checked(fcntl(descriptor, F_FULLFSYNC))
    #else
      try checked(fdatasync(descriptor))
    #endif
  }

  package func synchronize(_ descriptor: Int32) throws(SystemFailure) {
    #if canImport(Darwin)
      try checked(fcntl(descriptor, F_FULLFSYNC))
    #else
      try checked(fsync(descriptor))
    #endif
  }

  package func truncate(_ descriptor: Int32, to bytes: Int64) throws(SystemFailure) {
    try checked(ftruncate(descriptor, off_t(bytes)))
  }

  package func attributes(_ descriptor: Int32) throws(SystemFailure) -> FileAttributes {
    var status = stat()
    try checked(fstat(descriptor, &status))
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    return FileAttributes(
      bytes: Int64(status.st_size),
      modifiedAtMicroseconds: Int64(modified.tv_sec) * 1_000_000 + Int64(modified.tv_nsec) / 1_000)
  }

  package func setModificationTime(_ descriptor: Int32, microseconds: Int64) throws(SystemFailure) {
    let time = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
    let times = [time, time]
    try checked(futimens(descriptor, times))
  }

  package func lock(_ descriptor: Int32) throws(SystemFailure) {
    try checked(flock(descriptor, LOCK_EX | LOCK_NB))
  }

  package func makeDirectory(_ path: String) throws(SystemFailure) {
    try checked(mkdir(path, 0o700))
  }

  package func list(_ path: String) throws(SystemFailure) -> [String] {
    guard let directory = opendir(path) else { throw .last }
    defer { closedir(directory) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .last }
    return names
  }

  package func rename(_ path: String, to newPath: String) throws(SystemFailure) {
    #if canImport(Darwin)
      try checked(Darwin.rename(path, newPath))
    #elseif canImport(Musl)
      try checked(Musl.rename(path, newPath))
    #else
      try checked(Glibc.rename(path, newPath))
    #endif
  }

  package func remove(_ path: String) throws(SystemFailure) {
    try checked(unlink(path))
  }

  package func space(at path: String) throws(SystemFailure) -> DiskSpace {
    var status = statvfs()
    try checked(statvfs(path, &status))
    let unit = Int64(status.f_frsize)
    return DiskSpace(
      availableBytes: Int64(status.f_bavail).multipliedClamping(by: unit),
      totalBytes: Int64(status.f_blocks).multipliedClamping(by: unit))
  }

  @discardableResult
  private func checked<Number: BinaryInteger>(_ result: Number) throws(SystemFailure) -> Number {
    guard result >= 0 else { throw .last }
    return result
  }
}

extension Int64 {
  /// The product, or the largest number where it would overflow (file systems that report absurd sizes).
  fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}

extension SpoolEnvironment {
  /// The real file system, clock and randomness.
  package static var system: SpoolEnvironment {
    SpoolEnvironment(
      fileSystem: SystemFileSystem(),
      nowMicroseconds: {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
      },
      randomBytes: { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      })
  }
}
