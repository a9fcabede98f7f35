#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A small file that is only ever replaced whole: written aside, synced, renamed, its directory synced.
struct ReplacedFile: ~Copyable, Sendable {
  let path: String
  let directory: OpenDirectory
  let name: EntryName

  /// Finds the file's directory; a link at the path itself is followed.
  ///
  /// - Parameter what: for errors, such as `the state`.
  init(path given: String, what: String) throws(ExportError) {
    let path = try Self.resolved(given, what)
    let (parent, lastPart) = Self.split(path)
    guard !lastPart.isEmpty, lastPart != ".", lastPart != ".." else {
      throw .file(given, "is no name of a file for \(what)")
    }
    let name = EntryName(lastPart)
    let directory = try Self.opened(parent, for: given, what)
    // A rename would replace a device such as /dev/null itself.
    if let kind = try directory.status(of: name)?.kind, kind != .file {
      throw .file(given, "is not a regular file, so it cannot hold \(what); name a file")
    }
    self.path = path
    self.directory = directory
    self.name = name
  }

  /// What is in it; nil where there is no file.
  ///
  /// - Parameter limit: more bytes than this are refused.
  func read(limit: Int) throws(ExportError) -> [UInt8]? {
    let bytes: [UInt8]?
    do {
      // Not to wait for the other end of a pipe that was put there meanwhile.
      bytes = try directory.open(name, O_RDONLY | O_NONBLOCK).read(limit: limit)
    } catch .missing {
      return nil
    } catch {
      throw error.error(path, "cannot be read")
    }
    guard let bytes else { throw .file(path, "is larger than \(limit >> 20) MiB") }
    return bytes
  }

  /// Replaces it.
  ///
  /// - Parameters:
  ///   - aside: the name that it is written under; what has it is removed.
  ///   - permissions: exactly these; nil: those of the file that is replaced, or 0644 less what the umask takes.
  func replace(with text: String, aside: EntryName, permissions: mode_t? = nil) throws(ExportError) {
    let kept = try directory.status(of: name)?.permissions
    let permissions = permissions ?? kept
    do {
      try? directory.removeFile(aside)
      try naming(path, "cannot be written") { () throws(FileFault) in
        let file = try directory.open(aside, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions ?? 0o644)
        if let permissions { try file.setPermissions(permissions) }
        try file.write(text)
        try file.synchronize()
        try directory.rename(aside, to: name)
      }
    } catch {
      try? directory.removeFile(aside)
      throw error
    }
    try directory.synchronize()
  }

  private static func opened(
    _ parent: String, for path: String, _ what: String
  ) throws(ExportError) -> OpenDirectory {
    do {
      return try OpenDirectory(path: parent)
    } catch .missing {
      throw .file(path, "cannot hold \(what): there is no directory \(parent); make it first")
    } catch {
      throw error.error(path, "cannot hold \(what)")
    }
  }

  /// The path with links followed, as far as there is a file.
  private static func resolved(_ path: String, _ what: String) throws(ExportError) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    var status = stat()
    guard lstat(path, &status) == 0, FileStatus(status).kind == .link else { return path }
    throw .file(path, "is a link that leads nowhere, so it cannot hold \(what); make its target or name another file")
  }

  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }
}
