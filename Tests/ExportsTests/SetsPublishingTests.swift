import Foundation
import Glibc
import Testing

@testable import Exports

@Suite struct `A new set` {
  let fixture: SetsFixture

  init() throws { fixture = try SetsFixture() }

  @Test func `is seen by nobody until it is published`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let set = try directory.begin(SetsFixture.day)
    #expect(set.directory.path == fixture.path + "/.building-2026-11-29")
    #expect(try fixture.names(set.directory.path).isEmpty)
    try fixture.write("1", to: set.directory.path + "/events.csv.gz")
    try set.write(exampleManifest(revision: 1))
    #expect(try directory.sets.days().isEmpty)
    try set.publish()
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try directory.sets.manifest(of: SetsFixture.day) == exampleManifest(revision: 1))
    #expect(try fixture.revision() == 1)
  }

  @Test func `replaces the older one whole, whatever its files were`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.publish(
      1, in: directory, files: ["events.csv.gz", "sessions.ndjson.zst", "funnel.csv", "stories.csv.gz"])
    try fixture.publish(2, in: directory)
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try fixture.names(fixture.setPath) == ["events.csv.gz", "manifest.json"])
    #expect(try fixture.revision() == 2)
  }

  @Test func `is not published where another run has taken its place`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.publish(1, in: directory)
    let error = exportError {
      let set = try directory.begin(SetsFixture.day)
      try set.write(exampleManifest())
      // As a second run does that found no lock.
      try FileManager.default.moveItem(atPath: set.directory.path, toPath: fixture.root + "/away")
      try fixture.makeDirectory(set.directory.path)
      try set.publish()
    }
    #expect(error?.kind == .busy)
    #expect(try fixture.revision() == 1)
  }

  @Test func `leaves nothing where it is given up, and the older one stays`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.publish(1, in: directory)
    do {
      let set = try directory.begin(SetsFixture.day)
      try fixture.write("2", to: set.directory.path + "/events.csv.gz")
      try fixture.makeDirectory(set.directory.path + "/spilled/deeper")
      try fixture.write("2", to: set.directory.path + "/spilled/deeper/rows")
    }
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try fixture.revision() == 1)
  }

  @Test func `without a manifest is not published`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let error = exportError {
      let set = try directory.begin(SetsFixture.day)
      try set.publish()
    }
    #expect(error?.kind == .file)
    #expect(try fixture.names().isEmpty)
  }

  @Test(arguments: ["file", "link", "dangling", "fifo"])
  func `does not take the place of what is no directory, and says so before any work`(_ kind: String) throws {
    try fixture.makeDirectory(fixture.path + "/elsewhere")
    switch kind {
    case "file": try fixture.write("mine", to: fixture.setPath)
    case "link": symlink("elsewhere", fixture.setPath)
    case "dangling": symlink("nowhere", fixture.setPath)
    case _: mkfifo(fixture.setPath, 0o600)
    }
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let error = try #require(exportError { _ = try directory.begin(SetsFixture.day) })
    #expect(error.kind == .file && error.description.hasPrefix(fixture.setPath + " is "))
    #expect(try fixture.names() == ["day=2026-11-29", "elsewhere"])
  }

  @Test func `does not take the place of a file that came while it was written`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let error = exportError {
      let set = try directory.begin(SetsFixture.day)
      try set.write(exampleManifest())
      try fixture.write("mine", to: fixture.setPath)
      try set.publish()
    }
    #expect(error?.kind == .file)
    #expect(try fixture.text(fixture.setPath) == "mine")
    #expect(try fixture.names() == ["day=2026-11-29"])
  }

  @Test func `keeps what people have put beside the files of the older one`() throws {
    try fixture.publish(1)
    try fixture.write("mine", to: fixture.setPath + "/notes.txt")
    try fixture.write("", to: fixture.setPath + "/_SUCCESS")
    try fixture.makeDirectory(fixture.setPath + "/charts")
    try fixture.write("chart", to: fixture.setPath + "/charts/one")
    symlink("/dev/null", fixture.setPath + "/link")
    try fixture.publish(2)
    try fixture.publish(3)
    #expect(
      try fixture.names(fixture.setPath) == [
        "_SUCCESS", "charts", "events.csv.gz", "link", "manifest.json", "notes.txt",
      ])
    #expect(try fixture.text(fixture.setPath + "/notes.txt") == "mine")
    #expect(try fixture.text(fixture.setPath + "/charts/one") == "chart")
    #expect(try fixture.revision() == 3)
    #expect(try fixture.names() == ["day=2026-11-29"])
  }

  @Test func `keeps what has a name that is not UTF-8, from set to set`() throws {
    try fixture.publish(1)
    let name = Array((fixture.setPath + "/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    close(open(name, O_WRONLY | O_CREAT, 0o600))
    for revision in 2...3 {
      try fixture.publish(revision)
      #expect(access(name, F_OK) == 0)
      #expect(try fixture.revision() == revision)
      #expect(try fixture.names() == ["day=2026-11-29"])
    }
  }

  @Test func `does not hide a directory of somebody's that has the name of a file of its own`() throws {
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.publish(1, in: directory, files: ["events.csv"])
    try fixture.makeDirectory(fixture.setPath + "/events.csv.gz")
    let error = try #require(exportError { try fixture.publish(2, in: directory) })
    #expect(error.description.hasPrefix(fixture.setPath + "/events.csv.gz "))
    #expect(try fixture.text(fixture.setPath + "/events.csv") == "1")
    #expect(try fixture.names() == ["day=2026-11-29"])
  }

  @Test func `follows no link out of the older one`() throws {
    try fixture.publish(1)
    try fixture.write("precious", to: fixture.root + "/precious")
    unlink(fixture.setPath + "/events.csv.gz")
    symlink(fixture.root + "/precious", fixture.setPath + "/events.csv.gz")
    try fixture.publish(2)
    #expect(try fixture.text(fixture.root + "/precious") == "precious")
    #expect(try fixture.revision() == 2)
  }

  @Test(arguments: [EINVAL, ENOSYS, ENOTSUP])
  func `says before any work that a file system cannot exchange`(_ code: Int32) throws {
    try fixture.publish(1)
    let directory = try ExportDirectory(path: fixture.path, waits: false, exchange: failing(code))
    let error = try #require(exportError { _ = try directory.begin(SetsFixture.day) })
    #expect(error.kind == .file && error.description.contains("cannot exchange"))
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try fixture.revision() == 1)
    // The first set of a day needs no exchange.
    let set = try directory.begin("2026-11-30")
    try set.write(exampleManifest(day: "2026-11-30"))
    try set.publish()
    #expect(try directory.sets.days() == ["2026-11-29", "2026-11-30"])
  }

  @Test func `that cannot be exchanged is removed, and the older one stays where it was`() throws {
    try fixture.publish(1)
    let directory = try ExportDirectory(
      path: fixture.path, waits: false,
      exchange: { (directory, first, second) throws(FileFault) in
        // The one that is tried before lies in another directory.
        if second == "day=2026-11-29" { throw FileFault(code: EIO) }
        try directory.exchange(first, second)
      })
    #expect(exportError { try fixture.publish(2, in: directory) }?.kind == .file)
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try fixture.revision() == 1)
  }

  private func failing(_ code: Int32) -> NameExchange {
    { (_, _, _) throws(FileFault) in throw FileFault(code: code) }
  }
}
