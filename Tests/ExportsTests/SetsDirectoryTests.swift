import Foundation
import Glibc
import TestSupport
import Testing

@testable import Exports

@Suite struct `The directory of an export` {
  let fixture: SetsFixture

  init() throws { fixture = try SetsFixture() }

  @Test func `is made where it is missing, and is empty but for its lock`() throws {
    let directory = try ExportDirectory(path: fixture.path + "//", waits: false)
    #expect(directory.sets.path == fixture.path)
    #expect(try fixture.names().isEmpty)
    #expect(try directory.sets.days().isEmpty)
    var status = stat()
    #expect(stat(fixture.path, &status) == 0 && status.st_mode & 0o022 == 0 && status.st_mode & 0o700 == 0o700)
  }

  @Test func `is held by one run alone, which a second is told at once`() throws {
    let first = try ExportDirectory(path: fixture.path, waits: false)
    let error = exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }
    #expect(error?.kind == .busy)
    #expect(error?.description.contains(fixture.path) == true && error?.description.contains("--wait") == true)
    #expect(try first.sets.days().isEmpty)
  }

  @Test func `is free again when its run has ended, with the lock's file still there`() throws {
    do { _ = try ExportDirectory(path: fixture.path, waits: false) }
    _ = try ExportDirectory(path: fixture.path, waits: false)
    #expect(FileManager.default.fileExists(atPath: fixture.path + "/.pagefall-export.lock"))
  }

  @Test func `stays held while a set of it is written, even if nobody keeps the directory`() throws {
    let set = try Self.begin(fixture)
    #expect(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }?.kind == .busy)
    _ = consume set
    _ = try ExportDirectory(path: fixture.path, waits: false)
  }

  private static func begin(_ fixture: SetsFixture) throws -> NewSet {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    return try directory.begin(SetsFixture.day)
  }

  @Test func `is kept from a run by another process, and had when that ends`() throws {
    do { _ = try ExportDirectory(path: fixture.path, waits: false) }
    let holder = try LockHolder(fixture.path + "/.pagefall-export.lock")
    #expect(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }?.kind == .busy)
    var waited = 0
    // The other is only let go by the one that waits for it.
    _ = try ExportDirectory(path: fixture.path, waits: true) {
      waited += 1
      holder.end()
    }
    #expect(waited == 1)
  }

  @Test func `is locked by the file that has the name, not by one that was removed while waiting`() throws {
    do { _ = try ExportDirectory(path: fixture.path, waits: false) }
    let lock = fixture.path + "/.pagefall-export.lock"
    let holder = try LockHolder(lock)
    let directory = try ExportDirectory(path: fixture.path, waits: true) {
      unlink(lock)
      holder.end()
    }
    #expect(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }?.kind == .busy)
    #expect(try directory.sets.days().isEmpty)
  }

  @Test(arguments: ["file", "dangling", "link-to-file", "missing/exports", "file/exports"])
  func `that cannot be one is named in one line`(_ name: String) throws {
    try fixture.write("", to: fixture.root + "/file")
    symlink("nowhere", fixture.root + "/dangling")
    symlink("file", fixture.root + "/link-to-file")
    let path = fixture.root + "/" + name
    let error = try #require(exportError { _ = try ExportDirectory(path: path, waits: false) })
    #expect(error.kind == .file)
    #expect(error.description.hasPrefix(path + " ") && !error.description.contains("\n"))
    #expect(!FileManager.default.fileExists(atPath: fixture.root + "/nowhere"))
  }

  @Test func `needs a name`() {
    #expect(exportError { _ = try ExportDirectory(path: "", waits: false) }?.kind == .usage)
  }

  @Test func `may be a link to a directory`() throws {
    try fixture.publish(1)
    symlink("exports", fixture.root + "/link")
    let directory = try ExportDirectory(path: fixture.root + "/link", waits: false)
    try fixture.publish(2, in: directory)
    #expect(try fixture.revision() == 2)
  }

  @Test(arguments: ["mkdir", "link", "fifo"])
  func `does not follow or wait for what was put in the place of its lock`(_ kind: String) throws {
    let lock = fixture.path + "/.pagefall-export.lock"
    try fixture.makeDirectory(fixture.path)
    switch kind {
    case "mkdir": try fixture.makeDirectory(lock)
    case "link": symlink("/dev/null", lock)
    case _: mkfifo(lock, 0o600)
    }
    // A pipe can be locked as well as a file.
    #expect(
      exportError { _ = try ExportDirectory(path: fixture.path, waits: false) }?.kind == (kind == "fifo" ? nil : .file))
  }

  @Test func `lists the days of its sets in their order, and nothing else`() throws {
    for name in [
      "day=2026-11-30", "day=2026-02-28", "day=2026-02-30", "day=2026-1-1", "day=2026-11-29x", "other", ".day",
    ] {
      try fixture.makeDirectory(fixture.path + "/" + name)
    }
    try fixture.write("", to: fixture.path + "/day=2026-12-01")
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    #expect(try directory.sets.days() == ["2026-02-28", "2026-11-30"])
  }

  @Test func `can be looked at while another run holds it, which changes nothing`() throws {
    if (try ExportedSets.looking(at: fixture.path)) != nil { Issue.record("there is none") }
    #expect(!FileManager.default.fileExists(atPath: fixture.path))
    let writing = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.publish(3, in: writing)
    try fixture.leave(".replaced-2026-11-28", revision: 1)
    guard let looking = try ExportedSets.looking(at: fixture.path) else {
      Issue.record("there is a directory")
      return
    }
    #expect(try looking.days() == [SetsFixture.day])
    #expect(try looking.manifest(of: SetsFixture.day) == exampleManifest(revision: 3))
    #expect(try fixture.names() == [".replaced-2026-11-28", "day=\(SetsFixture.day.text)"])
  }

  @Test(arguments: [
    ("UTC", ["news", "shop"], true, "Europe/Berlin"), ("Europe/Berlin", ["shop"], false, "all apps"),
  ])
  func `refuses sets of another zone or of other apps, and names both`(
    _ zone: String, _ apps: [String], _ isAllApps: Bool, _ found: String
  ) throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let wanted = SetScope(timeZone: zone, apps: apps, isAllApps: isAllApps)
    try directory.sets.requireSameScope(wanted)
    try fixture.publish(1, in: directory)
    let error = try #require(exportError { try directory.sets.requireSameScope(wanted) })
    #expect(error.kind == .usage)
    #expect(error.description.contains(fixture.path) && error.description.contains(found))
    #expect(error.description.contains(isAllApps ? "UTC" : "the app shop"))
    // Where all apps are asked for, a new one is no other scope.
    try directory.sets.requireSameScope(
      SetScope(timeZone: "Europe/Berlin", apps: ["shop", "news", "new"], isAllApps: true))
  }
}
