import LocalTime
import Postgres

/// What is known about a session as cells, made once for all its events.
///
/// The keys and the order of these columns are the same in the files of events and of sessions, so both copy them.
struct SessionCells: ~Copyable {
  private var cells: CellWriter
  private var identityBytes = 0
  private var startedDays: LocalDayText
  private var arrivedDays: LocalDayText

  /// How many columns `identity` and `context` are.
  static let identityCount = ContextColumns.identity.count
  static let contextCount = ContextColumns.context.count

  init(_ options: ExportOptions, _ zone: ReportTimeZone) {
    cells = CellWriter(ContextColumns.identity + ContextColumns.context, options, capacity: 4_096)
    startedDays = LocalDayText(zone)
    arrivedDays = LocalDayText(zone)
  }

  /// The cells in front of each line.
  var identity: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: cells.buffer.bytes[..<identityBytes]) }

  /// The cells of times, clock and context.
  var context: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: cells.buffer.bytes[identityBytes...]) }

  /// Makes the cells of a session.
  mutating func make(_ row: DayRow, app: String) throws(CopyRowReader.Damaged) {
    cells.buffer.removeAll(maximumCapacity: 64 * 1_024)
    cells.begin(at: 0)
    cells.text(app)
    cells.text(row.story)
    cells.uuid(high: row.idHigh, low: row.idLow)
    identityBytes = cells.buffer.count
    cells.timestamp(row.startedAtMicroseconds)
    cells.day(of: row.startedAtMicroseconds, &startedDays)
    cells.timestamp(row.arrivedAtMicroseconds)
    cells.day(of: row.arrivedAtMicroseconds, &arrivedDays)
    cells.integer(row.clockOffsetMicroseconds)
    cells.boolean(row.hasSuspectClock)
    var context = row.context
    for _ in DayQuery.contextTexts { cells.text(try context.field()) }
    cells.json(try context.field())
    guard context.remainder.isEmpty else { throw CopyRowReader.Damaged() }
  }
}
