#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A failed system call's `errno`, and what the spool decides from it.
package struct SystemFailure: Error, Equatable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  package static let interrupted = SystemFailure(code: EINTR)
  package static let exists = SystemFailure(code: EEXIST)
  package static let missing = SystemFailure(code: ENOENT)
  package static let wouldBlock = SystemFailure(code: EWOULDBLOCK)
  package static let inputOutput = SystemFailure(code: EIO)
  package static let noSpace = SystemFailure(code: ENOSPC)

  /// Whether the system ran out of room, on the device or by quota.
  package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  /// What `strerror` says.
  package var message: String { String(cString: strerror(code)) }

  /// The failure of the call that has just returned −1.
  static var last: SystemFailure { SystemFailure(code: errno) }

  /// As the module's error.
  func error(_ operation: SpoolOperation, _ path: String) -> SpoolError {
    isOutOfSpace ? .full(.deviceFull) : .system(operation: operation, path: path, code: code)
  }
}
