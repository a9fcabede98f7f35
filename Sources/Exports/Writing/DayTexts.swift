import LocalTime

/// Days as text, the latest one kept: rows come nearly in the order of time.
///
/// Only the days of the years 1–9999 have a text: what a warehouse loads as dates knows no others.
struct DayText: ~Copyable {
  /// Days since 1970-01-01 that have a text: from 0001-01-01 to 9999-12-31.
  static let dayNumbers: ClosedRange<Int64> = -719_162...2_932_896

  private var latest = Int64.max
  private var text = ByteBuffer(capacity: 64)

  /// Appends a day.
  ///
  /// - Parameter dayNumber: one of `dayNumbers`.
  @inline(__always)
  mutating func append(dayNumber: Int64, to buffer: inout ByteBuffer) {
    if dayNumber != latest { make(dayNumber) }
    buffer.append(text.bytes)
  }

  @inline(never)
  private mutating func make(_ dayNumber: Int64) {
    latest = dayNumber
    let (year, month, day) = CivilDate(dayNumber: dayNumber).components
    text.removeAll()
    text.append(year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2))
  }
}

/// The local days of a column of times, as text.
struct LocalDayText: ~Copyable {
  private let zone: ReportTimeZone
  private var days: LocalDays
  private var lookups = 0
  /// The range of the latest day, in microseconds since 1970; empty at first.
  private var from: Int64 = 0
  private var to: Int64 = 0
  private var dayNumber: Int64 = 0
  private var text = DayText()

  /// `LocalDays` remembers each day that it was asked for; a device's clock can show any of three million.
  private static let mostLookups = 4_000

  init(_ zone: ReportTimeZone) {
    self.zone = zone
    days = LocalDays(zone)
  }

  /// The day that holds an instant, in days since 1970-01-01; nil where it has no text.
  @inline(__always)
  mutating func dayNumber(of microseconds: Int64) -> Int64? {
    if microseconds < from || microseconds >= to { find(microseconds) }
    return DayText.dayNumbers.contains(dayNumber) ? dayNumber : nil
  }

  /// Appends a day that `dayNumber` gave.
  @inline(__always)
  mutating func append(dayNumber: Int64, to buffer: inout ByteBuffer) {
    text.append(dayNumber: dayNumber, to: &buffer)
  }

  @inline(never)
  private mutating func find(_ microseconds: Int64) {
    lookups += 1
    if lookups.isMultiple(of: Self.mostLookups) { days = LocalDays(zone) }
    let date = days.date(atMicroseconds: microseconds)
    dayNumber = date.dayNumber
    from = days.startMicroseconds(of: date)
    to = days.startMicroseconds(of: CivilDate(dayNumber: date.dayNumber + 1))
  }
}
