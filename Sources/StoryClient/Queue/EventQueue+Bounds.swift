import Foundation
import StoryEvents

extension EventQueue {
  /// Drops what is too old, and the oldest of what is too much; counts it.
  func keepBounds() {
    writeCounts()
    tidy()
    guard !excess().isEmpty else { return }
    // Two processes that drop the same would count it twice.
    guard claimBounds() else { return }
    for (name, end) in excess() { advance(name, to: end, isDropping: true) }
    try? files.remove(path(QueueNames.bounds))
  }

  /// Up to where each file has to be dropped, the oldest first.
  private func excess() -> [(name: String, end: Int)] {
    var excess: [(name: String, end: Int)] = []
    var waiting: [(name: String, ends: [Int])] = []
    var total = 0
    for file in sessionFiles() {
      guard let ends = waitingEnds(file), let last = ends.last else { continue }
      if isTooOld(file) {
        excess.append((file.name, last))
      } else {
        total += ends.count
        waiting.append((file.name, ends))
      }
    }
    guard total > bounds.events else { return excess }
    var rest = total - bounds.eventsAfterDropping
    for (name, ends) in waiting where rest > 0 {
      excess.append((name, ends[min(rest, ends.count) - 1]))
      rest -= min(rest, ends.count)
    }
    return excess
  }

  /// Takes the right to drop; false where another is at it. No lock is held: the right is a file, and what a crash left of it is old.
  private func claimBounds() -> Bool {
    let claim = path(QueueNames.bounds)
    do throws(FileFault) {
      let descriptor = try files.openToAppend(claim, isNew: true)
      defer { files.close(descriptor) }
      _ = try? files.append(descriptor, QueueEntry.plainFile(String(clock.wallMicroseconds)))
      return true
    } catch  where error.isTaken {
      if isAbandoned(claim) { try? files.remove(claim) }
      return false
    } catch {
      // A full disk: dropping makes room.
      return error.isFull
    }
  }

  /// Whether a crash has left the claim. Its own words say when it was made: in the future, the clock was wrong then or is now.
  private func isAbandoned(_ claim: String) -> Bool {
    do throws(FileFault) {
      let words = QueueEntry.plainPayload(try files.read(claim, mostBytes: 64))
      if let made = words.flatMap({ Int64($0) }) {
        return clock.wallMicroseconds.subtractingReportingOverflow(made).partialValue.magnitude
          > Self.longestClaimMicroseconds
      }
      return clock.wallMicroseconds - (try files.status(claim).modifiedMicroseconds) > Self.longestClaimMicroseconds
    } catch { return false }
  }

  /// Dropping takes less than a second.
  private static let longestClaimMicroseconds: Int64 = 600 * 1_000_000

  /// Both by the session's own time and by the file's: a clock that was wrong at one of them drops nothing.
  private func isTooOld(_ file: QueueFile) -> Bool {
    do throws(FileFault) {
      let line = clock.wallMicroseconds - bounds.ageMicroseconds
      guard file.startedAtMicroseconds < line else { return false }
      return try files.status(path(file.name, file.state)).modifiedMicroseconds < line
    } catch { return false }
  }

  /// Removes what crashes have left: progress without its file, and small files that never got their name. A day old, so that nobody
  /// is at work with them.
  private func tidy() {
    var names: [String] = []
    do throws(FileFault) { names = try files.names(in: directory) } catch { return }
    let present = Set(names.compactMap { QueueNames.parse($0)?.name })
    for name in names {
      let isProgress = name.hasSuffix(QueueNames.sent) && !present.contains(String(name.dropLast(5)))
      guard isProgress || name.hasSuffix(QueueNames.temporary) else { continue }
      do throws(FileFault) {
        let modified = try files.status(path(name)).modifiedMicroseconds
        if clock.wallMicroseconds - modified > bounds.silenceMicroseconds { try files.remove(path(name)) }
      } catch {}
    }
  }

  /// Where the events that wait in a file end; nil where it cannot be read now.
  private func waitingEnds(_ file: QueueFile) -> [Int]? {
    guard let progress = progress(of: file.name) else { return nil }
    do throws(FileFault) {
      let bytes = try files.read(path(file.name, file.state), mostBytes: Self.mostFileBytes)
      return QueueContent(bytes, from: progress, isComplete: file.state != .open).events.map(\.endOffset)
    } catch { return nil }
  }

  /// How the queue stands.
  func summary() -> QueueSummary {
    let waiting = sessionFiles().reduce(0) { $0 + (waitingEnds($1)?.count ?? 0) }
    return QueueSummary(
      waitingEvents: waiting, droppedEvents: droppedEventsTotal, damagedEntries: damagedEntriesTotal)
  }
}
