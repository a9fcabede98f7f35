import LocalTime
import Testing

@testable import Exports

@Suite struct `A day of an export` {
  @Test(
    arguments: [
      (2026, 3, 29, "Europe/Berlin", 23), (2026, 10, 25, "Europe/Berlin", 25), (2026, 11, 1, "America/New_York", 25),
      (2026, 11, 29, "UTC", 24),
    ])
  func `has the hours that its zone gives it`(_ year: Int, _ month: Int, _ day: Int, _ zone: String, _ hours: Int64)
    throws
  {
    let date = try #require(CivilDate(year: year, month: month, day: day))
    let exported = ExportDay(date, in: try ReportTimeZone(named: zone))
    #expect(exported.toMicroseconds - exported.fromMicroseconds == hours * 3_600_000_000)
  }
}
