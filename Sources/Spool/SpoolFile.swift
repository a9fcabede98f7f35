/// An open file of a spool; closed when it goes out of scope.
///
/// The one place that repeats interrupted calls and goes on after short ones.
struct SpoolFile: ~Copyable, Sendable {
  let path: String
  private let descriptor: Int32
  private let fileSystem: any SpoolFileSystem

  init(_ path: String, _ access: FileAccess, on fileSystem: any SpoolFileSystem) throws(SpoolError) {
    descriptor = try retrying(.open, path) { () throws(SystemFailure) in try fileSystem.open(path, access) }
    self.path = path
    self.fileSystem = fileSystem
  }

  deinit {
    fileSystem.close(descriptor)
  }

  /// Writes all of `bytes` at `offset`, and as much of `filling` behind it as goes in the same calls.
  ///
  /// - Returns: the bytes of `filling` that were written: fewer are no failure.
  @discardableResult
  func write(
    _ bytes: UnsafeRawBufferPointer, filling: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    at offset: Int64
  ) throws(SpoolError) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let written = try retrying(.write, path) { [done] () throws(SystemFailure) in
        try fileSystem.write(descriptor, rest, filling: filling, at: offset + Int64(done))
      }
      // A call that writes nothing and reports nothing would be repeated for ever.
      guard written > 0 else { throw SystemFailure.inputOutput.error(.write, path) }
      done += written
    }
    return done - bytes.count
  }

  /// Writes a small structure, as the other form does.
  @discardableResult
  func write(
    _ bytes: [UInt8], filling: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0), at offset: Int64
  ) throws(SpoolError) -> Int {
    try bytes.withUnsafeBufferPointer { (bytes) throws(SpoolError) in
      try write(UnsafeRawBufferPointer(bytes), filling: filling, at: offset)
    }
  }

  /// Reads `buffer.count` bytes at `offset`, fewer only at the end of the file.
  ///
  /// A page that the disk cannot read is given as zeros: its records then fail their checksum and are skipped like any
  /// other damage, instead of stopping everything behind them.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SpoolError) -> Int {
    var done = 0
    var pageByPage = false
    while done < buffer.count {
      let toPageEnd = Self.pageBytes - Int(offset + Int64(done)) % Self.pageBytes
      let end = pageByPage ? min(buffer.count, done + toPageEnd) : buffer.count
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<end])
      do {
        let count = try retryingInterrupted { [done] () throws(SystemFailure) in
          try fileSystem.read(descriptor, into: rest, at: offset + Int64(done))
        }
        guard count > 0 else { break }
        done += count
      } catch .inputOutput {
        if pageByPage {
          guard offset + Int64(done) < (try bytes()) else { break }
          rest.initializeMemory(as: UInt8.self, repeating: 0)
          done += rest.count
        }
        pageByPage = true
      } catch {
        throw error.error(.read, path)
      }
    }
    return done
  }

  /// Makes the bytes durable. Must not be called again after it threw: the system may have dropped what it could not
  /// write, and would then report success.
  func synchronizeData() throws(SpoolError) {
    try retrying(.synchronize, path) { () throws(SystemFailure) in try fileSystem.synchronizeData(descriptor) }
  }

  /// Makes bytes, attributes, or a directory's entries durable.
  func synchronize() throws(SpoolError) {
    try retrying(.synchronize, path) { () throws(SystemFailure) in try fileSystem.synchronize(descriptor) }
  }

  func truncate(to bytes: Int64) throws(SpoolError) {
    try retrying(.truncate, path) { () throws(SystemFailure) in try fileSystem.truncate(descriptor, to: bytes) }
  }

  func attributes() throws(SpoolError) -> FileAttributes {
    try retrying(.inspect, path) { () throws(SystemFailure) in try fileSystem.attributes(descriptor) }
  }

  func bytes() throws(SpoolError) -> Int64 {
    try attributes().bytes
  }

  func setModificationTime(microseconds: Int64) throws(SpoolError) {
    try retrying(.inspect, path) { () throws(SystemFailure) in
      try fileSystem.setModificationTime(descriptor, microseconds: microseconds)
    }
  }

  /// Takes the exclusive lock, which ends with this value; false when another holds it.
  func tryLock() throws(SpoolError) -> Bool {
    do {
      try retryingInterrupted { () throws(SystemFailure) in try fileSystem.lock(descriptor) }
      return true
    } catch .wouldBlock {
      return false
    } catch {
      throw error.error(.lock, path)
    }
  }

  private static let pageBytes = 4096
}

/// Repeats a call while a signal interrupts it.
func retryingInterrupted<Result: ~Copyable>(
  _ call: () throws(SystemFailure) -> Result
) throws(SystemFailure) -> Result {
  while true {
    do {
      return try call()
    } catch .interrupted {
      continue
    } catch {
      throw error
    }
  }
}

/// Repeats a call while a signal interrupts it, and gives every other failure the module's form.
@discardableResult
func retrying<Result: ~Copyable>(
  _ operation: SpoolOperation, _ path: String, _ call: () throws(SystemFailure) -> Result
) throws(SpoolError) -> Result {
  do {
    return try retryingInterrupted(call)
  } catch {
    throw error.error(operation, path)
  }
}
