import Foundation
import FunnelDocument
import TestSupport
import Testing

/// One run at a time, and runs that are killed.
@Suite struct ExportRunTests {
  let fixture: ExportFixture
  let days = ["2026-11-20", "2026-11-21"]

  init() throws {
    fixture = try ExportFixture()
    try fixture.ingest(ExportEvent.lines(1...3, at: days[0]) + ExportEvent.lines(4...5, at: days[1]))
  }

  @Test func `a second run says so in one line, exits with 75 and changes nothing`() throws {
    try fixture.write(["--day", days[0]])
    let holder = try LockHolder("\(fixture.sets)/.pagefall-export.lock")
    let before = try fixture.traces()
    let run = try fixture.export(["--day", days[1]])
    #expect(run.exitCode == 75)
    #expect(run.standardOutput == "")
    #expect(
      run.standardError
        == "pagefall: another run is exporting into \(fixture.sets); try again when it has ended, or wait with --wait\n"
    )
    #expect(try fixture.traces() == before)
    // To look is allowed.
    #expect(try fixture.write(["--day", days[1], "--dry-run"]).contains("would write 2026-11-21 (revision 1)"))
    holder.end()
    try fixture.write(["--day", days[1]])
    #expect(try fixture.days() == days)
  }

  @Test func `with --wait it says that it waits, and then works with what is there by then`() throws {
    try fixture.write(["--day", days[0]])
    let holder = try LockHolder("\(fixture.sets)/.pagefall-export.lock")
    let waiting = try PagefallProcess.start(fixture.command(["--day", days[0], "--wait"]))
    let note = try waiting.waitForLine(containing: "waiting for another run")
    #expect(note == "pagefall: waiting for another run in \(fixture.sets)")
    try fixture.ingest([ExportEvent.line(6, at: days[0])])
    #expect(try fixture.set(days[0]).revision == 1)
    holder.end()
    #expect(try waiting.waitForExit() == 0)
    #expect(waiting.standardError == note + "\n")
    #expect(try fixture.set(days[0]).reasons == ["late_events 1 1"])
    try fixture.expectComplete(days[0])
  }

  @Test func `a state that another run holds is busy too, whatever the directories`() throws {
    let state = "\(fixture.directory.path)/state.json"
    let holder = try LockHolder("\(state).lock")
    let run = try fixture.export(["--day", days[0], "--state", state])
    #expect(run.exitCode == 75)
    #expect(run.standardError.hasPrefix("pagefall: another run is using the state \(state); "))
    #expect(try fixture.days() == [])
    holder.end()
    try fixture.write(["--day", days[0], "--state", state])
  }

  @Test func `runs that start at once write each set once`() throws {
    let (fixture, day) = (fixture, days[0])
    let runs = try inParallel(4) { _ in try fixture.export(["--day", day, "--wait"]) }
    #expect(runs.allSatisfy { $0.exitCode == 0 }, "\(runs.map(\.standardError))")
    #expect(runs.filter { $0.standardOutput.hasPrefix("wrote") }.count == 1)
    #expect(try fixture.set(day).revision == 1)
    try fixture.expectComplete(day)
  }

  @Test func `killed at any moment it leaves whole sets, and the next run clears the rest`() throws {
    // Enough that there are moments.
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    let request = ["--from", ExportWorld.days[0], "--to", ExportWorld.days[2]]
    let took = try time { try fixture.write(request) }
    let seed = SeededGenerator.worldsSeed
    var generator = SeededGenerator(seed: seed, stream: 600)
    var killed = 0
    for number in 0..<6 {
      // Each run has to make every set anew.
      let compression = number % 2 == 0 ? "none" : "gzip"
      let process = try PagefallProcess.start(fixture.command(request + ["--compress", compression]))
      usleep(UInt32(Double.random(in: 0...1, using: &generator) * (took / .microseconds(1))))
      process.signal(SIGKILL)
      if try process.waitForExit() != 0 { killed += 1 }
      for day in ExportWorld.days {
        let faults = try fixture.set(day).faults()
        #expect(faults == [], "after \(number + 1) kills, PAGEFALL_WORLDS_SEED=\(seed)")
      }
    }
    #expect(killed > 0, "PAGEFALL_WORLDS_SEED=\(seed)")
    try fixture.write(request + ["--compress", "zstd"])
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.sets).sorted()
    #expect(names == [".pagefall-export.lock"] + ExportWorld.days.map { "day=\($0)" })
    for day in ExportWorld.days { try fixture.expectComplete(day) }
  }

  @Test func `what a killed run left is cleared, and what is somebody's own stays`() throws {
    try fixture.write(["--day", days[0]])
    let leftovers = [".building-2026-11-21", ".replaced-2026-11-20"]
    for name in leftovers {
      try FileManager.default.createDirectory(atPath: "\(fixture.sets)/\(name)", withIntermediateDirectories: false)
      try Data("half".utf8).write(to: URL(fileURLWithPath: "\(fixture.sets)/\(name)/events.csv.gz"))
    }
    let own = ["notes.txt", "day=2026-11-20/_SUCCESS"]
    for name in own { try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(fixture.sets)/\(name)")) }
    try fixture.ingest([ExportEvent.line(7, at: days[0])])
    try fixture.write(["--day", days[0]])
    for name in leftovers { #expect(!FileManager.default.fileExists(atPath: "\(fixture.sets)/\(name)")) }
    for name in own { #expect(FileManager.default.contents(atPath: "\(fixture.sets)/\(name)") == Data("mine".utf8)) }
    #expect(try fixture.set(days[0]).revision == 2)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func `a signal ends a waiting run and leaves all as it was`(
    signal: Int32
  ) throws {
    try fixture.write(["--day", days[0]])
    let holder = try LockHolder("\(fixture.sets)/.pagefall-export.lock")
    let before = try fixture.traces()
    let waiting = try PagefallProcess.start(fixture.command(["--day", days[1], "--wait"]))
    try waiting.waitForLine(containing: "waiting")
    waiting.signal(signal)
    #expect(try waiting.waitForExit() == 128 + signal)
    #expect(try fixture.traces() == before)
    holder.end()
  }
}
