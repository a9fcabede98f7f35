/// A session that events of the batch belong to.
struct BatchSession: BitwiseCopyable {
  /// The id, stored form, and its hash.
  var high: UInt64
  var low: UInt64
  var hash: UInt64

  // What is known of the database.
  var isInDatabase = false
  /// Whose it is in the database.
  var appID: Int32 = 0
  /// The fields that have a value there for certain.
  var knownMask: UInt16 = 0
  /// Whether it may have a history there; false: it is null for certain.
  var mayHaveHistory = false
  /// Of the session in the database, or as its first event of the batch fixes it.
  var startedAtMicroseconds: Int64 = 0

  // What the events of the batch make of it.
  /// Whose it becomes: the app of its first event that is to be stored; 0: none yet.
  var claimedBy: Int32 = 0
  var arrivedAtMicroseconds: Int64 = 0
  var clockOffsetMicroseconds: Int64 = 0
  var hasSuspectClock = false
  /// The collection that the following belong to.
  var collection: Int32 = 0
  /// The fields that the batch has a value for and the database perhaps not.
  var newMask: UInt16 = 0
  /// The first and the last of its contexts in the list; −1: none.
  var firstContext: Int32 = -1
  var lastContext: Int32 = -1
  /// A field that was null in the database has its value now.
  var gotValue = false

  // Its history, where it is new.
  /// The events that are to be stored.
  var historyEvents: Int32 = 0
  /// Of those one is an end; one happened just before it arrived, so that others may follow.
  var hasEnd = false
  var isFresh = false
  /// Of those the first that has durations of pages, and how many.
  var durationSeq: Int32 = 0
  var durationCount: UInt16 = 0
  /// Its place among the histories of the batch, and how far that is filled; −1: it gets none.
  var historyBegin: Int32 = -1
  var historyEnd: Int32 = -1
  var historyByteCount: Int32 = 0

  // What the account of changes says of it, if the transaction is committed.
  /// The batch made it: it was not in the database.
  var isNew = false
  /// It was in the database, and the batch gave it a value.
  var isContextFilled = false
  /// The batch's events of it that are stored.
  var storedEvents: Int32 = 0
}

/// A context that gives a session fields; they form a list for each session, in the order of arrival.
struct SessionContext: BitwiseCopyable {
  var record: Int32
  var offset: UInt32
  var next: Int32 = -1
}

/// The sessions of a batch, and the keys of its events: two open-addressed tables over flat arrays, cleared for each attempt.
struct BatchSessions: ~Copyable {
  var sessions = FlatArray<BatchSession>(capacity: 16 * 1024)
  /// The sessions that the current collection touches, in the order of their first event.
  var touched = FlatArray<Int32>(capacity: 16 * 1024)
  var contexts = FlatArray<SessionContext>(capacity: 16 * 1024)
  private var collection: Int32 = 0
  /// How long after an event others of its session are to be expected: a page's time.
  private static let freshMicroseconds: Int64 = 60_000_000

  /// A slot is 0 where it is empty; else the upper half of a hash, and the place plus one. A hash that differs spares the look
  /// at what stands at the place.
  private var sessionSlots: UnsafeMutablePointer<UInt64>
  private var eventSlots: UnsafeMutablePointer<UInt64>
  private var slotCount = 0

  init() {
    sessionSlots = .allocate(capacity: 1)
    eventSlots = .allocate(capacity: 1)
  }

  deinit {
    sessionSlots.deallocate()
    eventSlots.deallocate()
  }

  /// Forgets all, and makes room for so many events.
  mutating func removeAll(events: Int) {
    sessions.truncate(maximumCapacity: 64 * 1024)
    touched.truncate(maximumCapacity: 64 * 1024)
    contexts.truncate(maximumCapacity: 64 * 1024)
    collection = 0
    var needed = 1024
    while needed < events * 2 { needed *= 2 }
    if needed > slotCount || slotCount > 8 * needed {
      sessionSlots.deallocate()
      eventSlots.deallocate()
      sessionSlots = .allocate(capacity: needed)
      eventSlots = .allocate(capacity: needed)
      slotCount = needed
    }
    sessionSlots.update(repeating: 0, count: slotCount)
    forgetEvents()
  }

  /// Forgets the keys of events, and whose sessions they would become; keeps what is known of the database.
  mutating func forgetEvents() {
    eventSlots.update(repeating: 0, count: slotCount)
    for index in 0..<sessions.count { sessions.base[index].claimedBy = 0 }
  }

