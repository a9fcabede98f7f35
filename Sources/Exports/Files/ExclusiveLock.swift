#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A lock that one holder has; the system lets go of it when the process ends, however it ends.
///
/// Its file is never removed: else two runs could hold "the" lock on two files. `flock` belongs to the open file, so a
/// second holder within one process is kept out as well.
struct ExclusiveLock: ~Copyable, Sendable {
  private let file: OpenFile

  /// Takes the lock of a file, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - waits: whether to wait until another holder lets go; `whenWaiting` is called once before.
  ///   - busy: what is thrown where another has it and this one does not wait.
  init(
    _ name: EntryName, in directory: borrowing OpenDirectory, waits: Bool, whenWaiting: () -> Void,
    busy: @autoclosure () -> ExportError
  ) throws(ExportError) {
    let path = directory.pathOf(name)
    var isWaiting = false
    while true {
      let file = try naming(path, "cannot be opened") { () throws(FileFault) in try Self.open(name, in: directory) }
      do {
        try calling { flock(file.descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) }
      } catch .wouldBlock {
        guard waits else { throw busy() }
        whenWaiting()
        isWaiting = true
        continue
      } catch {
        throw .file(
          path,
          "cannot be locked (\(error.reason)), so nothing could keep a second run out; use a file system with locks")
      }
      // Where somebody removed the file meanwhile, the next run would lock another one.
      let locked = try? file.status()
      if let locked, try directory.status(of: name)?.identity == locked.identity {
        self.file = file
        return
      }
    }
  }

  /// Reading is enough for a lock where another user has made the file.
  private static func open(_ name: EntryName, in directory: borrowing OpenDirectory) throws(FileFault) -> OpenFile {
    do {
      return try directory.open(name, O_RDWR | O_CREAT | O_NONBLOCK, permissions: 0o644)
    } catch  where error.isNotPermitted {
      if let file = try? directory.open(name, O_RDONLY | O_NONBLOCK) { return file }
      throw error
    }
  }
}
