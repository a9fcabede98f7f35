/// What is known of sessions that are in the database: a bounded memory of facts that never change, or (the mask) only grow, or
/// (that a history is null) hold until somebody says that histories were set.
///
/// Sets of two, the newer first; the older falls out. So a flood of new sessions costs memory to nobody, only the look-up of
/// what fell out. It holds only what was committed, and is emptied whenever the database may have forgotten (a new
/// connection, a raised epoch).
struct SessionCache: ~Copyable {
  /// A session in the database.
  struct Entry: BitwiseCopyable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var startedAtMicroseconds: Int64 = 0
    /// 0: the place is empty.
    var appID: Int32 = 0
    /// The context fields that have a value for certain (`ContextField.bit`).
    var mask: UInt16 = 0
    /// False: its history is null for certain, as long as nobody packs.
    var mayHaveHistory = true
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let setMask: UInt64

  /// - Parameter sets: a power of two; each remembers two sessions (64 bytes).
  init(sets: Int) {
    setMask = UInt64(sets - 1)
    entries = .allocate(capacity: sets * 2)
    entries.initialize(repeating: Entry(), count: sets * 2)
  }

  deinit { entries.deallocate() }

  func removeAll() { entries.update(repeating: Entry(), count: Int(setMask + 1) * 2) }

  /// Somebody packed sessions: each may have a history now.
  func distrustHistories() {
    for index in 0..<Int(setMask + 1) * 2 { entries[index].mayHaveHistory = true }
  }

  /// The session, or nil where it is not remembered.
  @inline(__always)
  func find(_ hash: UInt64, _ high: UInt64, _ low: UInt64) -> Entry? {
    let set = entries + Int(hash & setMask) * 2
    if set[0].high == high && set[0].low == low && set[0].appID != 0 { return set[0] }
    if set[1].high == high && set[1].low == low && set[1].appID != 0 { return set[1] }
    return nil
  }

  /// Remembers a session, or what is newly known of it.
  @inline(__always)
  func insert(_ hash: UInt64, _ entry: Entry) {
    let set = entries + Int(hash & setMask) * 2
    if set[0].high != entry.high || set[0].low != entry.low { set[1] = set[0] }
    set[0] = entry
  }
}
