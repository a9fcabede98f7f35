/// The system calls a spool makes, so that tests can make them fail, stop half way, or forget what was not synced.
///
/// Each method is one call: what it may not do at once (a short write, an interrupted call) is dealt with once, in
/// ``SpoolFile``. Paths are absolute or relative to the working directory.
package protocol SpoolFileSystem: Sendable {
  /// Opens a file and returns its descriptor, which no child process inherits.
  func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32

  /// Closes a descriptor. Errors of close are not reported: what matters was synced before.
  func close(_ descriptor: Int32)

  /// Reads up to `buffer.count` bytes at `offset`; 0 at the end of the file.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemFailure)
    -> Int

  /// Writes `bytes`, then `filling`, at `offset`, and returns how many of them all were written.
  func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, filling: UnsafeRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int

  /// Makes the file's bytes, and what is needed to find them again, durable.
  func synchronizeData(_ descriptor: Int32) throws(SystemFailure)

  /// Makes a file, or a directory's entries, durable with all attributes.
  func synchronize(_ descriptor: Int32) throws(SystemFailure)

  /// Cuts a file off at `bytes`.
  func truncate(_ descriptor: Int32, to bytes: Int64) throws(SystemFailure)

  /// A file's size and modification time.
  func attributes(_ descriptor: Int32) throws(SystemFailure) -> FileAttributes

  /// Sets a file's modification time, in microseconds since 1970.
  func setModificationTime(_ descriptor: Int32, microseconds: Int64) throws(SystemFailure)

  /// Takes the file's exclusive advisory lock without waiting; `SystemFailure.wouldBlock` when another has it.
  func lock(_ descriptor: Int32) throws(SystemFailure)

  /// Makes a directory that only its owner can enter; `SystemFailure.exists` where there is one.
  func makeDirectory(_ path: String) throws(SystemFailure)

  /// The names in a directory, in any order.
  func list(_ path: String) throws(SystemFailure) -> [String]

  /// Renames a file, replacing what has the new name.
  func rename(_ path: String, to newPath: String) throws(SystemFailure)

  /// Removes a file's name.
  func remove(_ path: String) throws(SystemFailure)

  /// The room on the disk that a path is on.
  func space(at path: String) throws(SystemFailure) -> DiskSpace
}

/// How a file is opened.
package enum FileAccess: Sendable {
  case readOnly
  /// Reading and writing; made where it does not exist.
  case readWrite
  /// Reading and writing; must not exist yet.
  case createNew
  /// A directory, to sync its entries.
  case directory
}

/// A file's size and modification time.
package struct FileAttributes: Sendable {
  package var bytes: Int64
  package var modifiedAtMicroseconds: Int64

  package init(bytes: Int64, modifiedAtMicroseconds: Int64) {
    self.bytes = bytes
    self.modifiedAtMicroseconds = modifiedAtMicroseconds
  }
}

/// The room on a disk.
package struct DiskSpace: Sendable {
  /// What an unprivileged process may still use.
  package var availableBytes: Int64
  package var totalBytes: Int64

  package init(availableBytes: Int64, totalBytes: Int64) {
    self.availableBytes = availableBytes
    self.totalBytes = totalBytes
  }
}

/// What a spool takes from outside, so that tests decide it.
package struct SpoolEnvironment: Sendable {
  package var fileSystem: any SpoolFileSystem

  /// Microseconds since 1970.
  package var nowMicroseconds: @Sendable () -> Int64

  /// That many bytes nobody can guess.
  package var randomBytes: @Sendable (Int) -> [UInt8]

  package init(
    fileSystem: any SpoolFileSystem, nowMicroseconds: @escaping @Sendable () -> Int64,
    randomBytes: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.fileSystem = fileSystem
    self.nowMicroseconds = nowMicroseconds
    self.randomBytes = randomBytes
  }
}
