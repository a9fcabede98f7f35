import EventRecords
import Postgres
import ServiceLog
import Spool
import StoryEvents

/// Where the records of a `BatchStore` come from.
public enum BatchSource: Sendable {
  /// A collector's spool: its position is kept in the database.
  case spool(SpoolIdentity)
  /// Files: one run of ingest.
  case file
  /// Rejected events that are tried again: one run. Like files, but what is stored is accounted for as replayed.
  case replay

  /// As it stands in `pagefall.event_fates`.
  var name: String {
    switch self {
    case .spool(let identity): identity.description
    case .file: "file"
    case .replay: "replay"
    }
  }

  /// As it stands in `pagefall.spools`: whether the position outlives the run.
  var positionKind: String {
    switch self {
    case .spool: "spool"
    case .file, .replay: "file"
    }
  }
}

/// Stores the events of many records with one transaction, each exactly once, and says what became of each.
///
/// Add records until `isFull`, then `store`. Where `store` throws, the batch is kept: calling it again (with whatever patience
/// the caller has) connects anew, finds out whether the batch was committed after all, and if not does it again.
///
/// How it works, and why nothing is lost or doubled, is told in docs/storage.md. Memory: at most 12 MiB of records (and one
/// record), 8 MiB of repeats, 4 MiB of sessions, 4 MiB of histories and 8 MiB of tables of the batch, none of which depends
/// on what senders do.
///
/// It belongs to one thread at a time.
public struct BatchStore: ~Copyable {
  let options: ConnectionOptions
  let source: BatchSource
  /// The row of `pagefall.spools` that is this store's.
  let positionID: PostgresUUID
  let log: ServiceLog
  /// Microseconds since 1970.
  let now: @Sendable () -> Int64

  var connection: PostgresConnection?
  /// The database's position of the spool when it was last heard of; what the next transaction compares with.
  var position: SpoolPosition?
  /// A commit whose answer never came: where it would have led, and what it would have counted.
  var openCommit: (end: SpoolPosition, counts: FateCounts)?
  var epoch: Int64 = -1
  /// The number of the newest packing that is known of; −1: none.
  var packing: Int64 = -1
  /// Whether the database holds events without a session.
  var hasLooseEvents = false
  /// Sessions that this store left without a history, tried and rolled back ones among them.
  var unpackedSessions = 0
  var retentionLineMicroseconds: Int64?

  var batch: EventBatch
  var sessions = BatchSessions()
  let hash: KeyedHash
  /// The histories of the batch's new sessions, one after the other.
  var histories = FlatArray<UInt8>(capacity: 16)
  let knownSessions: SessionCache
  let repeats: RepeatMemory
  var pages: PageMemory
  var encoder = BinaryCopyEncoder(capacityBytes: 160 * 1024)
  /// The apps that records named, and their ids; 0: to be asked for.
  var appNames: [String] = []
  var appIDs: [Int32] = []
  /// Batches that will ask the database for their sessions first, because an optimistic one met something there.
  var carefulBatches = 0
  /// Records that could not be read, to be set aside with the batch.
  var unreadable: [UnreadableRecord] = []
  var unreadableByteCount = 0
  /// A reader of the record whose contexts were asked for last.
  var currentRecord: (record: Int32, reader: EventRecordReader)?
  /// Of the attempt under way.
  var counts = FateCounts()

  /// Makes a store; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - options: the database; its `interrupt` and time limits hold for every wait.
  ///   - source: whose position is advanced, and under which name fates are counted.
  ///   - now: the clock, microseconds since 1970.
  ///   - random: from outside for tests; the hashes depend on it, no result does.
  public init(
    _ options: ConnectionOptions, source: BatchSource, log: ServiceLog = .disabled,
    now: @escaping @Sendable () -> Int64 = SystemTime.microsecondsSince1970,
    random: some RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    var random = random
    self.options = options
    self.source = source
    self.log = log
    self.now = now
    switch source {
    case .spool(let identity): positionID = PostgresUUID(bytes: identity.bytes) ?? PostgresUUID(high: 0, low: 0)
    case .file, .replay: positionID = PostgresUUID(high: random.next(), low: random.next())
    }
    hash = KeyedHash(random: &random)
    batch = EventBatch(hash: hash)
    knownSessions = SessionCache(sets: 64 * 1024)
    repeats = RepeatMemory(sets: 128 * 1024)
    pages = PageMemory(hash: hash)
  }

  /// Whether the batch should be stored now: 50,000 events, or 12 MiB of records.
  public var isFull: Bool { batch.isFull || unreadableByteCount >= EventBatch.fullBytes }

  /// Whether nothing has been added.
  public var isEmpty: Bool { batch.records.count == 0 && unreadable.isEmpty }

  /// Accepted events in the batch.
  public var eventCount: Int { batch.events.count }

  /// Bytes of the batch's records.
  public var byteCount: Int { batch.byteCount }

  /// Takes a record's bytes over into the batch.
  ///
  /// - Throws: `EventRecordError` where the record cannot be read; nothing of it is in the batch then.
  public mutating func add(_ record: UnsafeRawBufferPointer) throws(EventRecordError) {
    var names = appNames
    appNames = []
    defer {
      appNames = names
      while appIDs.count < appNames.count { appIDs.append(0) }
    }
    try batch.add(record) { header in
      // The newest first: records of one app come in rows. By their bytes, as in the database: Swift takes two ways to write an
      // accent for equal.
      let app = header.app
      if let place = names.lastIndex(where: { $0.utf8.elementsEqual(app.utf8) }) { return Int32(place) }
      names.append(app)
      return Int32(names.count - 1)
    }
  }

  /// Forgets the batch, unstored.
  public mutating func discard() {
    batch.removeAll()
    unreadable.removeAll()
    unreadableByteCount = 0
    currentRecord = nil
    openCommit = nil
  }

  /// Connects where there is no connection, and makes sure that the database is migrated.
  ///
  /// - Returns: how far the database has loaded this spool; `.start` where it has not heard of it.
  public mutating func open() throws(EventStoreError) -> SpoolPosition {
    if let position, connection?.isUsable == true { return position }
    let found = try connect()
    position = found
    return found
  }

  /// Stores the batch in one transaction, and empties it.
  ///
  /// - Parameter end: the end of the last record in the spool; nil for files and replays.
  /// - Returns: what became of the batch's accepted events.
  /// - Throws: `.positionMoved` where somebody else advanced the spool's position, or the database was exchanged: `discard`, and
  ///   read again from there. Else see `EventStoreError`; the batch is kept, and nothing of it stored that is not found out.
  @discardableResult
  public mutating func store(through end: SpoolPosition? = nil) throws(EventStoreError) -> FateCounts {
    if isEmpty { return FateCounts() }
    let expected = position
    if connection == nil || connection?.isUsable != true {
      let found = try connect()
      position = found
      if let openCommit, openCommit.end == found {
        // It was committed: only the answer was lost.
        discard()
        return openCommit.counts
      }
      if let expected, expected != found { throw .positionMoved(found) }
    }
    let begin = position ?? .start
    let next = end ?? SpoolPosition(segment: begin.segment, offset: begin.offset + 1)
    try commitBatch(from: begin, to: next)
    position = next
    discard()
    return counts
  }
}
