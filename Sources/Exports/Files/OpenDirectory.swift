import CRenameExchange

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A directory and what can be done with the names in it, which are never followed where they are links.
///
/// By its descriptor: whatever becomes of its path meanwhile, all of it happens in the one directory that was opened.
struct OpenDirectory: ~Copyable, Sendable {
  /// As it is named in errors.
  let path: String
  private let file: OpenFile

  /// Opens a directory by its path; links are followed.
  init(path: String) throws(FileFault) {
    file = try OpenFile(path: path, O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  /// Opens a directory within another.
  init(_ name: EntryName, in parent: borrowing OpenDirectory) throws(ExportError) {
    let path = parent.pathOf(name)
    do {
      file = try OpenFile(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: parent.file.descriptor)
    } catch {
      throw error.error(path, "cannot be opened")
    }
    self.path = path
  }

  /// The path of what has a name in it.
  func pathOf(_ name: EntryName) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  /// Opens a file in it.
  func open(_ name: EntryName, _ flags: Int32, permissions: mode_t = 0) throws(FileFault) -> OpenFile {
    try OpenFile(name, flags | O_NOFOLLOW, permissions: permissions, in: file.descriptor)
  }

  /// What stands under a name; nil: nothing.
  func status(of name: EntryName) throws(ExportError) -> FileStatus? {
    var status = stat()
    do {
      try calling { fstatat(file.descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW) }
    } catch .missing {
      return nil
    } catch {
      throw error.error(pathOf(name), "cannot be looked at")
    }
    return FileStatus(status)
  }

  /// The names in it, sorted.
  func names() throws(ExportError) -> [EntryName] {
    try naming(path, "cannot be listed") { () throws(FileFault) in
      // Of its own position, so that it can be read more than once; closedir closes it.
      let copy = try calling { openat(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      guard let stream = fdopendir(copy) else {
        let fault = FileFault.last
        close(copy)
        throw fault
      }
      defer { closedir(stream) }
      var names: [EntryName] = []
      errno = 0
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { EntryName(bytes: $0) }
        if name != "." && name != ".." { names.append(name) }
        errno = 0
      }
      guard errno == 0 else { throw .last }
      return names.sorted()
    }
  }

  /// Whether this user may change what is in a directory in it.
  func mayChange(_ name: EntryName) -> Bool {
    (try? calling { faccessat(file.descriptor, name.cString, W_OK | X_OK, 0) }) != nil
  }

  /// Makes a directory in it: 0755 less what the umask takes.
  func makeDirectory(_ name: EntryName) throws(FileFault) {
    try calling { mkdirat(file.descriptor, name.cString, 0o755) }
  }

  /// Renames what is in it; a file or an empty directory of the new name is replaced.
  func rename(_ name: EntryName, to newName: EntryName) throws(FileFault) {
    try calling { renameat(file.descriptor, name.cString, file.descriptor, newName.cString) }
  }

  /// Moves what is in it into another directory.
  func move(_ name: EntryName, into other: borrowing OpenDirectory) throws(FileFault) {
    try calling { renameat(file.descriptor, name.cString, other.file.descriptor, name.cString) }
  }

  /// Exchanges two names in it at once.
  func exchange(_ first: EntryName, _ second: EntryName) throws(FileFault) {
    #if os(Linux) || os(Android)
      let code = pagefall_exchange_names(file.descriptor, first.cString, second.cString)
    #elseif canImport(Darwin)
      let code =
        renameatx_np(file.descriptor, first.cString, file.descriptor, second.cString, UInt32(RENAME_SWAP)) == 0
        ? 0 : errno
    #else
      let code = ENOSYS
    #endif
    guard code == 0 else { throw FileFault(code: code) }
  }

  /// Removes a file or a link.
  func removeFile(_ name: EntryName) throws(FileFault) {
    try calling { unlinkat(file.descriptor, name.cString, 0) }
  }

  /// Removes an empty directory.
  func removeDirectory(_ name: EntryName) throws(FileFault) {
    try calling { unlinkat(file.descriptor, name.cString, AT_REMOVEDIR) }
  }

  /// Makes its entries durable.
  func synchronize() throws(ExportError) {
    do {
      try file.synchronize()
    } catch FileFault(code: EINVAL), FileFault(code: ENOTSUP) {
      // Some network file systems sync directories by themselves and refuse to be asked.
    } catch {
      throw error.error(path, "cannot be synced")
    }
  }
}

extension OpenDirectory {
  /// Nothing of ours nests; deeper than this somebody else has built there.
  private static let deepestNesting = 16

  /// Removes what has a name, and all that is in it, one by one.
  func removeAll(_ name: EntryName, depth: Int = 0) throws(ExportError) {
    guard let status = try status(of: name) else { return }
    guard status.kind == .directory else {
      try naming(pathOf(name), "cannot be removed") { () throws(FileFault) in try removeFile(name) }
      return
    }
    guard depth < Self.deepestNesting else {
      throw .file(pathOf(name), "is nested too deeply to be removed; remove it by hand")
    }
    let child = try OpenDirectory(name, in: self)
    for entry in try child.names() { try child.removeAll(entry, depth: depth + 1) }
    try naming(pathOf(name), "cannot be removed") { () throws(FileFault) in try removeDirectory(name) }
  }
}
