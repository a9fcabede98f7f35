/// The events that were stored last, by their whole key, with a hash of their content: repeats end here, without the database.
///
/// Sets of two, the newer first. Like `SessionCache` it is filled only after a commit and emptied whenever the database may
/// have forgotten.
struct RepeatMemory: ~Copyable {
  /// What is known of an event.
  enum Answer {
    case unknown
    /// Stored, with the same content.
    case same
    /// Stored, with other content.
    case different
  }

  private struct Entry: BitwiseCopyable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var contentHash: UInt64 = 0
    var seq: Int32 = 0
    /// 0: the place is empty. Part of the key: another app's event is foreign, not a repeat.
    var appID: Int32 = 0
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let setMask: UInt64

  /// - Parameter sets: a power of two; each remembers two events (64 bytes).
  init(sets: Int) {
    setMask = UInt64(sets - 1)
    entries = .allocate(capacity: sets * 2)
    entries.initialize(repeating: Entry(), count: sets * 2)
  }

  deinit { entries.deallocate() }

  func removeAll() { entries.update(repeating: Entry(), count: Int(setMask + 1) * 2) }

  @inline(__always)
  func find(_ hash: UInt64, _ event: EventEntry, appID: Int32) -> Answer {
    let set = entries + Int(hash & setMask) * 2
    for place in 0..<2
    where set[place].low == event.low && set[place].seq == event.seq && set[place].high == event.high
      && set[place].appID == appID
    {
      return set[place].contentHash == event.contentHash ? .same : .different
    }
    return .unknown
  }

  /// Remembers a stored event. One that is remembered already must not be given again.
  @inline(__always)
  func insert(_ hash: UInt64, _ event: EventEntry, appID: Int32) {
    let set = entries + Int(hash & setMask) * 2
    set[1] = set[0]
    set[0] = Entry(high: event.high, low: event.low, contentHash: event.contentHash, seq: event.seq, appID: appID)
  }
}
