import LocalTime
import PrintedText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The directory that sets lie in, for writing. While it lives, and while a set of it is being written, no other run can
/// open it.
struct ExportDirectory: ~Copyable {
  private let folder: SetFolder

  /// Opens the directory for writing, makes it where it is missing (0755 less what the umask takes; what is above it
  /// must be there), and removes what killed runs left in it.
  ///
  /// - Parameters:
  ///   - waits: whether to wait while another run holds it; `whenWaiting` is called once before.
  /// - Throws: `.busy` where another run holds it and this one does not wait; `.file` where it cannot be used.
  init(
    path given: String, waits: Bool, whenWaiting: () -> Void = {},
    exchange: @escaping NameExchange = Self.systemExchange
  ) throws(ExportError) {
    let path = try ExportedSets.trimmed(given)
    let directory = try Self.opened(path)
    let lock = try ExclusiveLock(
      SetNames.lock, in: directory, waits: waits, whenWaiting: whenWaiting,
      busy: ExportError(
        .busy,
        "another run is exporting into \(DisplayText.escaped(path)); try again when it has ended, or wait with --wait"))
    let folder = SetFolder(ExportedSets(in: directory), lock, exchange: exchange)
    try folder.removeLeftovers()
    self.folder = folder
  }

  /// The sets in it.
  var sets: ExportedSets { folder.sets }

  /// Begins the set of a day: an empty directory beside the sets.
  ///
  /// - Throws: `.file` where it cannot be made, and already here where it could not be exchanged for the set that is
  /// there.
  func begin(_ day: CivilDate) throws(ExportError) -> NewSet {
    try NewSet.begin(day, in: folder)
  }

  /// Exchanges by the system's own call.
  static let systemExchange: NameExchange = { (directory, first, second) throws(FileFault) in
    try directory.exchange(first, second)
  }
}

extension ExportDirectory {
  private static func opened(_ path: String) throws(ExportError) -> OpenDirectory {
    if let directory = try ExportedSets.existing(path) { return directory }
    do {
      try calling { mkdir(path, 0o755) }
    } catch .exists {
      // Another run was faster.
    } catch .missing {
      // Not made: it may be where a disk is mounted, and is not now.
      throw .file(path, "cannot be made: there is no directory above it; make that first")
    } catch {
      throw error.error(path, "cannot be made")
    }
    guard let directory = try ExportedSets.existing(path) else {
      throw .file(path, "was removed as soon as it was made")
    }
    // Not all who may write into the directory above may read it.
    if let parent = try? OpenDirectory(path: parentPath(path)) { try parent.synchronize() }
    return directory
  }

  private static func parentPath(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
