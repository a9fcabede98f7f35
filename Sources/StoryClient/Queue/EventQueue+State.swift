import Foundation
import StoryEvents

extension EventQueue {
  // MARK: Small files that are replaced as a whole

  /// Puts a small file in the place of what has its name.
  func replace(_ name: String, with bytes: [UInt8]) throws(FileFault) {
    let temporary = path(name + "-" + randomText() + QueueNames.temporary)
    try write(temporary, bytes)
    do throws(FileFault) {
      try files.rename(temporary, to: path(name))
    } catch {
      try? files.remove(temporary)
      throw error
    }
  }

  /// Writes a small new file, or none.
  private func write(_ path: String, _ bytes: [UInt8]) throws(FileFault) {
    let descriptor = try files.openToAppend(path, isNew: true)
    var fault: FileFault?
    do throws(FileFault) {
      let count = try files.append(descriptor, bytes)
      if count < bytes.count { fault = FileFault(ENOSPC) }
    } catch { fault = error }
    files.close(descriptor)
    guard let fault else { return }
    try? files.remove(path)
    throw fault
  }

  /// 32 random hexadecimal digits.
  func randomText() -> String {
    var bytes: [UInt8] = []
    for _ in 0..<2 {
      let bits = randomness.next()
      for shift in stride(from: 60, through: 0, by: -4) {
        bytes.append(hexadecimal: UInt8(truncatingIfNeeded: bits >> UInt64(shift)) & 0xF)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Generation

  /// What a generation file says that is damaged.
  private static let unknownGeneration = "unknown"
  /// What one says that is not there.
  private static let firstGeneration = "first"

  /// What `reset` left; the same text as long as the queue was not forgotten. Nil where it cannot be read now.
  func generation() -> String? {
    do throws(FileFault) {
      let bytes = try files.read(path(QueueNames.generation), mostBytes: 128)
      return QueueEntry.plainPayload(bytes) ?? Self.unknownGeneration
    } catch  where error.isMissing {
      return Self.firstGeneration
    } catch {
      return nil
    }
  }

  /// Whether what was written in one generation is forgotten in another. A file that is damaged, or that somebody else has removed,
  /// forgets nothing: `reset` has removed what it found, and this is only about what it did not find.
  func isForgotten(_ generation: String, in current: String) -> Bool {
    generation != current && current != Self.unknownGeneration && current != Self.firstGeneration
  }

  /// Makes the directory where it is missing.
  func makeDirectory() throws(FileFault) {
    if exists("") != true { try files.makeDirectory(directory) }
  }

  // MARK: Consent

  /// Whether events may be recorded, asked of the disk: another process may have been told. Where it cannot be told, they may not.
  var isRecordingAllowed: Bool {
    if isRefusalUnwritten, !writeRefusal() { return false }
    switch consent {
    case .required: return exists(QueueNames.consentGiven) == true
    case .notRequired: return exists(QueueNames.consentRefused) == false
    }
  }

  /// Writes the answer down. Taken back, all that waits is forgotten, and no running session records more.
  func setConsent(_ isGiven: Bool) {
    if isGiven {
      noteRefusal(isUnwritten: false)
      remove(QueueNames.consentRefused)
      guard consent == .required else { return }
      try? makeDirectory()
      try? replace(QueueNames.consentGiven, with: [])
    } else {
      noteRefusal(isUnwritten: true)
      writeRefusal()
      forgetEvents()
      // A full disk may have no room for it before there is less.
      if isRefusalUnwritten { writeRefusal() }
    }
  }

  /// Writes down that consent was taken back; until that has worked, this process at least knows. Returns whether it has.
  @discardableResult
  private func writeRefusal() -> Bool {
    switch consent {
    case .required:
      do throws(FileFault) { try files.remove(path(QueueNames.consentGiven)) } catch {
        guard error.isMissing else { return false }
      }
    case .notRequired:
      remove(QueueNames.consentGiven)
      do throws(FileFault) {
        try makeDirectory()
        try replace(QueueNames.consentRefused, with: [])
      } catch { return false }
    }
    noteRefusal(isUnwritten: false)
    return true
  }

  /// Nil where it cannot be told.
  private func exists(_ name: String) -> Bool? {
    do throws(FileFault) {
      _ = try files.status(path(name))
      return true
    } catch { return error.isMissing ? false : nil }
  }

  private func remove(_ name: String) { try? files.remove(path(name)) }

  // MARK: Reset

  /// Forgets events, counts, and the install identifier.
  func reset() {
    forgetEvents(andRemove: [QueueNames.identifier, QueueNames.dropped, QueueNames.damaged, QueueNames.lease])
  }

  /// Forgets what waits; running sessions of every process record nothing more.
  ///
  /// - Parameter others: what is removed before the generation changes: who reads the new one must not find them.
  private func forgetEvents(andRemove others: [String] = []) {
    maintenance.lock()
    defer { maintenance.unlock() }
    countReset()
    guard exists("") != false else { return }
    for name in others { remove(name) }
    // First, so that a writer that misses its file finds the reason. A full disk may have no room for it before there is less.
    let generation = QueueEntry.plainFile(randomText())
    let isWritten: Bool
    do throws(FileFault) {
      try replace(QueueNames.generation, with: generation)
      isWritten = true
    } catch { isWritten = false }
    var names: [String] = []
    do throws(FileFault) { names = try files.names(in: directory) } catch {}
    for name in names
    where QueueNames.parse(name) != nil || name.hasSuffix(QueueNames.sent) || name.hasSuffix(QueueNames.temporary) {
      remove(name)
    }
    if !isWritten { try? replace(QueueNames.generation, with: generation) }
  }

  // MARK: Install identifier

  /// What the installation is called; made at the first time. Nil where it is switched off, or cannot be read now.
  func installIdentifier() -> String? {
    switch identifier {
    case .none: return nil
    case .custom(let text): return text
    case .generated: break
    }
    for _ in 0..<2 {
      do throws(FileFault) {
        let bytes = try files.read(path(QueueNames.identifier), mostBytes: 64)
        let text = String(decoding: bytes.prefix(36), as: UTF8.self)
        if bytes.count == 37, SessionID(text) != nil { return text }
        try files.remove(path(QueueNames.identifier))
      } catch  where !error.isMissing {
        return nil
      } catch {}
      makeIdentifier()
    }
    return nil
  }

  /// Makes one unless another process does at the same time: the first to give its file the name wins.
  private func makeIdentifier() {
    let (first, second) = (randomness.next(), randomness.next())
    guard let uuid = SessionID(high: first & ~0xF000 | 0x4000, low: second >> 2 | 0b10 << 62) else { return }
    let temporary = path(QueueNames.identifier + "-" + randomText() + QueueNames.temporary)
    do throws(FileFault) {
      try write(temporary, Array("\(uuid)\n".utf8))
      try? files.link(temporary, to: path(QueueNames.identifier))
      try files.remove(temporary)
    } catch {}
  }
}
