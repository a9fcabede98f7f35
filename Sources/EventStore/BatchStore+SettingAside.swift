import EventRecords
import Postgres

/// A record that cannot be read, on its way to `pagefall.unreadable_records`.
struct UnreadableRecord {
  var bytes: [UInt8]
  var place: String
  var message: String
}

extension BatchStore {
  /// Takes a record over; one that cannot be read is set aside byte for byte with the batch, so that it never holds up the
  /// others. (Its checksum was right, so this is a record of another version of this program.)
  ///
  /// - Parameter place: where the record stands, for whoever looks into it.
  public mutating func add(orSetAside record: UnsafeRawBufferPointer, place: String) {
    do throws(EventRecordError) {
      try add(record)
    } catch {
      log.error(
        "a record cannot be read and is set aside", ["place": .string(place), "error": .string(error.description)])
      unreadable.append(UnreadableRecord(bytes: Array(record), place: place, message: error.description))
      unreadableByteCount += record.count
    }
  }

  /// Records of the batch that are set aside.
  public var setAsideCount: Int { unreadable.count }

  /// Keeps them, each once.
  func writeUnreadable(_ connection: inout PostgresConnection) throws(EventStoreError) {
    for record in unreadable {
      try connection.run(
        """
        INSERT INTO pagefall.unreadable_records (sha256, source, place, message, body) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (sha256) DO NOTHING
        """,
        [
          .bytes(record.bytes.withUnsafeBytes { SHA256.hash($0) }), .text(source.name), .text(record.place),
          .text(record.message), .bytes(record.bytes),
        ])
    }
  }
}
