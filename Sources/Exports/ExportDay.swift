import LocalTime

/// A local day of a zone, as a set covers it.
struct ExportDay: Equatable, Sendable {
  /// The day.
  let date: CivilDate
  /// Whose day it is.
  let zone: ReportTimeZone
  /// Its first instant, in microseconds since 1970.
  let fromMicroseconds: Int64
  /// The first instant of the next day.
  let toMicroseconds: Int64

  init(_ date: CivilDate, in zone: ReportTimeZone) {
    var days = LocalDays(zone)
    self.date = date
    self.zone = zone
    fromMicroseconds = days.startMicroseconds(of: date)
    toMicroseconds = days.startMicroseconds(of: CivilDate(dayNumber: date.dayNumber + 1))
  }

  /// `2026-11-29`.
  var text: String { date.text }
}
