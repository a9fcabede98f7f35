import FunnelDocument

/// The files of a day, as they were written.
struct WrittenDay: Sendable {
  /// In the order of `ExportContent`.
  var files: [WrittenFile]
  /// All sessions of the day, whatever they count for.
  var sessions: Int
  /// All their events.
  var events: Int
  /// The sums of all stories of the day, without pages; with events that devices gave up and that were rejected (metrics §4).
  var counts: FunnelCounts

  /// How far the day's numbers can be trusted.
  var completeness: Completeness { counts.completeness }
}

/// A file of a day, as it was written.
struct WrittenFile: Equatable, Sendable {
  var content: ExportContent
  /// Such as `events.csv.gz`.
  var name: String
  var columns: [ExportColumn]
  /// Without the header.
  var rows: Int
  /// On the disk.
  var bytes: Int64
  /// Before compression, header included.
  var uncompressedBytes: Int64
  /// Of the bytes on the disk, as 64 hexadecimal digits.
  var sha256: String
}
