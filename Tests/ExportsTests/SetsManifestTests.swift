import Foundation
import FunnelDocument
import Glibc
import LocalTime
import Testing

@testable import Exports

@Suite struct `A manifest` {
  @Test func `is written in its order, to be read by people and programs`() {
    #expect(exampleManifest().text == goldenManifest)
  }

  @Test func `has the exact bounds of its day, with the zone's offsets`() throws {
    let zone = try ReportTimeZone(named: "Europe/Berlin")
    let day = ExportDay(try #require(CivilDate(year: 2026, month: 10, day: 25)), in: zone)
    let written = WrittenDay(files: [], sessions: 1, events: 2, counts: FunnelCounts())
    let manifest = SetManifest(
      day, apps: ["shop", "news"], isAllApps: false, written, exampleRecord(revision: 1), SetChanges(),
      generatedAtMicroseconds: 1_793_000_000_000_000, dataThroughMicroseconds: nil, generator: "pagefall 0.1.0")
    #expect(manifest.from == "2026-10-25T00:00:00+02:00" && manifest.to == "2026-10-26T00:00:00+01:00")
    #expect(manifest.scope.apps == ["news", "shop"])
    #expect(manifest.json["data_through"] == .null && manifest.json["changes"]?["since_revision"] == .null)
    #expect(try SetManifest(text: manifest.text.utf8) == manifest)
  }

  @Test(arguments: [
    "", "\"quoted\" \\ back", "line\r\nline\u{2028}", "\u{0}\u{1F}\u{7F}", "👩‍👩‍👧‍👦 \u{202E}reversed", "e\u{301} é",
    "}],{\"day\":",
    String(repeating: "x", count: 100_000),
  ])
  func `survives every text`(_ text: String) throws {
    var manifest = exampleManifest(apps: [text, "a"], isAllApps: false)
    manifest.generator = text
    manifest.record.databaseID = text
    manifest.completeness.rejectedEvents = [text: 1]
    manifest.files[0].columns[0].meaning = text
    manifest.files[0].name = text
    #expect(try SetManifest(text: manifest.text.utf8) == manifest)
  }

  @Test func `keeps every option, reason and count`() throws {
    var manifest = exampleManifest()
    manifest.changes.reasons = Dictionary(
      uniqueKeysWithValues: RevisionReason.allCases.enumerated().map {
        ($1, ChangeCount(sessions: Int64($0), events: 7))
      })
    manifest.record.position = ChangePosition(
      Dictionary(
        uniqueKeysWithValues: ChangeReason.allCases.enumerated().map {
          ($1, ChangeCount(sessions: Int64($0), events: 1 << 53))
        }), mark: .max)
    for format in ExportFormat.allCases {
      for compression in ExportCompression.allCases {
        manifest.record.options = ExportOptions(
          contents: [.stories, .events], format: format, compression: compression, isCSVSafe: true)
        #expect(try SetManifest(text: manifest.text.utf8) == manifest)
      }
    }
  }

  @Test func `of a later version's additions is still understood`() throws {
    guard case .object(let members) = exampleManifest().json else { return }
    let grown = JSONValue.object(
      [JSONMember("added", .array([.null]))] + members + [JSONMember("signature", .string("x"))])
    #expect(try SetManifest(text: grown.text().utf8) == exampleManifest())
  }

  @Test(arguments: [
    ("pagefall-export/1", "pagefall-export/2", "manifest"), ("\"2026-11-29\"", "\"2026-11-31\"", "day"),
    ("\"revision\": 2", "\"revision\": 0", "revision"),
    ("\"revision\": 2", "\"revision\": 9223372036854775807", "revision"),
    ("\"sessions\": 13", "\"sessions\": -1", "position.counts.stored.sessions"),
    ("\"events\": 72", "\"events\": 9007199254740993", "position.counts.stored.events"),
    ("\"erased\":", "\"vanished\":", "position.counts.vanished"),
    ("\"erased\":", "\"stored\":", "position.counts.stored"),
    ("\"gzip\"", "\"brotli\"", "options.compression"), ("\"stories\"", "\"pages\"", "options.what"),
    ("\"late_events\"", "\"moonlight\"", "changes.reasons[0].reason"),
    ("\"number\"", "\"float\"", "files[0].columns[1].type"),
    ("\"all_apps\": true", "\"all_apps\": 1", "all_apps"),
    ("\"missing_events\": 1,", "", "completeness.missing_events"),
    ("\"rows\": 70", "\"rows\": 70.5", "files[0].rows"), ("\"position\":", "\"place\":", "position"),
  ])
  func `with a fault is refused, and the fault's place is named`(_ found: String, _ put: String, _ place: String) throws
  {
    let text = goldenManifest.replacing(found, with: put, maxReplacements: 1)
    try #require(text != goldenManifest)
    do {
      _ = try SetManifest(text: text.utf8)
      Issue.record("it was taken")
    } catch {
      #expect(error.fault.hasPrefix(place + " should be "))
    }
  }

  @Test(arguments: ["", "[]", "{}", "null", "\u{FEFF}{}", "{\"manifest\":", String(repeating: "[", count: 100_000)])
  func `that is none makes its set none, which is noted once`(_ text: String) throws {
    let fixture = try SetsFixture()
    try fixture.publish(1)
    try fixture.write(text, to: fixture.setPath + "/manifest.json")
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    var notes: [String] = []
    #expect(try directory.sets.manifest(of: SetsFixture.day) { notes.append($0) } == nil)
    #expect(notes.count == 1 && notes[0].hasPrefix(fixture.setPath) && !notes[0].contains("\n"))
    try fixture.publish(2, in: directory)
    #expect(try fixture.revision() == 2)
  }

  @Test func `is none where it lies in another day's directory, is too large, or is no file`() throws {
    let fixture = try SetsFixture()
    try fixture.publish(1)
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let path = fixture.setPath + "/manifest.json"
    #expect(try directory.sets.manifest(of: "2026-11-28") == nil)
    try fixture.write(exampleManifest(day: "2026-11-28").text, to: path)
    #expect(try directory.sets.manifest(of: SetsFixture.day) == nil)
    truncate(path, 17 << 20)
    #expect(try directory.sets.manifest(of: SetsFixture.day) == nil)
    unlink(path)
    #expect(try directory.sets.manifest(of: SetsFixture.day) == nil)
    mkfifo(path, 0o600)
    #expect(try directory.sets.manifest(of: SetsFixture.day) == nil)
    unlink(path)
    symlink("/etc/passwd", path)
    #expect(try directory.sets.manifest(of: SetsFixture.day) == nil)
  }
}
