import EventRecords
import Postgres
import StoryEvents

/// A page's details on their way to `pagefall.story_pages`.
private struct StoryPageRow {
  var appID: Int32
  var storyID: String
  var pageIndex: Int16
  var texts: [String?]
  var duration: Double?
  var payloadIndex: Int32?
  var updatedAt: PostgresTimestamp
}

extension BatchStore {
  /// Pages that an app may have in `pagefall.story_pages`: a sender that makes up stories cannot fill the database with them.
  public static var maximumPagesPerApp: Int { 50_000 }

  private static var pagesPerStatement: Int { 1000 }

  /// Stores the page details that came with events which are stored: field by field the newest value. Duplicates, foreign
  /// events and all others that are not stored add nothing (contract §3).
  mutating func writePages(_ connection: inout PostgresConnection) throws(EventStoreError) {
    pages.expire(nowMicroseconds: now())
    var rows: [StoryPageRow] = []
    // By the bytes, as the database tells stories apart.
    var places: [[UInt8]: Int] = [:]
    for record in 0..<batch.records.count where batch.records[record].hasPages {
      guard var reader = batch.reader(record) else { continue }
      let appID = appIDs[Int(batch.records[record].app)]
      let updatedAt = PostgresTimestamp(microsecondsSince1970: receivedAt(record))
      var event = Int(batch.records[record].firstEvent)
      // A page's details stand behind the event that they came with.
      var isEventStored = false
      while let item = (try? reader.next()) ?? nil {
        if case .event = item {
          isEventStored = batch.events.base[event].fate == .stored
          event += 1
        }
        guard case .page(let page) = item, isEventStored else { continue }
        let story = (try? reader.context(at: page.contextOffset))??.value(.storyID)
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        let key = hash.bytes(UInt64(UInt32(bitPattern: appID)) << 16 | UInt64(page.pageIndex), story ?? empty)
        let fields = fields(of: page)
        if pages.isKnown(key, fields) { continue }
        pages.note(key, fields)
        var row = StoryPageRow(
          appID: appID, storyID: story.map { String(decoding: $0, as: UTF8.self) } ?? "",
          pageIndex: page.pageIndex,
          texts: PageText.allCases.map { page.text($0).map { String(decoding: $0, as: UTF8.self) } },
          duration: page.durationSeconds, payloadIndex: page.payloadIndex, updatedAt: updatedAt)
        let name = Array("\(row.appID) \(row.pageIndex) \(row.storyID)".utf8)
        if let place = places[name] {
          row.fill(from: rows[place])
          rows[place] = row
        } else {
          places[name] = rows.count
          rows.append(row)
        }
        if rows.count >= Self.pagesPerStatement {
          try write(rows, &connection)
          rows.removeAll(keepingCapacity: true)
          places.removeAll(keepingCapacity: true)
        }
      }
    }
    try write(rows, &connection)
  }

  private func fields(of page: PageView) -> PageMemory.Fields {
    var fields = PageMemory.Fields()
    for text in PageText.allCases {
      if let bytes = page.text(text) { fields[Int(text.rawValue)] = pages.field(bytes) }
    }
    if let duration = page.durationSeconds {
      fields[6] = withUnsafeBytes(of: duration.bitPattern) { pages.field($0) }
    }
    if let index = page.payloadIndex { fields[7] = withUnsafeBytes(of: index) { pages.field($0) } }
    return fields
  }

  private func write(
    _ rows: [StoryPageRow], _ connection: inout PostgresConnection
  ) throws(EventStoreError) {
    if rows.isEmpty { return }
    let texts = PageText.allCases.indices.map { index in PostgresValue.textArray(rows.map { $0.texts[index] }) }
    try connection.run(
      Self.pageStatement,
      [
        .int32Array(rows.map(\.appID)), .textArray(rows.map(\.storyID)), .int16Array(rows.map(\.pageIndex)),
        .doubleArray(rows.map(\.duration)), .int32Array(rows.map(\.payloadIndex)),
        .timestampArray(rows.map(\.updatedAt)),
      ] + texts)
  }

  /// The new ones only as far as the app has room.
  private static var pageStatement: String {
    let texts = PageText.allCases.map(\.name)
    let arrays = texts.indices.map { "$\($0 + 7)::text[]" }.joined(separator: ", ")
    let names = "app_id, story_id, page_index, duration, payload_index, updated_at, \(texts.joined(separator: ", "))"
    let sets = (texts + ["duration", "payload_index"]).map { "\($0) = COALESCE(EXCLUDED.\($0), p.\($0))" }
    return """
      WITH given AS (
        SELECT * FROM unnest($1::int4[], $2::text[], $3::int2[], $4::float8[], $5::int4[], $6::timestamptz[], \(arrays))
          AS v(\(names))
      ), judged AS (
        SELECT g.*, s.app_id IS NULL AS is_new,
          row_number() OVER (PARTITION BY g.app_id, s.app_id IS NULL ORDER BY g.story_id, g.page_index) AS number
        FROM given g LEFT JOIN pagefall.story_pages s USING (app_id, story_id, page_index)
      ), room AS (
        SELECT n.app_id,
          \(maximumPagesPerApp) - (SELECT count(*) FROM pagefall.story_pages s WHERE s.app_id = n.app_id) AS free
        FROM (SELECT DISTINCT app_id FROM judged WHERE is_new) n
      )
      INSERT INTO pagefall.story_pages AS p (\(names))
      SELECT \(names) FROM judged LEFT JOIN room USING (app_id) WHERE NOT is_new OR number <= free
      ORDER BY app_id, story_id, page_index
      ON CONFLICT (app_id, story_id, page_index) DO UPDATE SET updated_at = EXCLUDED.updated_at,
        \(sets.joined(separator: ", "))
      """
  }
}

extension StoryPageRow {
  /// Takes over from an older row of the same page what this one does not say.
  mutating func fill(from older: StoryPageRow) {
    for index in texts.indices where texts[index] == nil { texts[index] = older.texts[index] }
    duration = duration ?? older.duration
    payloadIndex = payloadIndex ?? older.payloadIndex
  }
}
