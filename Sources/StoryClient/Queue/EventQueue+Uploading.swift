import Foundation
import StoryEvents

extension EventQueue: UploadQueue {
  /// As much of a session's file as is ever read; our own are far smaller.
  static let mostFileBytes = 1024 * 1024

  func nextBatch(mostEvents: Int) -> QueuedBatch? {
    // What was recorded before an app began to ask waits for the answer.
    guard isRecordingAllowed else {
      discardForgotten()
      return nil
    }
    writeCounts()
    guard let generation = generation() else { return nil }
    var batch = QueuedBatch(parts: [])
    for file in sessionFiles() {
      let room = max(1, mostEvents) - batch.eventCount
      guard room > 0 else { break }
      guard let part = part(of: file, generation, mostEvents: room) else { continue }
      batch.parts.append(part)
    }
    return batch.parts.isEmpty ? nil : batch
  }

  func remove(_ batch: QueuedBatch) {
    for part in batch.parts {
      guard let last = part.events.last else { continue }
      advance(part.file, to: last.endOffset)
    }
  }

  func drop(_ batch: QueuedBatch) {
    for part in batch.parts {
      guard let last = part.events.last else { continue }
      advance(part.file, to: last.endOffset, isDropping: true)
    }
  }

  /// The sessions' files, the oldest first; each name once. Of thousands, a batch needs few: only those are looked at closely.
  func sessionFiles() -> some Sequence<QueueFile> {
    var names: [String] = []
    do throws(FileFault) { names = try files.names(in: directory) } catch {}
    return names.sorted().lazy.compactMap { QueueNames.parse($0) }
  }

  /// What of a file may be sent; nil where there is nothing, or it cannot be read now.
  private func part(of file: QueueFile, _ generation: String, mostEvents: Int) -> QueuedPart? {
    let file = closedIfSilent(file)
    guard let progress = progress(of: file.name) else { return nil }
    do throws(FileFault) {
      // Most open files have been sent up to their end: no need to read them.
      if file.state == .open, try files.status(path(file.name, file.state)).size <= progress { return nil }
      let bytes = try files.read(path(file.name, file.state), mostBytes: Self.mostFileBytes)
      let content = QueueContent(bytes, from: progress, isComplete: file.state != .open, mostEvents: mostEvents)
      if let other = content.generation, isForgotten(other, in: generation) {
        discard(file)
        return nil
      }
      guard content.events.isEmpty else {
        return QueuedPart(file: file.name, context: content.context, events: content.events)
      }
      if file.state != .open { advance(file.name, to: content.end) }
    } catch {}
    return nil
  }

  /// A writer that was silent for a day is gone, or will go on in the next part.
  private func closedIfSilent(_ file: QueueFile) -> QueueFile {
    guard file.state == .open else { return file }
    do throws(FileFault) {
      let status = try files.status(path(file.name, .open))
      guard clock.wallMicroseconds - status.modifiedMicroseconds > bounds.silenceMicroseconds else { return file }
      try files.rename(path(file.name, .open), to: path(file.name, .closed))
      return QueueFile(name: file.name, state: .closed)
    } catch { return file }
  }

  // MARK: Progress

  /// How far a file was answered or given up; nil where that cannot be read now.
  func progress(of name: String) -> Int? {
    let remembered = rememberedProgress(name)
    do throws(FileFault) {
      let bytes = try files.read(path(name + QueueNames.sent), mostBytes: 64)
      // Damaged: from the start again; a repeat is stored once.
      return max(remembered, QueueEntry.plainPayload(bytes).flatMap { Int($0) } ?? 0)
    } catch  where error.isMissing {
      return remembered
    } catch {
      return remembered > 0 ? remembered : nil
    }
  }

  /// Moves a file's progress, counts the damage that it passes, and removes the file when nothing is left in it.
  ///
  /// - Parameter isDropping: the events that it passes are given up; those that somebody else has removed meanwhile are not.
  func advance(_ name: String, to offset: Int, isDropping: Bool = false) {
    maintenance.lock()
    defer { maintenance.unlock() }
    guard let before = progress(of: name) else { return rememberProgress(name, offset) }
    for state in FileState.allCases {
      do throws(FileFault) {
        let bytes = try files.read(path(name, state), mostBytes: Self.mostFileBytes)
        let content = QueueContent(bytes, from: before, isComplete: state != .open)
        let passed = content.events.count { $0.endOffset <= offset }
        let isWhole = state != .open && passed == content.events.count
        if isDropping, passed > 0 { countDropped(passed) }
        count(content, upTo: isWhole ? .max : offset)
        if isWhole, take(away: QueueFile(name: name, state: state), size: bytes.count) { return }
        write(progress: isWhole ? bytes.count : min(max(before, offset), bytes.count), of: name)
        return
      } catch  where error.isMissing {
        continue
      } catch {
        return rememberProgress(name, max(before, offset))
      }
    }
    forgetProgress(of: name)
  }

  private func count(_ content: QueueContent, upTo offset: Int) {
    let entries = content.damageEnds.count { $0 <= offset }
    guard entries > 0 else { return }
    countDamaged(entries: entries, events: entries - (content.isHeaderDamaged ? 1 : 0))
  }

  private func write(progress offset: Int, of name: String) {
    do throws(FileFault) {
      try replace(name + QueueNames.sent, with: QueueEntry.plainFile(String(offset)))
      rememberProgress(name, nil)
    } catch {
      // No room: this process at least knows.
      rememberProgress(name, offset)
    }
  }

  private func forgetProgress(of name: String) {
    rememberProgress(name, nil)
    try? files.remove(path(name + QueueNames.sent))
  }

  /// Removes a file that nobody needs any more; false where its writer has just appended to it.
  private func take(away file: QueueFile, size: Int) -> Bool {
    do throws(FileFault) {
      let away = path(file.name, .removing)
      if file.state != .removing { try files.rename(path(file.name, file.state), to: away) }
      guard try files.status(away).size <= size || size >= Self.mostFileBytes else { return false }
      try files.remove(away)
      forgetProgress(of: file.name)
      return true
    } catch { return false }
  }

  /// Removes what was written while the queue was forgotten, by a process that was ended before it could see that.
  private func discardForgotten() {
    guard let current = generation() else { return }
    for file in sessionFiles() {
      do throws(FileFault) {
        let bytes = try files.read(path(file.name, file.state), mostBytes: Self.mostFileBytes)
        let content = QueueContent(bytes, from: 0, isComplete: false, mostEvents: 0)
        if let other = content.generation, isForgotten(other, in: current) { discard(file) }
      } catch {}
    }
  }

  /// Removes a file of a queue that was forgotten: nothing of it counts.
  private func discard(_ file: QueueFile) {
    maintenance.lock()
    defer { maintenance.unlock() }
    try? files.remove(path(file.name, file.state))
    forgetProgress(of: file.name)
  }
}
