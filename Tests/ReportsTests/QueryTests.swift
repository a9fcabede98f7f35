import LocalTime
import Testing

@testable import Reports

@Suite struct `The instants of a query` {
  @Test(arguments: [
    ("0001-01-01", "Asia/Tokyo", "'-infinity'::timestamptz"),
    ("0001-01-01", "UTC", "'0001-01-01T00:00:00Z'::timestamptz"),
    ("0001-01-02", "Asia/Tokyo", "'0001-01-01T14:41:01Z'::timestamptz"),
  ])
  func `begin no earlier than PostgreSQL can read`(_ from: String, _ zone: String, _ literal: String) throws {
    let range = try TimeRange(
      from: from, to: nil, timeZone: ReportTimeZone(named: zone), nowMicroseconds: reportTimeMicroseconds)
    #expect(SessionQuery.instant(try #require(range.fromMicroseconds)) == literal)
  }
}
