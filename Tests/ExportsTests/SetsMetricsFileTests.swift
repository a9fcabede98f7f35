import Foundation
import Glibc
import Testing

@testable import Exports

@Suite struct `The metrics file` {
  let fixture: SetsFixture
  var path: String { fixture.root + "/pagefall.prom" }

  init() throws { fixture = try SetsFixture() }

  private let figures = ExportFigures(
    directory: "/srv/exports", lastSuccessSeconds: 1_796_000_400.25, durationSeconds: 12.5, daysWritten: 2,
    rows: [.events: 1_000_000, .sessions: 20])

  @Test func `is Prometheus' text, each family with its help and type`() {
    #expect(
      figures.text == """
        # HELP pagefall_export_last_success_timestamp_seconds When an export last ended well, whether anything had changed or not.
        # TYPE pagefall_export_last_success_timestamp_seconds gauge
        pagefall_export_last_success_timestamp_seconds{directory="/srv/exports"} 1796000400.25
        # HELP pagefall_export_duration_seconds How long that export took.
        # TYPE pagefall_export_duration_seconds gauge
        pagefall_export_duration_seconds{directory="/srv/exports"} 12.5
        # HELP pagefall_export_days_written Sets that it wrote, one a day.
        # TYPE pagefall_export_days_written gauge
        pagefall_export_days_written{directory="/srv/exports"} 2
        # HELP pagefall_export_rows Lines that it wrote, by content.
        # TYPE pagefall_export_rows gauge
        pagefall_export_rows{directory="/srv/exports",content="events"} 1000000
        pagefall_export_rows{directory="/srv/exports",content="sessions"} 20
        pagefall_export_rows{directory="/srv/exports",content="funnel"} 0
        pagefall_export_rows{directory="/srv/exports",content="stories"} 0

        """)
  }

  @Test func `escapes what a directory's name may hold`() {
    var figures = figures
    figures.directory = "a\"b\\c\nd é\r\ne"
    #expect(figures.text.contains("{directory=\"a\\\"b\\\\c\\nd é\r\\ne\"} 2\n"))
  }

  @Test func `is replaced whole and can be read by everybody, whatever the umask`() throws {
    let metrics = try MetricsFile(path: path)
    try fixture.write("old", to: path)
    chmod(path, 0o600)
    try metrics.write(figures)
    #expect(try fixture.text(path) == figures.text)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(try fixture.names(fixture.root) == ["pagefall.prom"])
  }

  @Test func `never takes the place of a device`() throws {
    let error = try #require(exportError { _ = try MetricsFile(path: "/dev/null") })
    #expect(error.kind == .file && error.description.hasPrefix("/dev/null is not a regular file"))
  }

  @Test func `needs a directory that is there`() throws {
    let path = fixture.root + "/missing/pagefall.prom"
    #expect(exportError { _ = try MetricsFile(path: path) }?.description.contains("\(fixture.root)/missing") == true)
  }
}
