import Foundation

/// The file operations of the queue, so that tests decide which of them fail. Paths are absolute.
package protocol QueueFiles: Sendable {
  /// Makes a directory and those above it; no error where it is there. Its files are protected until the device is unlocked for the
  /// first time, and are no part of backups.
  func makeDirectory(_ path: String) throws(FileFault)
  /// The names of what is in a directory, in any order.
  func names(in path: String) throws(FileFault) -> [String]
  /// A file's first bytes, at most so many.
  func read(_ path: String, mostBytes: Int) throws(FileFault) -> [UInt8]
  /// What the path leads to.
  func status(_ path: String) throws(FileFault) -> FileStatus
  /// What an open file is.
  func status(_ descriptor: Int32) throws(FileFault) -> FileStatus
  /// Opens a file to append to it; `isNew`: it must not be there.
  func openToAppend(_ path: String, isNew: Bool) throws(FileFault) -> Int32
  /// Appends with one call of the system. Returns how many bytes were written: fewer where there was no room for all.
  func append(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileFault) -> Int
  /// Cuts an open file.
  func truncate(_ descriptor: Int32, to size: Int) throws(FileFault)
  /// Closes an open file.
  func close(_ descriptor: Int32)
  /// Gives a file another name, replacing what has it.
  func rename(_ path: String, to newPath: String) throws(FileFault)
  /// Gives a file a second name, which must be free.
  func link(_ path: String, to newPath: String) throws(FileFault)
  /// Removes a file.
  func remove(_ path: String) throws(FileFault)
}

/// What the queue needs to know of a file.
package struct FileStatus: Sendable, Equatable {
  /// In bytes.
  package var size: Int
  /// The last write, in microseconds since 1970.
  package var modifiedMicroseconds: Int64
  /// Which file it is, on its disk.
  package var identity: UInt64

  /// States the three.
  package init(size: Int, modifiedMicroseconds: Int64, identity: UInt64) {
    self.size = size
    self.modifiedMicroseconds = modifiedMicroseconds
    self.identity = identity
  }
}

/// Why a file operation failed: `errno`.
package struct FileFault: Error, Equatable, Sendable {
  /// The code of the system.
  package var code: Int32

  /// Takes a code of the system.
  package init(_ code: Int32) { self.code = code }

  /// There is no such file.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// The name is taken.
  var isTaken: Bool { code == EEXIST }
  /// No room on the disk, or none left for this user.
  var isFull: Bool { code == ENOSPC || code == EDQUOT }
}
