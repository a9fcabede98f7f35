import EventRecords
import StoryEvents

/// An event of the batch: its key, what it is judged by, and what became of it.
struct EventEntry: BitwiseCopyable {
  /// The session id, stored form.
  var high: UInt64
  var low: UInt64
  var contentHash: UInt64
  var atMicroseconds: Int64
  var seq: Int32
  /// The record that it came in.
  var record: Int32
  /// Its context in that record; 0: none.
  var contextOffset: UInt32
  /// Its session's place in the table of the batch.
  var session: Int32 = 0
  /// The fields that its context has.
  var contextMask: UInt16
  /// Its type and its number, as a history holds them.
  var historyCode: Int16
  /// Its page's time on screen, in seconds; NaN: not said.
  var durationSeconds: Double
  /// How many durations of pages it has.
  var pageDurationCount: UInt16
  /// Whether it mostly is its session's last.
  var isEnd: Bool
  var fate: Fate = .undecided
  var known: Known = .nothing

  /// What became of it; `.stored` is an intention until the transaction is committed.
  enum Fate: UInt8, BitwiseCopyable {
    case undecided, stored, duplicate, conflictingDuplicate, foreignSession, expired, refusedByDatabase

    var eventFate: EventFate? {
      switch self {
      case .undecided: nil
      case .stored: .stored
      case .duplicate: .duplicate
      case .conflictingDuplicate: .conflictingDuplicate
      case .foreignSession: .foreignSession
      case .expired: .expired
      case .refusedByDatabase: .refusedByDatabase
      }
    }
  }

  /// What the database said of it, where it was asked.
  enum Known: UInt8, BitwiseCopyable {
    case nothing
    /// An event of this key is stored, with the same content.
    case same
    /// An event of this key is stored, with other content.
    case different
    /// PostgreSQL refused its row.
    case refused
  }
}

/// A record of the batch.
struct RecordEntry: BitwiseCopyable {
  /// Where its copy begins in the batch's memory, and how long it is.
  var offset: Int
  var byteCount: Int
  var firstEvent: Int32
  var eventCount: Int32
  /// Its app's place in the store's list of apps.
  var app: Int32
  /// From a file, not over HTTP.
  var isFromFile: Bool
  /// What it holds beside events and contexts.
  var hasRejected = false
  var hasPages = false
  var hasDrops = false
  /// Int64.min: unknown.
  var receivedAtMicroseconds: Int64
  /// Int64.min: none.
  var sentAtMicroseconds: Int64

  static let noTime = Int64.min
}