  /// The session's place in `sessions`; a new entry where the batch has not met it yet.
  @inline(__always)
  mutating func place(_ hash: UInt64, _ high: UInt64, _ low: UInt64, cache: borrowing SessionCache) -> Int32 {
    let mask = slotCount &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while sessionSlots[slot] != 0 {
      if sessionSlots[slot] >> 32 == hash >> 32 {
        let index = Self.index(sessionSlots[slot])
        let session = sessions.base + Int(index)
        if session.pointee.high == high && session.pointee.low == low { return index }
      }
      slot = (slot &+ 1) & mask
    }
    var session = BatchSession(high: high, low: low, hash: hash)
    if let known = cache.find(hash, high, low) {
      session.isInDatabase = true
      session.appID = known.appID
      session.knownMask = known.mask
      session.startedAtMicroseconds = known.startedAtMicroseconds
      session.mayHaveHistory = known.mayHaveHistory
    }
    let index = Int32(truncatingIfNeeded: sessions.count)
    sessions.append(session)
    sessionSlots[slot] = Self.slot(hash, index)
    return index
  }

  /// The batch's earlier event with this key; where there is none, `event` is noted as the first, and −1 returned.
  @inline(__always)
  func firstEvent(
    _ hash: UInt64, event: Int32, _ entry: EventEntry, in events: borrowing FlatArray<EventEntry>
  ) -> Int32 {
    let mask = slotCount &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while eventSlots[slot] != 0 {
      if eventSlots[slot] >> 32 == hash >> 32 {
        let index = Self.index(eventSlots[slot])
        let other = events.base + Int(index)
        if other.pointee.session == entry.session && other.pointee.seq == entry.seq { return index }
      }
      slot = (slot &+ 1) & mask
    }
    eventSlots[slot] = Self.slot(hash, event)
    return -1
  }

  @inline(__always)
  private static func slot(_ hash: UInt64, _ index: Int32) -> UInt64 {
    hash & 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(bitPattern: index &+ 1))
  }

  @inline(__always)
  private static func index(_ slot: UInt64) -> Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: slot)) &- 1 }

  /// Begins to collect what a range of events makes of its sessions.
  mutating func beginCollection() {
    collection += 1
    touched.truncate()
    contexts.truncate()
  }

  /// Takes a session into the collection; true the first time.
  @inline(__always)
  mutating func touch(_ index: Int32) -> Bool {
    let session = sessions.base + Int(index)
    if session.pointee.collection == collection { return false }
    session.pointee.collection = collection
    session.pointee.newMask = 0
    session.pointee.firstContext = -1
    session.pointee.lastContext = -1
    session.pointee.gotValue = false
    session.pointee.historyEvents = 0
    session.pointee.hasEnd = false
    session.pointee.isFresh = false
    session.pointee.durationCount = 0
    session.pointee.historyBegin = -1
    touched.append(index)
    return true
  }

  /// Counts an event that is to be stored.
  ///
  /// - Parameter receivedAtMicroseconds: when it arrived; the smallest number where that is not known.
  @inline(__always)
  func countForHistory(_ event: EventEntry, receivedAtMicroseconds: Int64, in index: Int32) {
    let session = sessions.base + Int(index)
    session.pointee.historyEvents += 1
    if event.isEnd { session.pointee.hasEnd = true }
    if receivedAtMicroseconds != RecordEntry.noTime
      && event.atMicroseconds > receivedAtMicroseconds - Self.freshMicroseconds
    {
      session.pointee.isFresh = true
    }
    if event.pageDurationCount == 0 { return }
    if session.pointee.durationCount > 0 && session.pointee.durationSeq < event.seq { return }
    session.pointee.durationSeq = event.seq
    session.pointee.durationCount = event.pageDurationCount
  }

  /// Notes a context of a session whose fields (`mask`) may be news.
  @inline(__always)
  mutating func addContext(_ record: Int32, _ offset: UInt32, mask: UInt16, to index: Int32) {
    let session = sessions.base + Int(index)
    let news = mask & ~(session.pointee.knownMask | session.pointee.newMask)
    if news == 0 { return }
    let place = Int32(truncatingIfNeeded: contexts.count)
    contexts.append(SessionContext(record: record, offset: offset))
    if session.pointee.lastContext < 0 {
      session.pointee.firstContext = place
    } else {
      contexts.base[Int(session.pointee.lastContext)].next = place
    }
    session.pointee.lastContext = place
    session.pointee.newMask |= news
  }

  /// What is to be written is now in the database (as far as this transaction sees it).
  mutating func noteWritten() {
    for index in 0..<touched.count {
      let session = sessions.base + Int(touched[index])
      if !session.pointee.isInDatabase {
        session.pointee.isInDatabase = true
        session.pointee.appID = session.pointee.claimedBy
        session.pointee.isNew = true
        session.pointee.mayHaveHistory = session.pointee.historyBegin >= 0
      } else {
        if session.pointee.gotValue && !session.pointee.isNew { session.pointee.isContextFilled = true }
        session.pointee.mayHaveHistory = false
      }
      session.pointee.knownMask |= session.pointee.newMask
    }
  }
}
