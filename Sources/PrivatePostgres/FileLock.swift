#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An `flock` on a file: dropped by the kernel when the process ends, however it ends.
///
/// The file is never deleted: a deleted lock file would let two processes hold "the" lock on two files. The descriptor
/// is close-on-exec, or a server started under it would hold it for good.
struct FileLock: ~Copyable {
  private let descriptor: Int32
  let path: String

  /// Opens the file, made if it is missing.
  /// - Parameter owner: who gets a file that root makes; else that user's own commands could not open it.
  init(path: String, owner: uid_t) throws(PrivatePostgresError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      if code == EACCES || code == EPERM || code == EROFS {
        throw .notPermitted(
          path: path,
          reason: "cannot be opened (\(SystemCalls.message(code))); run the command as the directory's "
            + "owner, or choose another --data-dir")
      }
      throw .systemCall(name: "open", path: path, code: code)
    }
    if geteuid() == 0, owner != 0 { _ = fchown(descriptor, owner, gid_t.max) }
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Takes the lock for this holder alone, if it can be had at once. A shared lock held here is turned into it.
  func tryExclusive() -> Bool { attempt(LOCK_EX | LOCK_NB) }

  /// Takes the lock together with other holders, if it can be had at once.
  func tryShared() -> Bool { attempt(LOCK_SH | LOCK_NB) }

  /// Waits for the lock for this holder alone.
  /// - Parameter whenWaiting: called once when it has taken three seconds.
  func lockExclusive(
    timeout: Duration, whenWaiting: () -> Void = {}
  ) throws(PrivatePostgresError) {
    let begin = ContinuousClock.now
    var hasSaidSo = false
    while !tryExclusive() {
      let waited = ContinuousClock.now - begin
      if waited > timeout { throw .busy(lock: path) }
      if waited > .seconds(3), !hasSaidSo {
        whenWaiting()
        hasSaidSo = true
      }
      // Polled: a blocking flock has no deadline, and the wait is for programs that take far longer than this.
      usleep(10_000)
    }
  }

  private func attempt(_ operation: Int32) -> Bool {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