/// The records that are to be stored together: copies of their bytes, and a flat table of their events.
struct EventBatch: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var byteCount = 0
  private(set) var events: FlatArray<EventEntry>
  private(set) var records: FlatArray<RecordEntry>
  private let hash: KeyedHash

  /// A batch is full at this many events or bytes; one record may lie beyond.
  static let fullEvents = 50_000
  static let fullBytes = 12 * 1024 * 1024
  private static let keptBytes = fullBytes + 1024 * 1024

  init(hash: KeyedHash) {
    self.hash = hash
    // Not touched until used, so a quiet collector never pays for it.
    capacity = Self.keptBytes
    memory = .allocate(byteCount: capacity, alignment: 16)
    events = FlatArray(capacity: Self.fullEvents + 14_000)
    records = FlatArray(capacity: 1024)
  }

  deinit { memory.deallocate() }

  var isFull: Bool { events.count >= Self.fullEvents || byteCount >= Self.fullBytes }

  /// Forgets everything; memory beyond the usual is given back.
  mutating func removeAll() {
    byteCount = 0
    events.truncate(maximumCapacity: Self.fullEvents + 14_000)
    records.truncate(maximumCapacity: 64 * 1024)
    if capacity > Self.keptBytes {
      memory.deallocate()
      capacity = Self.keptBytes
      memory = .allocate(byteCount: capacity, alignment: 16)
    }
  }

  /// Takes a record over, all of it or (where it throws) nothing.
  ///
  /// - Parameter app: from the app's name to its place in the caller's list.
  mutating func add(
    _ record: UnsafeRawBufferPointer, app: (borrowing EventRecordHeader) -> Int32
  ) throws(EventRecordError) {
    let offset = (byteCount + 15) & ~15
    reserve(offset + record.count)
    if let source = record.baseAddress { (memory + offset).copyMemory(from: source, byteCount: record.count) }
    let firstEvent = events.count
    do throws(EventRecordError) {
      var reader = try EventRecordReader(UnsafeRawBufferPointer(start: memory + offset, count: record.count))
      var entry = RecordEntry(
        offset: offset, byteCount: record.count, firstEvent: Int32(firstEvent), eventCount: 0,
        app: app(reader.header), isFromFile: reader.header.origin == .file,
        receivedAtMicroseconds: reader.header.receivedAtMicroseconds ?? RecordEntry.noTime,
        sentAtMicroseconds: reader.header.sentAtMicroseconds ?? RecordEntry.noTime)
      try addItems(of: &reader, to: &entry)
      entry.eventCount = Int32(events.count - firstEvent)
      records.append(entry)
      byteCount = offset + record.count
    } catch {
      events.truncate(to: firstEvent)
      throw error
    }
  }

  private mutating func addItems(
    of reader: inout EventRecordReader, to entry: inout RecordEntry
  ) throws(EventRecordError) {
    let record = Int32(records.count)
    // Events stand behind their context, mostly the one met last.
    var context: (offset: UInt32, mask: UInt16) = (0, 0)
    while let item = try reader.next() {
      switch item {
      case .context(let view): context = (view.offset, view.mask)
      case .event(let event):
        let offset = event.contextOffset
        if offset != context.offset { context = (offset, try reader.context(at: offset)?.mask ?? 0) }
        events.append(
          EventEntry(
            high: event.storedHigh, low: event.low, contentHash: contentHash(event),
            atMicroseconds: event.atMicroseconds, seq: event.seq, record: record, contextOffset: offset,
            contextMask: context.mask, historyCode: SessionHistory.code(event),
            durationSeconds: event.durationSeconds ?? .nan,
            pageDurationCount: UInt16(truncatingIfNeeded: event.pageDurationCount),
            isEnd: SessionHistory.isEnd(event.type)))
      case .rejected: entry.hasRejected = true
      case .page(let page):
        _ = try reader.context(at: page.contextOffset)
        entry.hasPages = true
      case .dropped: entry.hasDrops = true
      }
    }
  }

  @inline(__always)
  private func contentHash(_ event: EventView) -> UInt64 {
    let content = EventContent(
      type: event.type.rawValue, atMicroseconds: event.atMicroseconds, pageIndex: event.pageIndex ?? -1,
      pageCount: event.pageCount ?? -1, source: event.source?.rawValue ?? 255, action: event.action?.rawValue ?? 255)
    let state = content.hash(hash)
    if event.textMask == 0 { return hash.withoutTexts(state) }
    return hash.texts(
      state, event.text(.reason), event.text(.contentCode), event.text(.error), event.text(.categoryID),
      event.text(.buttonID))
  }

  /// A reader of a record's copy; nil only where memory was overwritten: the record was read whole when it was added.
  func reader(_ record: Int) -> EventRecordReader? {
    let entry = records[record]
    return try? EventRecordReader(UnsafeRawBufferPointer(start: memory + entry.offset, count: entry.byteCount))
  }

  /// The fate of each event, in the order in which they were added.
  ///
  /// - Throws: `.unexpected` where one was not decided. Whoever asks removes what was stored, so nothing is guessed.
  func decidedFates() throws(EventStoreError) -> [EventFate] {
    var fates: [EventFate] = []
    fates.reserveCapacity(events.count)
    for index in 0..<events.count {
      guard let fate = events.base[index].fate.eventFate else {
        throw .unexpected("an event of a stored batch has no fate")
      }
      fates.append(fate)
    }
    return fates
  }

  private mutating func reserve(_ needed: Int) {
    if needed <= capacity { return }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: needed, alignment: 16)
    larger.copyMemory(from: memory, byteCount: byteCount)
    memory.deallocate()
    memory = larger
    capacity = needed
  }
}
