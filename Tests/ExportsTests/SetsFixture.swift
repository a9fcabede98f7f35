import Foundation
import FunnelDocument
import Glibc
import LocalTime
import TestSupport

@testable import Exports

/// A directory that sets lie in, and what a person would see of it.
struct SetsFixture {
  static let day: CivilDate = "2026-11-29"

  let root: String
  /// Keeps the directory; nil where the root is somebody else's.
  private let temporary: TemporaryDirectory?

  init() throws {
    let temporary = try TemporaryDirectory()
    root = temporary.path
    self.temporary = temporary
  }

  init(in root: String) {
    self.root = root
    temporary = nil
  }

  /// The directory of the sets; made by the first who opens it.
  var path: String { root + "/exports" }
  var setPath: String { path + "/day=\(Self.day.text)" }

  /// Writes a set whose every file holds its revision, and publishes it.
  func publish(_ revision: Int, in directory: borrowing ExportDirectory, files: [String] = ["events.csv.gz"]) throws {
    let set = try directory.begin(Self.day)
    for file in files { try write("\(revision)", to: set.directory.path + "/" + file) }
    try set.write(exampleManifest(revision: revision))
    try set.publish()
  }

  func publish(_ revision: Int) throws {
    let directory = try ExportDirectory(path: path, waits: false)
    try publish(revision, in: directory)
  }

  func write(_ text: String, to file: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }

  func makeDirectory(_ directory: String) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// A set as a killed run would have left it, or its beginning.
  func leave(_ name: String, revision: Int, isWhole: Bool = true) throws {
    let directory = path + "/" + name
    try makeDirectory(directory)
    try write("\(revision)", to: directory + "/events.csv.gz")
    if isWhole { try write(exampleManifest(revision: revision).text, to: directory + "/manifest.json") }
  }

  func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  /// What is in a directory, hidden names included, without the lock.
  func names(_ directory: String? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory ?? path).filter { $0 != ".pagefall-export.lock" }
      .sorted()
  }

  /// The revision that the set's files and its manifest agree on; nil where they do not.
  func revision() throws -> Int? {
    let manifest = try SetManifest(text: try text(setPath + "/manifest.json").utf8)
    return try text(setPath + "/events.csv.gz") == "\(manifest.record.revision)" ? manifest.record.revision : nil
  }
}

/// Days as tests write them; a text that is none is 1970-01-01.
extension CivilDate: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    self = CivilDate(text: text) ?? CivilDate(dayNumber: 0)
  }
}

/// A manifest with something in every field.
func exampleManifest(
  revision: Int = 2, day: CivilDate = SetsFixture.day, timeZone: String = "Europe/Berlin",
  apps: [String] = ["news", "shop"],
  isAllApps: Bool = true
) -> SetManifest {
  SetManifest(
    day: day, scope: SetScope(timeZone: timeZone, apps: apps, isAllApps: isAllApps), from: "2026-11-29T00:00:00+01:00",
    to: "2026-11-30T00:00:00+01:00", record: exampleRecord(revision: revision), generatedAt: "2026-11-30T03:00:00Z",
    dataThrough: "2026-11-30T02:59:58.113Z", generator: "pagefall 0.1.0", sessions: 12, events: 70,
    completeness: Completeness(expectedEvents: 71, missingEvents: 1, rejectedEvents: ["invalid_text": 2]),
    files: [
      WrittenFile(
        content: .events, name: "events.csv.gz",
        columns: [
          ExportColumn("app", .text, "The app's name."),
          ExportColumn("duration_seconds", .number, unit: "seconds", "How long the page is shown."),
        ], rows: 70, bytes: 1_234, uncompressedBytes: 9_876, sha256: String(repeating: "0f", count: 32))
    ],
    changes: SetChanges(
      sinceRevision: revision > 1 ? revision - 1 : nil,
      reasons: revision > 1 ? [.lateEvents: ChangeCount(sessions: 1, events: 3), .definitions: ChangeCount()] : [:]))
}

func exampleRecord(revision: Int = 2) -> SetRecord {
  SetRecord(
    revision: revision, definitions: "funnel/1", options: ExportOptions(),
    databaseID: "7b9d1c7e-5d0c-4f0e-8a53-0d5b2f6f3c11",
    position: ChangePosition(
      [.stored: ChangeCount(sessions: 13, events: 72), .erased: ChangeCount(sessions: 1, events: 2)],
      mark: 123_456_789_012))
}

/// What is thrown, where that is an error of an export.
func exportError(_ body: () throws -> Void) -> ExportError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ExportError
  }
}
