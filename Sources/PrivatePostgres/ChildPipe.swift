#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pipe to or from a child; both ends are close-on-exec.
package final class ChildPipe {
  package private(set) var readEnd: Int32
  package private(set) var writeEnd: Int32

  /// Makes a pipe that already holds these bytes, at most 32 KiB: both ends are open while they are written, so
  /// that no reader's end can raise SIGPIPE.
  package init(containing bytes: [UInt8]) throws(PrivatePostgresError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .systemCall(name: "pipe", path: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    if !bytes.isEmpty, write(writeEnd, bytes, bytes.count) != bytes.count {
      throw .systemCall(name: "write", path: "pipe", code: errno)
    }
  }

  deinit { closeBoth() }

  /// Closes the end that a child writes to, so that its end is seen.
  package func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  /// Leaves the write end open until this process ends, so that the reader notices the end.
  package func keepWriteEndForGood() { writeEnd = -1 }

  /// Closes what is still open.
  package func closeBoth() {
    closeWriteEnd()
    if readEnd >= 0 { close(readEnd) }
    readEnd = -1
  }

  /// Reads what is there, from a read end that does not block.
  /// - Returns: whether more may come.
  func drain(into bytes: inout [UInt8], keepingLast limit: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while true {
      let count = read(readEnd, &buffer, buffer.count)
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
        if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
      } else if count == 0 {
        return false
      } else if errno != EINTR {
        return errno == EAGAIN
      }
    }
  }
}
