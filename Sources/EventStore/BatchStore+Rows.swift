import EventRecords
import Postgres
import StoryEvents

extension BatchStore {
  /// Bytes of rows that are gathered before they are handed to libpq.
  private static let pieceBytes = 64 * 1024

  /// Writes the rows of the events of this range that are to be stored, and of their sessions.
  ///
  /// - Parameter packs: whether the range is the whole batch, so that it holds all events of its new sessions.
  mutating func writeRows(
    _ connection: inout PostgresConnection, _ range: Range<Int>, packs: Bool
  ) throws(EventStoreError) {
    collectSessions(range)
    if sessions.touched.count == 0 { return }
    if packs { packHistories(range) }
    try copySessions(&connection)
    try copyEvents(&connection, range)
    try forgetHistories(&connection)
    try fillSessions(&connection)
    sessions.noteWritten()
  }

  private mutating func copySessions(_ connection: inout PostgresConnection) throws(EventStoreError) {
    var rows = 0
    for index in 0..<sessions.touched.count where !sessions.sessions.base[Int(sessions.touched[index])].isInDatabase {
      rows += 1
    }
    if rows == 0 { return }
    try copy(&connection, SessionRow.copyStatement, rows: rows) { (store, writer) throws(PostgresError) in
      for index in 0..<store.sessions.touched.count {
        let session = store.sessions.sessions.base[Int(store.sessions.touched[index])]
        if session.isInDatabase { continue }
        store.encode(session)
        if store.encoder.byteCount >= Self.pieceBytes { try writer.write(&store.encoder) }
      }
    }
  }

  private mutating func copyEvents(
    _ connection: inout PostgresConnection, _ range: Range<Int>
  ) throws(EventStoreError) {
    let events = batch.events.base
    var rows = 0
    for index in range where events[index].fate == .stored { rows += 1 }
    if rows == 0 { return }
    try copy(&connection, EventRow.copyStatement, rows: rows) { (store, writer) throws(PostgresError) in
      var record = Int(events[range.lowerBound].record)
      var index = Int(store.batch.records[record].firstEvent)
      while index < range.upperBound, var reader = store.batch.reader(record) {
        // The record was read whole when it was added; it cannot end early here.
        while let item = (try? reader.next()) ?? nil {
          guard case .event(let event) = item else { continue }
          if index >= range.upperBound { break }
          if index >= range.lowerBound && events[index].fate == .stored {
            EventRow.encode(event, &store.encoder)
            if store.encoder.byteCount >= Self.pieceBytes { try writer.write(&store.encoder) }
          }
          index += 1
        }
        record += 1
      }
    }
  }

  /// Runs a COPY, and checks that PostgreSQL stored as many rows as were sent.
  private mutating func copy(
    _ connection: inout PostgresConnection, _ statement: String, rows: Int,
    _ body: (inout BatchStore, inout CopyWriter) throws(PostgresError) -> Void
  ) throws(EventStoreError) {
    encoder.removeAll()
    encoder.appendHeader()
    let stored: Int
    do {
      stored = try connection.copyIn(statement) { (writer) throws(PostgresError) in
        try body(&self, &writer)
        self.encoder.appendTrailer()
        try writer.write(&self.encoder)
      }
    } catch {
      throw EventStoreError(wrapping: error)
    }
    if stored != rows { throw .rowsMissing(sent: rows, stored: stored) }
  }

  private mutating func encode(_ session: BatchSession) {
    let history = history(of: session)
    if history == nil { unpackedSessions += 1 }
    SessionRow.encode(session, history: history, &encoder)
    let first = session.firstContext
    if first < 0 {
      for _ in ContextField.allCases { encoder.appendNull() }
      return
    }
    let context = sessions.contexts[Int(first)]
    guard let view = contextView(context.record, context.offset) else { return }
    for field in ContextField.allCases {
      var value = view.value(field)
      if value == nil && context.next >= 0 { value = laterValue(field, after: context) }
      guard let value else {
        encoder.appendNull()
        continue
      }
      if field == .properties { encoder.append(jsonb: value) } else { encoder.append(bytes: value) }
    }
  }

  private mutating func laterValue(_ field: ContextField, after first: SessionContext) -> UnsafeRawBufferPointer? {
    var next = first.next
    while next >= 0 {
      let context = sessions.contexts[Int(next)]
      if let value = contextView(context.record, context.offset)?.value(field) { return value }
      next = context.next
    }
    return nil
  }

  /// A context of the batch; its bytes are the batch's.
  mutating func contextView(_ record: Int32, _ offset: UInt32) -> ContextView? {
    if currentRecord?.record != record {
      currentRecord = batch.reader(Int(record)).map { (record, $0) }
    }
    return (try? currentRecord?.reader.context(at: offset)) ?? nil
  }

  /// Adds to sessions that are in the database the fields that it has no value for yet; the first value stays.
  private mutating func fillSessions(_ connection: inout PostgresConnection) throws(EventStoreError) {
    var fill = SessionFill()
    for index in 0..<sessions.touched.count {
      let place = sessions.touched[index]
      let session = sessions.sessions.base[Int(place)]
      if !session.isInDatabase || session.newMask == 0 { continue }
      fill.begin(high: session.high, low: session.low, place: place)
      for field in ContextField.allCases where session.newMask & field.bit != 0 {
        let first = SessionContext(record: 0, offset: 0, next: session.firstContext)
        if let value = laterValue(field, after: first) { fill.set(field, value) }
      }
      if fill.isFull { try fill.run(&connection, &sessions) }
    }
    try fill.run(&connection, &sessions)
  }
}
