import Foundation
import StoryEvents

/// Records the events of one session: numbers them, tells their time, writes them. Each call is one append to the session's file.
final class SessionRecorder: @unchecked Sendable {
  let id: SessionID
  private let services: ClientServices
  private let startWallMicroseconds: Int64
  private let startMonotonicMicroseconds: Int64
  private let context: SessionContext

  /// Guards all below it: the reason for `@unchecked Sendable`.
  private let lock = NSLock()
  /// False once the queue was forgotten, or where nobody had agreed when the session began.
  private var isAlive: Bool
  private let resetCount: Int
  /// The queue's generation when the session began; nil where it could not be read then.
  private let generationAtStart: String?
  private var nextSequence: Int64 = 0
  private var lastType: EventType?
  private var file: SessionFile?
  private var timestamps = TimestampWriter()
  private var buffer: [UInt8] = []
  private let prefix: [UInt8]

  /// Begins a session now, with what is said about it; the install identifier is added when the first event is written.
  init(_ services: ClientServices, _ context: SessionContext) {
    self.services = services
    self.context = context
    startWallMicroseconds = services.clock.wallMicroseconds
    startMonotonicMicroseconds = services.clock.monotonicMicroseconds
    resetCount = services.queue.resetCount
    isAlive = services.queue.isRecordingAllowed
    generationAtStart = isAlive ? services.queue.generation() : nil
    id = SessionID(
      millisecondsSince1970: UInt64(max(0, startWallMicroseconds / 1_000)),
      randomHigh: UInt16(truncatingIfNeeded: services.randomness.next()), randomLow: services.randomness.next())
    prefix = Array("\",\"session_id\":\"\(id)\",\"seq\":".utf8)
  }

  deinit { endFile() }

  /// Records an event.
  ///
  /// - Parameters:
  ///   - isTellable: false: the contract has no words for it, so that it is given up.
  ///   - isRepeatable: false: not where it is the session's last event already.
  ///   - details: appends what the type has beside the common fields, each with a comma in front.
  ///   - extras: appends what is left out where the event would be too large.
  /// - Returns: its number; nil where nothing is recorded.
  @discardableResult
  func record(
    _ type: EventType, isTellable: Bool = true, isRepeatable: Bool = true, details: (inout [UInt8]) -> Void = { _ in },
    extras: (inout [UInt8]) -> Void = { _ in }
  ) -> Int64? {
    lock.lock()
    defer { lock.unlock() }
    guard isAlive, isRepeatable || lastType != type else { return nil }
    guard services.queue.resetCount == resetCount, services.queue.isRecordingAllowed else {
      isAlive = false
      file = nil
      return nil
    }
    guard ContractLimits.sequence.contains(nextSequence) else {
      services.queue.countDropped(1)
      return nil
    }
    let sequence = nextSequence
    nextSequence += 1
    lastType = type
    // A number that is missing tells reports that an event is.
    guard isTellable, makeEntry(type, sequence, details, extras) else {
      services.queue.countDropped(1)
      return sequence
    }
    switch write() {
    case .written: services.queue.countWritten()
    case .notWritten: services.queue.countDropped(1)
    case .torn: break
    case .forgotten:
      isAlive = false
      file = nil
    }
    return sequence
  }

  /// Ends the file; a later event of the session begins another.
  func endFile() {
    lock.lock()
    defer { lock.unlock() }
    file?.close()
  }

  /// When an event happens: the session's start by the wall clock, and the time since. So a clock that is set meanwhile changes
  /// nothing within the session.
  private var nowMicroseconds: Int64 {
    let elapsed = max(0, services.clock.monotonicMicroseconds - startMonotonicMicroseconds)
    return min(max(0, startWallMicroseconds + elapsed), Self.latestMicroseconds)
  }

  /// The end of the year 9999 (contract §1, `at`).
  private static let latestMicroseconds: Int64 = 253_402_300_799_999_999

  private func makeEntry(
    _ type: EventType, _ sequence: Int64, _ details: (inout [UInt8]) -> Void, _ extras: (inout [UInt8]) -> Void
  ) -> Bool {
    let moment = nowMicroseconds
    for withExtras in [true, false] {
      buffer.removeAll(keepingCapacity: true)
      let start = QueueEntry.begin(.event, in: &buffer)
      let jsonStart = buffer.count
      buffer.append(contentsOf: "{\"type\":\"".utf8)
      buffer.append(contentsOf: type.name.utf8)
      buffer.append(contentsOf: prefix)
      buffer.append(decimal: Int(sequence))
      buffer.append(contentsOf: ",\"at\":\"".utf8)
      timestamps.append(moment, to: &buffer)
      buffer.append(UInt8(ascii: "\""))
      details(&buffer)
      if withExtras { extras(&buffer) }
      buffer.append(UInt8(ascii: "}"))
      guard buffer.count - jsonStart <= ContractLimits.eventBytes else { continue }
      QueueEntry.end(start, in: &buffer)
      return true
    }
    return false
  }

  private func write() -> SessionFile.Outcome {
    if file == nil {
      // The identifier and the generation are read now, not when the session began: reading may be impossible for a moment.
      do throws(FileFault) { try services.queue.makeDirectory() } catch {
        return .notWritten
      }
      guard let generation = services.queue.generation() else { return .notWritten }
      if let generationAtStart, services.queue.isForgotten(generationAtStart, in: generation) { return .forgotten }
      var context = context
      context.deviceID = services.queue.installIdentifier()
      let json = context.json(services.facts, services.configuration)
      file = SessionFile(queue: services.queue, session: id, generation: generation, context: json)
    }
    return file?.append(buffer) ?? .notWritten
  }
}
