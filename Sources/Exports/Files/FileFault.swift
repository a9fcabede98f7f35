import PrintedText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A failed system call's `errno`.
struct FileFault: Error, Equatable {
  let code: Int32

  static let exists = FileFault(code: EEXIST)
  static let missing = FileFault(code: ENOENT)
  static let isLink = FileFault(code: ELOOP)
  static let notDirectory = FileFault(code: ENOTDIR)
  static let wouldBlock = FileFault(code: EWOULDBLOCK)

  /// The failure of the call that has just returned −1.
  static var last: FileFault { FileFault(code: errno) }

  /// Whether this user may not.
  var isNotPermitted: Bool { code == EACCES || code == EPERM }

  /// What is wrong, and where it helps what to do.
  var reason: String {
    switch code {
    case ENOSPC: "the disk is full; make room and run it again"
    case EDQUOT: "this user's quota of the disk is used up; make room and run it again"
    case EROFS: "its file system is read-only"
    case EACCES, EPERM: "this user may not (\(String(cString: strerror(code))))"
    case _: String(cString: strerror(code))
    }
  }

  /// As the module's error: `/srv/exports/day=2026-11-29 cannot be read: …`.
  func error(_ path: String, _ failing: String) -> ExportError {
    .file(path, "\(failing): \(reason)")
  }
}

extension ExportError {
  /// A fault of a file or directory: its path, then what is wrong with it.
  static func file(_ path: String, _ fault: String) -> ExportError {
    ExportError(.file, "\(DisplayText.escaped(path)) \(fault)")
  }
}

/// Repeats a call while a signal interrupts it.
@discardableResult
func calling<Number: BinaryInteger>(_ call: () -> Number) throws(FileFault) -> Number {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw .last }
  }
}

/// Names the path that a failed call was about, and what it was to do.
@discardableResult
func naming<Result: ~Copyable>(
  _ path: @autoclosure () -> String, _ failing: String, _ body: () throws(FileFault) -> Result
) throws(ExportError) -> Result {
  do {
    return try body()
  } catch {
    throw error.error(path(), failing)
  }
}
