import Foundation
import StoryEvents

/// The queue's directory as one process sees it. Several processes may use it at once; none waits for another.
final class EventQueue: @unchecked Sendable {
  let directory: String
  let files: any QueueFiles
  let clock: any ClientClock
  let randomness: any ClientRandomness
  let bounds: QueueBounds
  let consent: ConsentPolicy
  let identifier: InstallIdentifier
  /// Which client this is, among those that share the directory.
  let owner: String

  /// Guards what stands below it: the reason for `@unchecked Sendable`. Never held during an upload; during file operations only by
  /// those that change several files.
  private let lock = NSLock()
  /// How often this process has forgotten the queue.
  private var resets = 0
  /// What could not be written down yet.
  private var unwrittenDrops = 0
  private var unwrittenDamage = 0
  private var writtenSinceCheck = 0
  private var isCheckWaiting = false
  private var openFiles = 0
  /// Consent was taken back, and that could not be written down yet.
  private var refusalIsUnwritten = false
  /// Progress of this process that could not be written down.
  private var unwrittenProgress: [String: Int] = [:]

  /// Held while files are removed or their progress moves.
  let maintenance = NSLock()
  /// Bounds are kept here, away from the caller's thread.
  let background = DispatchQueue(label: "pagefall.queue", qos: .utility)

  init(
    directory: String, files: any QueueFiles, clock: any ClientClock, randomness: any ClientRandomness,
    bounds: QueueBounds = QueueBounds(), consent: ConsentPolicy = .notRequired,
    identifier: InstallIdentifier = .generated
  ) {
    self.directory = directory
    self.files = files
    self.clock = clock
    self.randomness = randomness
    self.bounds = bounds
    self.consent = consent
    self.identifier = identifier
    owner = SessionID(millisecondsSince1970: 0, randomHigh: 0, randomLow: randomness.next()).description
  }

  func path(_ name: String) -> String { directory + "/" + name }

  func path(_ name: String, _ state: FileState) -> String { directory + "/" + name + "." + state.rawValue }

  func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// How often this process has forgotten the queue: a session of before records nothing more.
  var resetCount: Int { locked { resets } }

  func countReset() {
    locked {
      resets += 1
      unwrittenDrops = 0
      unwrittenDamage = 0
      unwrittenProgress.removeAll()
    }
  }

  /// Whether consent was taken back and the disk does not know yet.
  var isRefusalUnwritten: Bool { locked { refusalIsUnwritten } }

  func noteRefusal(isUnwritten: Bool) { locked { refusalIsUnwritten = isUnwritten } }

  // MARK: Open files

  func countOpen(_ change: Int) { locked { openFiles += change } }

  /// Whether more sessions keep their files open than should.
  var hasManyOpen: Bool { locked { openFiles > bounds.openFiles } }

  // MARK: Counts

  /// Counts events that are given up.
  func countDropped(_ count: Int) {
    locked { unwrittenDrops += count }
    writeCounts()
  }

  /// Counts entries that were found damaged; events among them are given up.
  func countDamaged(entries: Int, events: Int) {
    locked {
      unwrittenDamage += entries
      unwrittenDrops += events
    }
    writeCounts()
  }

  /// Writes down what was counted, as far as there is room.
  func writeCounts() {
    let (drops, damage) = locked {
      let counts = (unwrittenDrops, unwrittenDamage)
      (unwrittenDrops, unwrittenDamage) = (0, 0)
      return counts
    }
    guard drops > 0 || damage > 0 else { return }
    let missingDrops = drops - Tally.add(drops, path(QueueNames.dropped), files)
    let missingDamage = damage - Tally.add(damage, path(QueueNames.damaged), files)
    locked {
      unwrittenDrops += missingDrops
      unwrittenDamage += missingDamage
    }
  }

  var droppedEventsTotal: Int {
    let total = Tally.read(path(QueueNames.dropped), files) + locked { unwrittenDrops }
    return min(total, Int(ContractLimits.sequence.upperBound))
  }

  var damagedEntriesTotal: Int { Tally.read(path(QueueNames.damaged), files) + locked { unwrittenDamage } }

  // MARK: Progress that could not be written down

  func rememberProgress(_ name: String, _ offset: Int?) {
    locked { unwrittenProgress[name] = offset }
  }

  func rememberedProgress(_ name: String) -> Int { locked { unwrittenProgress[name] ?? 0 } }

  // MARK: Bounds

  /// An event was written: from time to time the bounds are looked after.
  func countWritten() {
    let isDue = locked {
      writtenSinceCheck += 1
      guard writtenSinceCheck >= bounds.eventsBetweenChecks, !isCheckWaiting else { return false }
      writtenSinceCheck = 0
      isCheckWaiting = true
      return true
    }
    if isDue { checkBoundsSoon() }
  }

  /// Keeps the bounds, away from the caller's thread.
  func checkBoundsSoon() {
    background.async { [weak self] in
      guard let self else { return }
      locked { isCheckWaiting = false }
      keepBounds()
    }
  }
}

/// How much the queue keeps.
package struct QueueBounds: Sendable {
  /// Beyond so many events the oldest are dropped.
  package var events = 10_000
  /// So many are left then: less than `events`, so that it need not be done for each event.
  package var eventsAfterDropping = 9_500
  /// Older sessions are dropped, in microseconds.
  package var ageMicroseconds: Int64 = 30 * 86_400 * 1_000_000
  /// A writer that was silent for so long has ended its file, in microseconds.
  package var silenceMicroseconds: Int64 = 86_400 * 1_000_000
  /// Beyond so many bytes a session goes on in another file.
  package var partBytes = 256 * 1024
  /// So many sessions of a process keep their files open. An iOS process has 256 descriptors for everything.
  package var openFiles = 32
  /// Events of one process from one check to the next.
  package var eventsBetweenChecks = 100

  /// What a phone has.
  package init() {}
}

/// A count that several processes add to without a lock and that no crash can spoil: the size of a file. Adding is appending, which
/// the system does for each caller as a whole; what the bytes say means nothing.
enum Tally {
  /// Counted up to here, so that a counter never takes more room than the queue itself.
  static let most = 4 * 1024 * 1024

  /// Adds to the count. Returns how much of it is written down; all of it where the count is at its end.
  static func add(_ count: Int, _ path: String, _ files: any QueueFiles) -> Int {
    guard count > 0 else { return 0 }
    let room = most - read(path, files)
    guard room > 0 else { return count }
    do throws(FileFault) {
      let descriptor = try files.openToAppend(path, isNew: false)
      defer { files.close(descriptor) }
      let bytes = [UInt8](repeating: UInt8(ascii: "."), count: min(count, room))
      let written = try files.append(descriptor, bytes)
      return written == room ? count : written
    } catch { return 0 }
  }

  static func read(_ path: String, _ files: any QueueFiles) -> Int {
    do throws(FileFault) { return try files.status(path).size } catch { return 0 }
  }
}
