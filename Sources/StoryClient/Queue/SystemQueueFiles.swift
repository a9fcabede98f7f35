import Foundation

/// The system's files.
package struct SystemQueueFiles: QueueFiles {
  /// The system's files.
  package init() {}

  package func makeDirectory(_ path: String) throws(FileFault) {
    do {
      #if canImport(Darwin)
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true,
          attributes: [
            .posixPermissions: 0o700, .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication,
          ])
        // The install identifier of one device must not come to life on another.
        var url = URL(fileURLWithPath: path, isDirectory: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
      #else
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      #endif
    } catch {
      throw FileFault(Self.code(of: error))
    }
  }

  /// Foundation hides the system's code one level deep.
  private static func code(of error: any Error) -> Int32 {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain {
      return Int32(cause.code)
    }
    return error.code == CocoaError.fileWriteOutOfSpace.rawValue ? ENOSPC : EIO
  }

  package func names(in path: String) throws(FileFault) -> [String] {
    guard let directory = opendir(path) else { throw FileFault(errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  package func read(_ path: String, mostBytes: Int) throws(FileFault) -> [UInt8] {
    // Not waiting: a pipe that has got the name must not hold anybody up.
    let descriptor = try repeated { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    defer { close(descriptor) }
    let size = min(try status(descriptor).size, mostBytes)
    guard size > 0 else { return [] }
    var fault: FileFault?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let result = Foundation.read(descriptor, buffer.baseAddress! + count, size - count)
        if result < 0, errno == EINTR { continue }
        if result < 0 { fault = FileFault(errno) }
        if result <= 0 { break }
        count += result
      }
    }
    if let fault { throw fault }
    return bytes
  }

  package func status(_ path: String) throws(FileFault) -> FileStatus {
    var status = stat()
    _ = try repeated { lstat(path, &status) }
    return FileStatus(status)
  }

  package func status(_ descriptor: Int32) throws(FileFault) -> FileStatus {
    var status = stat()
    _ = try repeated { fstat(descriptor, &status) }
    return FileStatus(status)
  }

  package func openToAppend(_ path: String, isNew: Bool) throws(FileFault) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : 0)
    return try repeated { open(path, flags, 0o600) }
  }

  package func append(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileFault) -> Int {
    while true {
      let count = write(descriptor, bytes, bytes.count)
      if count >= 0 { return count }
      if errno != EINTR { throw FileFault(errno) }
    }
  }

  package func truncate(_ descriptor: Int32, to size: Int) throws(FileFault) {
    _ = try repeated { ftruncate(descriptor, off_t(size)) }
  }

  package func close(_ descriptor: Int32) { _ = Foundation.close(descriptor) }

  package func rename(_ path: String, to newPath: String) throws(FileFault) {
    _ = try repeated { Foundation.rename(path, newPath) }
  }

  package func link(_ path: String, to newPath: String) throws(FileFault) {
    _ = try repeated { Foundation.link(path, newPath) }
  }

  package func remove(_ path: String) throws(FileFault) { _ = try repeated { unlink(path) } }

  /// Calls the system again where a signal came in between.
  private func repeated(_ call: () -> Int32) throws(FileFault) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw FileFault(errno) }
    }
  }
}

extension FileStatus {
  /// Far beyond every clock, and still far from an overflow in microseconds.
  private static let mostSeconds: Int64 = 1 << 40

  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    // Some disks keep times that no count of microseconds reaches.
    let seconds = min(max(-Self.mostSeconds, Int64(modified.tv_sec)), Self.mostSeconds)
    self.init(
      // The size of a directory that has a file's name says nothing.
      size: status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0,
      modifiedMicroseconds: seconds * 1_000_000 + Int64(modified.tv_nsec) / 1_000,
      identity: UInt64(status.st_ino))
  }
}
