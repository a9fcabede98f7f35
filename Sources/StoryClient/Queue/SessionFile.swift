import Foundation
import StoryEvents

/// The file of one running session: the only writer of its bytes. Others may rename and remove it at any moment.
struct SessionFile: ~Copyable {
  /// What became of an entry.
  enum Outcome: Equatable {
    /// It is in the file: it survives the end of this process.
    case written
    /// There was no room, or the file cannot be written now.
    case notWritten
    /// It is in the file in part, and a reader will count it as damaged.
    case torn
    /// The queue was reset meanwhile: the session is over.
    case forgotten
  }

  private let queue: EventQueue
  private let session: SessionID
  private let generation: String
  private let header: [UInt8]
  private var part = 0
  private var descriptor: Int32 = -1
  private var identity: UInt64 = 0
  private var size = 0
  private var buffer: [UInt8] = []

  /// Nothing is made before the first entry.
  init(queue: EventQueue, session: SessionID, generation: String, context: [UInt8]) {
    self.queue = queue
    self.session = session
    self.generation = generation
    var header: [UInt8] = []
    let start = QueueEntry.begin(.header, in: &header)
    header.append(contentsOf: generation.utf8)
    header.append(UInt8(ascii: " "))
    header.append(contentsOf: context)
    QueueEntry.end(start, in: &header)
    self.header = header
  }

  deinit {
    guard descriptor >= 0 else { return }
    queue.files.close(descriptor)
    queue.countOpen(-1)
  }

  private var name: String { QueueNames.file(session, part: part) }

  /// Appends one whole entry.
  mutating func append(_ entry: [UInt8]) -> Outcome {
    for _ in 0..<8 {
      if size > queue.bounds.partBytes { close() }
      if descriptor < 0 {
        guard let outcome = open() else { continue }
        if outcome != .written { return outcome }
      }
      let isFirst = size == 0
      let outcome = write(entry)
      guard outcome == .written else { return outcome }
      // Whoever forgets the queue changes the generation first and looks for files then: either this file was seen, or its writer
      // sees the change here.
      if isFirst, let current = queue.generation(), queue.isForgotten(generation, in: current) {
        try? queue.files.remove(queue.path(name, .open))
        abandon()
        return .forgotten
      }
      // Whoever removes a file renames it first and looks at its size then (`EventQueue.take(away:)`): either the entry was seen, or
      // its writer finds the name gone here and writes it again. Both at once make a repeat, which the collector drops.
      do throws(FileFault) {
        if try queue.files.status(queue.path(name, .open)).identity == identity {
          // Descriptors are few, and the app needs them too: where many sessions run, each ends its part behind each event.
          if queue.hasManyOpen { close() }
          return .written
        }
      } catch  where !error.isMissing {
        return .written
      } catch {}
      abandon()
      // Where it cannot be read now, the entry is written: its header says which generation it is of.
      if let current = queue.generation(), queue.isForgotten(generation, in: current) { return .forgotten }
    }
    return .notWritten
  }

  /// Ends the part: it may be removed when all of it was answered.
  mutating func close() {
    guard descriptor >= 0 else { return }
    try? queue.files.rename(queue.path(name, .open), to: queue.path(name, .closed))
    abandon()
  }

  private mutating func abandon() {
    queue.files.close(descriptor)
    queue.countOpen(-1)
    descriptor = -1
    size = 0
    part += 1
  }

  /// Makes the part's file; nil: try again with what has changed.
  private mutating func open() -> Outcome? {
    do throws(FileFault) {
      descriptor = try queue.files.openToAppend(queue.path(name, .open), isNew: true)
    } catch  where error.isTaken {
      part += 1
      return nil
    } catch  where error.isMissing {
      do throws(FileFault) {
        try queue.makeDirectory()
        return nil
      } catch { return .notWritten }
    } catch { return .notWritten }
    queue.countOpen(1)
    do throws(FileFault) {
      identity = try queue.files.status(descriptor).identity
      return .written
    } catch {
      try? queue.files.remove(queue.path(name, .open))
      abandon()
      return .notWritten
    }
  }

  /// Writes with one call of the system; the file's first entry goes with the header.
  private mutating func write(_ entry: [UInt8]) -> Outcome {
    guard size == 0 else { return append(bytes: entry) }
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: header)
    buffer.append(contentsOf: entry)
    return append(bytes: buffer)
  }

  private mutating func append(bytes: [UInt8]) -> Outcome {
    var written = 0
    do throws(FileFault) {
      written = try queue.files.append(descriptor, bytes)
    } catch {}
    if written == bytes.count {
      size += written
      return .written
    }
    guard written > 0 else { return .notWritten }
    // No room for the rest: what was written of it is taken away again, and gives room.
    do throws(FileFault) {
      try queue.files.truncate(descriptor, to: size)
      return .notWritten
    } catch {
      // Without its header a part is worth nothing: the next entry begins another.
      guard size == 0 else {
        size += written
        return .torn
      }
      try? queue.files.remove(queue.path(name, .open))
      abandon()
      return .notWritten
    }
  }
}
