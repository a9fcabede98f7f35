import LocalTime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A set that is being written. It is seen by nobody until it is published, and removed where it never is.
struct NewSet: ~Copyable {
  /// The day that it is of.
  let day: CivilDate
  /// The directory that its files are written into; empty at first. It keeps the path that it was made with.
  let directory: OpenDirectory
  private let folder: SetFolder
  /// The name that it has in the directory now.
  private var name: EntryName
  private var isPublished: Bool

  /// Makes the directory, and finds out what would keep it from its place, before hours of work.
  static func begin(_ day: CivilDate, in folder: SetFolder) throws(ExportError) -> NewSet {
    let set = try NewSet(of: day, in: folder)
    if try folder.sets.hasSet(of: day) { try set.requireExchange() }
    return set
  }

  private init(of day: CivilDate, in folder: SetFolder) throws(ExportError) {
    let name = SetNames.building(day)
    let path = folder.sets.directory.pathOf(name)
    if try folder.sets.hasSet(of: day), !folder.sets.directory.mayChange(SetNames.set(of: day)) {
      throw .file(
        folder.sets.directory.pathOf(SetNames.set(of: day)),
        "belongs to another user, so it cannot be replaced; run as that user or change its owner")
    }
    do {
      try folder.sets.directory.makeDirectory(name)
    } catch .exists {
      throw .file(path, "is in the way of the new set; remove it")
    } catch {
      throw error.error(path, "cannot be made")
    }
    directory = try OpenDirectory(name, in: folder.sets.directory)
    self.day = day
    self.folder = folder
    self.name = name
    isPublished = false
  }

  deinit {
    // What cannot be removed now is a leftover, which the next run removes.
    if !isPublished { try? folder.sets.directory.removeAll(name) }
  }

  /// Writes the manifest, and syncs it.
  func write(_ manifest: SetManifest) throws(ExportError) {
    try naming(directory.pathOf(SetNames.manifest), "cannot be written") { () throws(FileFault) in
      let file = try directory.open(SetNames.manifest, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o644)
      try file.write(manifest.text)
      try file.synchronize()
    }
  }

  /// Puts the set in its place, at once: whoever looks sees the old set or this one. Its files must be synced, and its
  /// manifest written.
  ///
  /// What is not of an export in the old set's directory is carried over, moments after; the rest of the old set is
  /// removed.
  ///
  /// - Throws: `.file`. The old set stays where the exchange failed; a fault after it says that the new one is in
  /// place.
  consuming func publish() throws(ExportError) {
    guard try directory.status(of: SetNames.manifest)?.kind == .file else {
      throw .file(directory.path, "holds no \(SetNames.manifest), so it is no set; nothing was published")
    }
    try requireToBeThere()
    try directory.synchronize()
    let setName = SetNames.set(of: day)
    if try folder.sets.hasSet(of: day) {
      try folder.requireRoomForOthers(of: day, in: directory)
      try exchange(with: setName)
    } else {
      try naming(folder.sets.directory.pathOf(setName), "cannot be made") { () throws(FileFault) in
        try folder.sets.directory.rename(name, to: setName)
      }
      isPublished = true
      try folder.sets.directory.synchronize()
    }
  }

  /// Throws where another directory has the name: somebody removed the lock, and a second run builds its own set there.
  private func requireToBeThere() throws(ExportError) {
    let own = try directory.status(of: SetNames.current)
    guard let own, try folder.sets.directory.status(of: name)?.identity == own.identity else {
      throw ExportError(
        .busy,
        "another run has taken \(folder.sets.directory.path) over, because \(SetNames.lock) was removed; leave that file, "
          + "and run again")
    }
  }

  /// Under the name of what is replaced already before: whatever has that name after a kill is never needed again, but
  /// for what is not of an export in it.
  private mutating func exchange(with setName: EntryName) throws(ExportError) {
    let replaced = SetNames.replaced(day)
    let building = name
    try naming(folder.sets.directory.pathOf(replaced), "is in the way of the new set") { () throws(FileFault) in
      try folder.sets.directory.rename(building, to: replaced)
    }
    name = replaced
    do {
      try folder.exchange(folder.sets.directory, replaced, setName)
    } catch {
      throw folder.exchangeError(error, setName)
    }
    isPublished = true
    do {
      try folder.sets.directory.synchronize()
      // Not synced: what of this a loss of power undoes, the next run does again.
      try folder.retire(replaced, of: day)
    } catch {
      throw ExportError(
        error.kind, "the new set of \(day.text) is in place, but the old one was not removed: \(error.description)")
    }
  }

  /// Tries an exchange of two directories that are made for it.
  private func requireExchange() throws(ExportError) {
    let names: [EntryName] = ["first", "second"]
    for name in names {
      try naming(directory.pathOf(name), "cannot be made") { () throws(FileFault) in try directory.makeDirectory(name) }
    }
    do {
      try folder.exchange(directory, names[0], names[1])
    } catch {
      throw folder.exchangeError(error, name)
    }
    for name in names { try directory.removeAll(name) }
  }
}
