import Foundation
import Glibc
import Testing

@testable import Exports

/// A run is killed at a step of publishing: by hand, as the step leaves the directory. A kill can fall nowhere else,
/// since each step is one call of the system.
@Suite struct `What a killed run leaves` {
  let fixture: SetsFixture

  init() throws { fixture = try SetsFixture() }

  /// The steps in their order, and the revision that the day's set then is of.
  enum Step: CaseIterable, Sendable {
    case begun, filesHalf, filesWhole, renamedAside, exchanged, manifestRemoved, filesRemoved, othersMoved

    var revision: Int {
      switch self {
      case .begun, .filesHalf, .filesWhole, .renamedAside: 1
      case .exchanged, .manifestRemoved, .filesRemoved, .othersMoved: 2
      }
    }
  }

  @Test(arguments: Step.allCases)
  func `is a whole set at any moment, and the next run removes the rest`(_ step: Step) throws {
    try fixture.leave("day=2026-11-29", revision: 1)
    try fixture.write("mine", to: fixture.setPath + "/notes.txt")
    let building = fixture.path + "/.building-2026-11-29"
    let replaced = fixture.path + "/.replaced-2026-11-29"
    try fixture.makeDirectory(building)
    if step != .begun { try fixture.leave(".building-2026-11-29", revision: 2, isWhole: step != .filesHalf) }
    if ![.begun, .filesHalf, .filesWhole].contains(step) { #expect(rename(building, replaced) == 0) }
    if step.revision == 2 {
      let directory = try OpenDirectory(path: fixture.path)
      try directory.exchange(".replaced-2026-11-29", "day=2026-11-29")
    }
    if [.manifestRemoved, .filesRemoved, .othersMoved].contains(step) { unlink(replaced + "/manifest.json") }
    if [.filesRemoved, .othersMoved].contains(step) { unlink(replaced + "/events.csv.gz") }
    if step == .othersMoved { rename(replaced + "/notes.txt", fixture.setPath + "/notes.txt") }

    #expect(try fixture.revision() == step.revision)
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try fixture.revision() == step.revision)
    #expect(try fixture.text(fixture.setPath + "/notes.txt") == "mine")
    try fixture.publish(3, in: directory)
    #expect(try fixture.revision() == 3)
    #expect(try fixture.text(fixture.setPath + "/notes.txt") == "mine")
  }

  @Test func `of a day's first set is removed, and there is no set`() throws {
    try fixture.leave(".building-2026-11-29", revision: 1)
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try fixture.names().isEmpty)
    #expect(try directory.sets.manifest(of: SetsFixture.day) == nil)
  }

  @Test func `alone is removed: names that are not ours stay, and so does what we never make`() throws {
    try fixture.makeDirectory(fixture.path)
    let names = [
      ".building-", ".building-2026-11-31", ".building-2026-11-29.old", ".replaced-x", ".hidden", "building-2026-11-29",
    ]
    for name in names { try fixture.leave(name, revision: 1) }
    try fixture.write("mine", to: fixture.path + "/.building-2026-11-28")
    symlink("/etc", fixture.path + "/.replaced-2026-11-28")
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try fixture.names() == (names + [".building-2026-11-28", ".replaced-2026-11-28"]).sorted())
    let error = try #require(exportError { _ = try directory.begin("2026-11-28") })
    #expect(error.description.contains(".building-2026-11-28 is in the way"))
  }

  @Test func `is not followed where it is a link`() throws {
    try fixture.makeDirectory(fixture.root + "/precious")
    try fixture.write("1", to: fixture.root + "/precious/file")
    try fixture.makeDirectory(fixture.path + "/.building-2026-11-29")
    symlink(fixture.root + "/precious", fixture.path + "/.building-2026-11-29/link")
    _ = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try fixture.names().isEmpty)
    #expect(try fixture.names(fixture.root + "/precious") == ["file"])
  }

  @Test func `is removed though its names are not UTF-8`() throws {
    let building = fixture.path + "/.building-2026-11-29"
    try fixture.makeDirectory(building)
    let name = Array((building + "/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    #expect(mkdir(name, 0o700) == 0)
    _ = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try fixture.names().isEmpty)
  }

  @Test func `is not gone into without end`() throws {
    let deep = fixture.path + "/.building-2026-11-29" + String(repeating: "/d", count: 40)
    try fixture.makeDirectory(deep)
    let error = try #require(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) })
    #expect(error.kind == .file && error.description.contains("by hand"))
  }

  @Test func `is kept where it holds files of people and nothing tells where they belong`() throws {
    try fixture.makeDirectory(fixture.path + "/.replaced-2026-11-29")
    try fixture.write("mine", to: fixture.path + "/.replaced-2026-11-29/notes.txt")
    #expect(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }?.kind == .file)
    try fixture.leave("day=2026-11-29", revision: 2)
    try fixture.write("newer", to: fixture.setPath + "/notes.txt")
    #expect(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }?.kind == .file)
    #expect(try fixture.text(fixture.path + "/.replaced-2026-11-29/notes.txt") == "mine")
    unlink(fixture.setPath + "/notes.txt")
    _ = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try fixture.text(fixture.setPath + "/notes.txt") == "mine")
  }
}
