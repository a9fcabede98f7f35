import Foundation
import Glibc
import LocalTime
import Testing

@testable import Exports

@Suite struct `The state of exports` {
  let fixture: SetsFixture
  var path: String { fixture.root + "/state.json" }
  let scope = exampleManifest().scope

  init() throws { fixture = try SetsFixture() }

  @Test func `knows nothing at first, and later what was saved`() throws {
    do {
      var state = try ExportState(path: path, waits: false)
      #expect(state.remembered.records.keys.sorted().isEmpty && state.remembered.content == nil)
      #expect(!FileManager.default.fileExists(atPath: path))
      try state.save(exampleRecord(revision: 1), of: "2026-11-30", scope)
      try state.save(exampleRecord(revision: 4), of: "2026-11-29", scope)
      try state.save(exampleRecord(revision: 2), of: "2026-11-30", scope)
    }
    let state = try ExportState(path: path, waits: false)
    #expect(state.remembered.records.keys.sorted() == ["2026-11-29", "2026-11-30"])
    #expect(state.remembered.records["2026-11-30"] == exampleRecord(revision: 2))
    #expect(state.remembered.records["2026-11-28"] == nil)
    #expect(try fixture.names(fixture.root) == ["state.json", "state.json.lock"])
  }

  @Test func `is used by one run alone`() throws {
    do {
      let first = try ExportState(path: path, waits: false)
      let error = try #require(exportError { _ = try ExportState(path: path, waits: false) })
      #expect(error.kind == .busy && error.description.contains(path) && error.description.contains("--wait"))
      #expect(first.remembered.records.isEmpty)
      #expect(try RememberedSets(lookingAt: path).records.isEmpty)
    }
    _ = try ExportState(path: path, waits: false)
  }

  @Test func `can be looked at, and then nothing is made`() throws {
    #expect(try RememberedSets(lookingAt: path).content == nil)
    #expect(try fixture.names(fixture.root).isEmpty)
  }

  @Test(arguments: [
    "", "{}", "[]", "not json",
    "{\"version\":\"pagefall-export-state/2\",\"timezone\":\"UTC\",\"apps\":[],\"all_apps\":true,\"sets\":{}}",
    "{\"version\":\"pagefall-export-state/1\",\"timezone\":\"UTC\",\"apps\":[],\"all_apps\":true,\"sets\":{\"2026-13-01\":{}}}",
    "{\"version\":\"pagefall-export-state/1\",\"timezone\":\"UTC\",\"apps\":[],\"all_apps\":true,\"sets\":{\"2026-12-01\":7}}",
  ])
  func `that cannot be understood is never taken for a fresh start`(_ text: String) throws {
    try fixture.write(text, to: path)
    let error = try #require(exportError { _ = try ExportState(path: path, waits: false) })
    #expect(error.kind == .file && error.description.hasPrefix(path) && error.description.contains("remove it"))
    #expect(!error.description.contains("\n"))
    #expect(try fixture.text(path) == text)
  }

  @Test(arguments: ["directory", "fifo", "dangling", "missing/state", "directory/", "file/state"])
  func `needs a file, or a place for one`(_ name: String) throws {
    try fixture.makeDirectory(fixture.root + "/directory")
    try fixture.write("", to: fixture.root + "/file")
    mkfifo(fixture.root + "/fifo", 0o600)
    symlink("nowhere", fixture.root + "/dangling")
    let error = try #require(exportError { _ = try ExportState(path: fixture.root + "/" + name, waits: false) })
    #expect(error.kind == .file && error.description.hasPrefix(fixture.root) && !error.description.contains("\n"))
  }

  @Test func `is replaced where a link leads, and what a killed run left aside is no harm`() throws {
    try fixture.makeDirectory(fixture.root + "/elsewhere")
    try fixture.write("half", to: fixture.root + "/elsewhere/.real.new")
    do {
      var state = try ExportState(path: fixture.root + "/elsewhere/real", waits: false)
      try state.save(exampleRecord(revision: 1), of: SetsFixture.day, scope)
    }
    symlink("elsewhere/real", path)
    do {
      var state = try ExportState(path: path, waits: false)
      try state.save(exampleRecord(revision: 2), of: SetsFixture.day, scope)
    }
    #expect(try fixture.names(fixture.root + "/elsewhere") == ["real", "real.lock"])
    #expect(try RememberedSets(lookingAt: fixture.root + "/elsewhere/real").records[SetsFixture.day]?.revision == 2)
  }

  @Test func `stays as private as its owner has made it`() throws {
    var state = try ExportState(path: path, waits: false)
    try state.save(exampleRecord(revision: 1), of: SetsFixture.day, scope)
    for permissions: mode_t in [0o600, 0o640, 0o666] {
      chmod(path, permissions)
      try state.save(exampleRecord(revision: 2), of: SetsFixture.day, scope)
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == permissions)
    }
  }

  @Test func `refuses another zone or other apps, and names both`() throws {
    var state = try ExportState(path: path, waits: false)
    try state.save(exampleRecord(), of: SetsFixture.day, scope)
    let utc = SetScope(timeZone: "UTC", apps: scope.apps, isAllApps: true)
    do {
      try state.save(exampleRecord(), of: "2026-11-30", utc)
      Issue.record("it was saved")
    } catch {
      #expect(error.kind == .usage && error.description.contains("Europe/Berlin") && error.description.contains("UTC"))
    }
    let one = SetScope(timeZone: "Europe/Berlin", apps: ["sh\u{1B}[2Jop"], isAllApps: false)
    let error = try #require(exportError { try state.remembered.requireSameScope(one) })
    #expect(error.description.contains("all apps") && !error.description.contains("\u{1B}"))
    // A new app among all of them is remembered.
    let grown = SetScope(timeZone: "Europe/Berlin", apps: ["a", "news", "shop"], isAllApps: true)
    try state.save(exampleRecord(), of: "2026-11-30", grown)
    #expect(state.remembered.content?.scope == grown)
  }

  @Test func `of ten years is saved in a moment`() throws {
    var content = ExportStateContent(scope: scope)
    for number in 0..<3_650 {
      content.records[CivilDate(dayNumber: Int64(number))] = exampleRecord(revision: number + 1)
    }
    #expect(try ExportStateContent(text: content.text.utf8) == content)
    #expect(content.text.utf8.count < 4 << 20)
  }
}
