import LocalTime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An export's directory as it is open for writing, with its lock.
///
/// Shared by `ExportDirectory` and the `NewSet`s of it, so that the lock is held as long as either of them lives.
final class SetFolder: Sendable {
  let sets: ExportedSets
  /// Held as long as this lives.
  private let lock: ExclusiveLock
  /// Exchanges two names in the directory. From outside, because tests have no file system that cannot.
  let exchange: NameExchange

  init(_ sets: ExportedSets, _ lock: consuming ExclusiveLock, exchange: @escaping NameExchange) {
    self.sets = sets
    self.lock = lock
    self.exchange = exchange
  }
}

/// Exchanges two names in a directory at once.
typealias NameExchange =
  @Sendable (borrowing OpenDirectory, _ first: EntryName, _ second: EntryName) throws(FileFault) -> Void

extension SetFolder {
  var path: String { sets.path }

  /// The error of an exchange that failed.
  func exchangeError(_ fault: FileFault, _ name: EntryName) -> ExportError {
    switch fault.code {
    case EINVAL, ENOSYS, ENOTSUP:
      .file(
        path,
        "lies on a file system that cannot exchange two directories at once, so no set in it can be replaced; "
          + "export into a directory on another one, such as ext4, XFS, Btrfs or APFS")
    case _: fault.error(sets.directory.pathOf(name), "cannot be exchanged for its new set")
    }
  }

  /// Removes what killed runs left behind.
  func removeLeftovers() throws(ExportError) {
    for name in try sets.directory.names() {
      switch SetNames.meaning(of: name) {
      case .building where try isDirectory(name): try sets.directory.removeAll(name)
      case .replaced(let day) where try isDirectory(name): try retire(name, of: day)
      case .building, .replaced, .set, .none: continue
      }
    }
  }

  /// Removes a set that is no longer one; what is not of an export there moves into the day's set.
  ///
  /// The manifest goes first: what a killed run leaves of a set without one is taken for none by anybody.
  func retire(_ name: EntryName, of day: CivilDate) throws(ExportError) {
    let old = try OpenDirectory(name, in: sets.directory)
    for entry in try Self.ownFiles(of: old) {
      try naming(old.pathOf(entry), "cannot be removed") { () throws(FileFault) in try old.removeFile(entry) }
    }
    let others = try old.names()
    if !others.isEmpty { try carry(others, from: old, to: day) }
    try naming(old.path, "cannot be removed") { () throws(FileFault) in try sets.directory.removeDirectory(name) }
  }

  /// Throws where something in a set is not of an export, but has a name that its new set needs.
  func requireRoomForOthers(of day: CivilDate, in new: borrowing OpenDirectory) throws(ExportError) {
    let old = try OpenDirectory(SetNames.set(of: day), in: sets.directory)
    let own = Set(try Self.ownFiles(of: old))
    for entry in try old.names() where !own.contains(entry) {
      if try new.status(of: entry) != nil {
        throw .file(old.pathOf(entry), "is not a file of an export, but has the name of one; move it away")
      }
    }
  }

  private func isDirectory(_ name: EntryName) throws(ExportError) -> Bool {
    try sets.directory.status(of: name)?.kind == .directory
  }

  /// The files that an export has put into a set's directory, the manifest first.
  private static func ownFiles(of set: borrowing OpenDirectory) throws(ExportError) -> [EntryName] {
    var own: [EntryName] = []
    for entry in try set.names() where SetNames.isOfSet(entry) {
      switch try set.status(of: entry)?.kind {
      case .file, .link: own.append(entry)
      case .directory, .other, .none: continue
      }
    }
    return own.filter { $0 == SetNames.manifest } + own.filter { $0 != SetNames.manifest }
  }

  private func carry(
    _ entries: [EntryName], from old: borrowing OpenDirectory, to day: CivilDate
  ) throws(ExportError) {
    guard try sets.hasSet(of: day) else {
      throw .file(old.path, "holds files that are not of an export, and their set is gone; move them away")
    }
    let new = try OpenDirectory(SetNames.set(of: day), in: sets.directory)
    for entry in entries {
      guard try new.status(of: entry) == nil else {
        throw .file(old.pathOf(entry), "cannot be kept: \(new.path) holds another of that name; move one away")
      }
      try naming(old.pathOf(entry), "cannot be moved into \(new.path)") { () throws(FileFault) in
        try old.move(entry, into: new)
      }
    }
    try new.synchronize()
  }
}
