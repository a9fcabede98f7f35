import Synchronization

/// Keeps copies of damaged bytes for an operator to look at, in `quarantine/SEGMENT-OFFSET-BYTES.bytes`, up to a bound.
final class Quarantine: Sendable {
  private let directory: String
  private let maximumBytes: Int64
  private let fileSystem: any SpoolFileSystem

  /// The bytes that copies take; nil until the first copy makes or measures the folder.
  private let usedBytes = Mutex<Int64?>(nil)

  init(spoolDirectory: String, maximumBytes: Int64, fileSystem: any SpoolFileSystem) {
    directory = spoolDirectory + "/quarantine"
    self.maximumBytes = maximumBytes
    self.fileSystem = fileSystem
  }

  /// Copies `range` of a segment's file. Not synced: it is a convenience, and the original stays with its segment.
  ///
  /// - Returns: whether a copy exists now; false when the bound is reached.
  func copy(_ file: borrowing SpoolFile, segment: Int64, range: Range<Int64>) throws(SpoolError) -> Bool {
    var used = try usedBytes.withLock { (used) throws(SpoolError) in
      if let used { return used }
      let measured = try measure()
      used = measured
      return measured
    }
    let cost = max(Self.blockBytes, Int64(range.count))
    guard used + cost <= maximumBytes else { return false }
    let path = "\(directory)/\(segment)-\(range.lowerBound)-\(range.count).bytes"
    let copy: SpoolFile
    do {
      copy = try SpoolFile(path, .createNew, on: fileSystem)
    } catch .system(_, _, SystemFailure.exists.code) {
      return true
    } catch {
      throw error
    }
    used += cost
    usedBytes.withLock { $0 = used }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = Int(min(Int64(buffer.count), range.upperBound - offset))
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
      guard count > 0 else { break }
      try copy.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset - range.lowerBound)
      offset += Int64(count)
    }
    return true
  }

  private func measure() throws(SpoolError) -> Int64 {
    do {
      try retryingInterrupted { () throws(SystemFailure) in try fileSystem.makeDirectory(directory) }
    } catch .exists {
    } catch {
      throw error.error(.makeDirectory, directory)
    }
    let names = try retrying(.list, directory) { () throws(SystemFailure) in try fileSystem.list(directory) }
    var used: Int64 = 0
    for name in names {
      used += max(Self.blockBytes, try SpoolFile(directory + "/" + name, .readOnly, on: fileSystem).bytes())
    }
    return used
  }

  /// A file takes at least a block, however small, so that many small copies are bounded too.
  private static let blockBytes: Int64 = 4096
}
