import EventRecords
import Postgres
import StoryEvents

/// What fates are counted by.
private struct TallyKey: Hashable {
  var appID: Int32
  /// Days since 1970, UTC.
  var day: Int32
}

extension BatchStore {
  /// When the record was received; of a file that does not say it: now.
  func receivedAt(_ record: Int) -> Int64 {
    let received = batch.records[record].receivedAtMicroseconds
    return received == RecordEntry.noTime ? now() : received
  }

  /// Counts the fates, keeps the account of changes, and moves on how new each app's newest event is.
  mutating func writeCounters(_ connection: inout PostgresConnection) throws(EventStoreError) {
    counts = FateCounts()
    var tallies: [TallyKey: FateCounts] = [:]
    var newest: [Int32: Int64] = [:]
    for record in 0..<batch.records.count {
      let entry = batch.records[record]
      if entry.eventCount == 0 { continue }
      let fates = fates(of: entry)
      let received = receivedAt(record)
      // Of files the day of loading: what a file says of its receipt must not decide how many rows there are.
      let day = entry.isFromFile ? now() : received
      let appID = appIDs[Int(entry.app)]
      tallies[TallyKey(appID: appID, day: Self.daysSince1970(day)), default: FateCounts()] += fates
      if fates.stored > 0 { newest[appID] = max(newest[appID] ?? received, received) }
      counts += fates
    }
    try write(tallies, &connection)
    try writeChanges(&connection)
    try write(newest, &connection)
  }

  /// Counts by session too, for the account of changes.
  private func fates(of record: RecordEntry) -> FateCounts {
    var fates = FateCounts()
    let events = batch.events.base
    for index in Int(record.firstEvent)..<Int(record.firstEvent + record.eventCount) {
      if events[index].fate == .stored {
        fates.stored += 1
        sessions.sessions.base[Int(events[index].session)].storedEvents += 1
      } else if let fate = events[index].fate.eventFate {
        fates[fate] += 1
      }
    }
    return fates
  }

  private func write(
    _ tallies: [TallyKey: FateCounts], _ connection: inout PostgresConnection
  ) throws(EventStoreError) {
    var apps: [Int32?] = []
    var days: [Int32?] = []
    var fates: [String?] = []
    var events: [Int64?] = []
    for (key, counts) in tallies {
      for fate in EventFate.allCases where counts[fate] > 0 {
        apps.append(key.appID)
        days.append(key.day)
        fates.append(fate.rawValue)
        events.append(Int64(counts[fate]))
      }
    }
    if apps.isEmpty { return }
    try connection.run(
      """
      INSERT INTO pagefall.event_fates AS f (source, app_id, received_day, fate, events)
      SELECT $1, app_id, DATE '1970-01-01' + day, fate, events
      FROM unnest($2::int4[], $3::int4[], $4::text[], $5::int8[]) AS v(app_id, day, fate, events)
      ORDER BY app_id, day, fate
      ON CONFLICT (source, app_id, received_day, fate) DO UPDATE SET events = f.events + EXCLUDED.events
      """,
      [.text(source.name), .int32Array(apps), .int32Array(days), .textArray(fates), .int64Array(events)])
  }

  /// Last in the transaction, for this row is everybody's.
  private func write(_ newest: [Int32: Int64], _ connection: inout PostgresConnection) throws(EventStoreError) {
    for (appID, received) in newest.sorted(by: { $0.key < $1.key }) {
      try connection.run(
        """
        UPDATE pagefall.apps SET data_through = $2
        WHERE app_id = $1 AND (data_through IS NULL OR data_through < $2)
        """, [.int32(appID), .timestamp(PostgresTimestamp(microsecondsSince1970: received))])
    }
  }

  /// Stores how many events devices say they gave up: the highest total of each.
  mutating func writeDrops(_ connection: inout PostgresConnection) throws(EventStoreError) {
    struct Device: Hashable {
      var appID: Int32
      var deviceID: String
    }
    var totals: [Device: Int32] = [:]
    for record in 0..<batch.records.count where batch.records[record].hasDrops {
      guard var reader = batch.reader(record) else { continue }
      let appID = appIDs[Int(batch.records[record].app)]
      while let item = (try? reader.next()) ?? nil {
        guard case .dropped(let dropped) = item else { continue }
        let device = Device(appID: appID, deviceID: String(decoding: dropped.deviceID, as: UTF8.self))
        totals[device] = max(totals[device] ?? 0, dropped.total)
      }
    }
    let rows = Array(totals)
    for start in stride(from: 0, to: rows.count, by: 5000) {
      let part = rows[start..<min(start + 5000, rows.count)]
      try connection.run(
        """
        INSERT INTO pagefall.device_drops AS d (app_id, device_id, dropped_events_total, updated_at)
        SELECT app_id, device_id, total, now() FROM unnest($1::int4[], $2::text[], $3::int4[]) AS v(app_id, device_id, total)
        ORDER BY app_id, device_id
        ON CONFLICT (app_id, device_id) DO UPDATE
          SET dropped_events_total = EXCLUDED.dropped_events_total, updated_at = EXCLUDED.updated_at
          WHERE d.dropped_events_total < EXCLUDED.dropped_events_total
        """,
        [
          .int32Array(part.map(\.key.appID)), .textArray(part.map(\.key.deviceID)), .int32Array(part.map(\.value)),
        ])
    }
  }

  private static func daysSince1970(_ microseconds: Int64) -> Int32 {
    let day: Int64 = 86_400_000_000
    return Int32(truncatingIfNeeded: (microseconds - (microseconds < 0 ? day - 1 : 0)) / day)
  }
}
