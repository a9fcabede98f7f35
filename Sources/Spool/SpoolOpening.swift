/// Opens a spool's directory: locks it, finds its identity and segments, and decides where each one's trust ends.
struct SpoolOpening: ~Copyable {
  let configuration: SpoolConfiguration
  let environment: SpoolEnvironment
  let report: @Sendable (SpoolEvent) -> Void

  private let lock: SpoolFile
  private let quarantine: Quarantine
  private var fileSystem: any SpoolFileSystem { environment.fileSystem }

  init(
    _ configuration: SpoolConfiguration, environment: SpoolEnvironment,
    report: @escaping @Sendable (SpoolEvent) -> Void
  ) throws(SpoolError) {
    try Self.makeDirectory(configuration.directory, on: environment.fileSystem)
    lock = try Self.takeLock(configuration.directory, on: environment.fileSystem)
    quarantine = Quarantine(
      spoolDirectory: configuration.directory, maximumBytes: configuration.quarantineBytes,
      fileSystem: environment.fileSystem)
    self.configuration = configuration.bounded
    self.environment = environment
    self.report = report
  }

  /// Recovers what is there and gives it to a writer and its readers.
  consuming func finish() throws(SpoolError) -> SpoolWriter {
    let directory = configuration.directory
    let names = try retrying(.list, directory) { () throws(SystemFailure) in try environment.fileSystem.list(directory)
    }
    let numbers = names.compactMap(SegmentHeader.number(fileName:)).sorted()
    let identityFile = try establishIdentity(highestNumber: numbers.last ?? 0)
    // A copy of the directory that is put back does not know which numbers were used after it was made: the time does,
    // so that the database's position of the one is never taken for a position in the other.
    let milliseconds = environment.nowMicroseconds() / 1000
    let nextNumber = max(numbers.last ?? 0, identityFile.reservedThrough, milliseconds) + 1
    var recovery = SegmentRecovery(
      configuration: configuration, environment: environment, identity: identityFile.identity, quarantine: quarantine,
      report: report)
    let found = try recovery.recover(numbers)

    // Whoever asks for the end of a spool without segments must not get a position of the past.
    let isFresh = numbers.isEmpty && identityFile.reservedThrough == 0
    let emptyPosition = isFresh ? .start : SpoolPosition(segment: nextNumber, offset: 0)
    var ledger = SpoolLedger(
      segments: found.segments, completeSince: found.completeSince ?? emptyPosition, emptyPosition: emptyPosition)
    ledger.noteRecovery(tornBytes: found.tornBytes, damage: found.damage)
    report(.opened(segments: numbers.count, bytes: ledger.usedBytes, end: ledger.endPosition))
    let shared = SpoolShared(
      configuration: configuration, environment: environment, identity: identityFile.identity, quarantine: quarantine,
      ledger: ledger, report: report)
    return SpoolWriter(
      shared: shared, identityFile: identityFile, nextNumber: nextNumber, previousEnd: ledger.endPosition, lock: lock)
  }

  private static func makeDirectory(_ directory: String, on fileSystem: any SpoolFileSystem) throws(SpoolError) {
    do {
      try retryingInterrupted { () throws(SystemFailure) in try fileSystem.makeDirectory(directory) }
    } catch .exists {
      return
    } catch {
      throw error.error(.makeDirectory, directory)
    }
    // A directory whose own name is lost takes everything in it along.
    try SpoolFile(directory + "/..", .directory, on: fileSystem).synchronize()
  }

  private static func takeLock(_ directory: String, on fileSystem: any SpoolFileSystem) throws(SpoolError) -> SpoolFile
  {
    let file = try SpoolFile(directory + "/lock", .readWrite, on: fileSystem)
    guard try file.tryLock() else {
      throw .inUse(directory: directory, holderProcess: file.readProcessIdentifier())
    }
    // Only for the message of a second process; a full disk must not keep the spool from opening.
    let text = Array("\(ProcessIdentifier.current)\n".utf8)
    try? file.truncate(to: 0)
    _ = try? file.write(text, at: 0)
    return file
  }

  private func establishIdentity(highestNumber: Int64) throws(SpoolError) -> IdentityFile {
    let directory = configuration.directory
    let found = try IdentityFile.read(from: directory, on: fileSystem)
    switch found {
    case .valid(let file):
      return file
    case .otherVersion(let version):
      throw .unsupportedFormat(path: directory + "/" + IdentityFile.name, version: version)
    case .damaged, nil:
      guard let identity = SpoolIdentity(bytes: environment.randomBytes(SpoolIdentity.byteCount)) else {
        throw .system(operation: .inspect, path: directory, code: SystemFailure.inputOutput.code)
      }
      let file = IdentityFile(identity: identity, reservedThrough: highestNumber)
      try file.replace(in: directory, on: fileSystem)
      if found == .damaged || highestNumber > 0 { report(.identityRenewed(identity)) }
      return file
    }
  }
}

extension IdentityFile {
  /// Reads the file; nil where there is none.
  static func read(from directory: String, on fileSystem: any SpoolFileSystem) throws(SpoolError) -> Reading? {
    let file: SpoolFile
    do {
      file = try SpoolFile(directory + "/" + name, .readOnly, on: fileSystem)
    } catch .system(.open, _, SystemFailure.missing.code) {
      return nil
    } catch {
      throw error
    }
    return read(try file.readPrefix(byteCount + 1))
  }

  /// Puts this in the place of the file, durably, or leaves the old one as it is.
  func replace(in directory: String, on fileSystem: any SpoolFileSystem) throws(SpoolError) {
    let path = directory + "/" + Self.name
    let newPath = path + ".new"
    // Always a new file: a left one may be of a sync that failed, and would never be durable.
    do {
      try retryingInterrupted { () throws(SystemFailure) in try fileSystem.remove(newPath) }
    } catch .missing {
    } catch {
      throw error.error(.remove, newPath)
    }
    do {
      let file = try SpoolFile(newPath, .createNew, on: fileSystem)
      try file.write(bytes, at: 0)
      try file.synchronize()
    }
    try retrying(.rename, path) { () throws(SystemFailure) in try fileSystem.rename(newPath, to: path) }
    try SpoolFile(directory, .directory, on: fileSystem).synchronize()
  }
}

extension SpoolFile {
  /// The first bytes of a small file.
  func readPrefix(_ count: Int) throws(SpoolError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try read(into: buffer, at: 0))])
  }

  /// The process id in a lock file; nil where none can be read.
  fileprivate func readProcessIdentifier() -> Int32? {
    guard let bytes = try? readPrefix(16) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
  }
}

extension SpoolLedger {
  fileprivate mutating func noteRecovery(tornBytes: Int64, damage: [(position: SpoolPosition, bytes: Int64)]) {
    statistics.tornBytes = tornBytes
    for stretch in damage { _ = noteDamage(at: stretch.position, bytes: stretch.bytes) }
  }
}
