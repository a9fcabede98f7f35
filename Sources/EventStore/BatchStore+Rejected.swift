import EventRecords
import Postgres
import StoryEvents

/// What was refused, gathered for one statement; the same bytes of one app are one row.
private struct RejectedRows {
  private struct Key: Hashable {
    var appID: Int32
    var sha256: [UInt8]
  }

  private var places: [Key: Int] = [:]
  private var appIDs: [Int32?] = []
  private var hashes: [[UInt8]?] = []
  private var codes: [String?] = []
  private var fields: [String?] = []
  private var messages: [String?] = []
  private var indices: [Int64?] = []
  private var bodies: [[UInt8]?] = []
  private var sentAt: [PostgresTimestamp?] = []
  private var firstReceivedAt: [PostgresTimestamp?] = []
  private var lastReceivedAt: [PostgresTimestamp?] = []
  private var counts: [Int64?] = []
  private var byteCount = 0

  var isFull: Bool { appIDs.count >= 1000 || byteCount >= 4 * 1024 * 1024 }

  mutating func add(
    appID: Int32, code: RejectionCode, field: UnsafeRawBufferPointer, message: String, index: UInt32,
    body: UnsafeRawBufferPointer, sentAtMicroseconds: Int64, receivedAtMicroseconds: Int64
  ) {
    let key = Key(appID: appID, sha256: SHA256.hash(body))
    let received = PostgresTimestamp(microsecondsSince1970: receivedAtMicroseconds)
    if let place = places[key] {
      counts[place] = (counts[place] ?? 0) + 1
      firstReceivedAt[place] = min(firstReceivedAt[place] ?? received, received)
      lastReceivedAt[place] = max(lastReceivedAt[place] ?? received, received)
      return
    }
    places[key] = appIDs.count
    appIDs.append(appID)
    hashes.append(key.sha256)
    codes.append(code.name)
    fields.append(field.isEmpty ? nil : Self.text(field))
    messages.append(message)
    indices.append(Int64(index))
    bodies.append(Array(body))
    sentAt.append(
      sentAtMicroseconds == RecordEntry.noTime ? nil : PostgresTimestamp(microsecondsSince1970: sentAtMicroseconds))
    firstReceivedAt.append(received)
    lastReceivedAt.append(received)
    counts.append(1)
    byteCount += body.count + message.utf8.count
  }

  /// Text that PostgreSQL takes, whatever the bytes are.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\0", with: "\u{FFFD}")
  }

  /// What becomes of a row that is there.
  private static let repeated = """
    count = r.count + EXCLUDED.count,
        first_received_at = LEAST(r.first_received_at, EXCLUDED.first_received_at),
        last_received_at = GREATEST(r.last_received_at, EXCLUDED.last_received_at)
    """

  /// The same for a replay: nobody sent it again, but why it is kept may be another reason now.
  private static let replayed = "code = EXCLUDED.code, field = EXCLUDED.field, message = EXCLUDED.message"

  mutating func run(_ connection: inout PostgresConnection, isReplay: Bool) throws(EventStoreError) {
    if appIDs.isEmpty { return }
    try connection.run(
      """
      INSERT INTO pagefall.rejected AS r (app_id, sha256, code, field, message, place, body, sent_at, first_received_at,
        last_received_at, count)
      SELECT app_id, sha256, code, field, message, place, body, sent_at, first_received_at, last_received_at, count
      FROM unnest($1::int4[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::int8[], $7::bytea[],
        $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::int8[])
        AS v(app_id, sha256, code, field, message, place, body, sent_at, first_received_at, last_received_at, count)
      ORDER BY app_id, sha256
      ON CONFLICT (app_id, sha256) DO UPDATE SET \(isReplay ? Self.replayed : Self.repeated)
      """,
      [
        .int32Array(appIDs), .bytesArray(hashes), .textArray(codes), .textArray(fields), .textArray(messages),
        .int64Array(indices), .bytesArray(bodies), .timestampArray(sentAt), .timestampArray(firstReceivedAt),
        .timestampArray(lastReceivedAt), .int64Array(counts),
      ])
    self = RejectedRows()
  }
}

extension BatchStore {
  /// Keeps, byte for byte, what was refused when it came and what was found out while loading.
  mutating func writeRejected(_ connection: inout PostgresConnection) throws(EventStoreError) {
    var rows = RejectedRows()
    for record in 0..<batch.records.count {
      let entry = batch.records[record]
      if !entry.hasRejected && !hasKeptEvents(entry) { continue }
      guard var reader = batch.reader(record) else { continue }
      let appID = appIDs[Int(entry.app)]
      let received = receivedAt(record)
      var index = Int(entry.firstEvent)
      while let item = (try? reader.next()) ?? nil {
        switch item {
        case .event(let event):
          if let (code, message) = batch.events.base[index].fate.rejection {
            rows.add(
              appID: appID, code: code, field: UnsafeRawBufferPointer(start: nil, count: 0), message: message,
              index: event.index, body: event.rawJSON, sentAtMicroseconds: entry.sentAtMicroseconds,
              receivedAtMicroseconds: received)
          }
          index += 1
        case .rejected(let rejected):
          rows.add(
            appID: appID, code: rejected.code, field: rejected.field, message: RejectedRows.text(rejected.message),
            index: rejected.index, body: rejected.rawJSON, sentAtMicroseconds: entry.sentAtMicroseconds,
            receivedAtMicroseconds: received)
        case .context, .page, .dropped: break
        }
        if rows.isFull { try rows.run(&connection, isReplay: isReplay) }
      }
    }
    try rows.run(&connection, isReplay: isReplay)
  }

  /// Whether the batch's events stand in `pagefall.rejected` already: what is kept of them changes a row's reason, not its count.
  var isReplay: Bool {
    switch source {
    case .replay: true
    case .spool, .file: false
    }
  }

  private func hasKeptEvents(_ record: RecordEntry) -> Bool {
    let events = batch.events.base
    for index in Int(record.firstEvent)..<Int(record.firstEvent + record.eventCount)
    where events[index].fate.rejection != nil {
      return true
    }
    return false
  }
}

extension EventEntry.Fate {
  /// Under which code, and with which words, an accepted event that was not stored is kept; nil: it is not.
  fileprivate var rejection: (RejectionCode, String)? {
    switch self {
    case .undecided, .stored, .duplicate, .expired: nil
    case .conflictingDuplicate:
      (.conflictingDuplicate, "an event with this session_id and seq but other content came before; the first stays")
    case .foreignSession: (.foreignSession, "the session belongs to another app")
    case .refusedByDatabase:
      (.refusedByDatabase, "PostgreSQL refused the row; it was set aside so that others are stored")
    }
  }
}
