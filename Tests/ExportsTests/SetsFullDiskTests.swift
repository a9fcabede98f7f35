import Foundation
import TestSupport
import Testing

@testable import Exports

@Suite(.enabled(if: SmallDisk.canBeMounted, "only root may mount a small file system"))
struct `A disk without room` {
  @Test func `is named plainly, leaves nothing half written, and keeps the last good set`() throws {
    let disk = try SmallDisk("size=1m")
    let fixture = SetsFixture(in: disk.path)
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.publish(1, in: directory)
    do {
      let set = try directory.begin(SetsFixture.day)
      #expect(disk.fill())
      let error = try #require(exportError { try set.write(exampleManifest()) })
      #expect(error.kind == .file && error.description.contains("the disk is full"))
      #expect(error.description.hasPrefix(set.directory.path))
    }
    #expect(try fixture.names() == ["day=2026-11-29"])
    #expect(try fixture.revision() == 1)
  }

  @Test func `of names is the same`() throws {
    let disk = try SmallDisk("size=1m,nr_inodes=4")
    let fixture = SetsFixture(in: disk.path)
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    try fixture.write("", to: disk.path + "/last")
    let error = try #require(exportError { _ = try directory.begin(SetsFixture.day) })
    #expect(
      error.description
        == "\(fixture.path)/.building-2026-11-29 cannot be made: the disk is full; make room and run it again")
  }

  @Test func `keeps the last state and the last metrics`() throws {
    let disk = try SmallDisk("size=1m")
    let statePath = disk.path + "/state.json"
    let metricsPath = disk.path + "/pagefall.prom"
    var state = try ExportState(path: statePath, waits: false)
    let scope = exampleManifest().scope
    try state.save(exampleRecord(revision: 1), of: SetsFixture.day, scope)
    let figures = ExportFigures(directory: "x", lastSuccessSeconds: 1, durationSeconds: 2, daysWritten: 3, rows: [:])
    let metrics = try MetricsFile(path: metricsPath)
    try metrics.write(figures)
    #expect(disk.fill())
    let stateError = exportError { try state.save(exampleRecord(revision: 2), of: SetsFixture.day, scope) }
    #expect(stateError?.description == "\(statePath) cannot be written: the disk is full; make room and run it again")
    #expect(exportError { try metrics.write(figures) }?.kind == .file)
    #expect(state.remembered.records[SetsFixture.day] == exampleRecord(revision: 1))
    #expect(try RememberedSets(lookingAt: statePath).records[SetsFixture.day] == exampleRecord(revision: 1))
    #expect(try String(contentsOfFile: metricsPath, encoding: .utf8) == figures.text)
    let names = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
    #expect(names == ["filler", "pagefall.prom", "state.json", "state.json.lock"])
  }

  @Test func `that is read-only is named as that`() throws {
    let disk = try SmallDisk("size=1m")
    let fixture = SetsFixture(in: disk.path)
    try fixture.publish(1)
    try disk.makeReadOnly()
    let error = try #require(exportError { _ = try ExportDirectory(path: fixture.path, waits: false) })
    #expect(error.kind == .file && error.description.contains("read-only"))
    #expect(exportError { _ = try ExportDirectory(path: disk.path + "/other", waits: false) }?.kind == .file)
    guard let looking = try ExportedSets.looking(at: fixture.path) else {
      Issue.record("there is a directory")
      return
    }
    #expect(try looking.days() == [SetsFixture.day])
  }
}
