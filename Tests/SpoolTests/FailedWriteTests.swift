import Spool
import Testing

@Suite struct `Failing writes and syncs` {
  /// Where a commit can fail.
  enum Failure: CaseIterable {
    case write, writeInPart, sync

    func fault(_ call: SimulatedDisk.Call) -> SimulatedDisk.Fault? {
      switch (self, call) {
      case (.write, .write), (.sync, .synchronizeData): .fail(.inputOutput)
      case (.writeInPart, .write): .failAfter(30, .inputOutput)
      default: nil
      }
    }
  }

  @Test(arguments: Failure.allCases)
  func `nothing of a failed commit is acknowledged, and the next goes to a new segment`(failure: Failure) throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    let good = try spool.append("good")
    try spool.commit()
    fixture.disk.setFault { call, path in path == fixture.segmentPath(1) ? failure.fault(call) : nil }
    try spool.append("lost 1")
    try spool.append("lost 2")
    let path = fixture.segmentPath(1)
    let operation: SpoolOperation = failure == .sync ? .synchronize : .write
    #expect(throws: SpoolError.system(operation: operation, path: path, code: SystemFailure.inputOutput.code)) {
      try spool.commit()
    }
    #expect(spool.endPosition == good)
    #expect(try spool.texts() == ["good"])
    fixture.disk.setFault(nil)
    _ = fixture.disk.takeCalls()
    try spool.commit()
    #expect(fixture.disk.takeCalls().isEmpty, "the failed group is gone: nothing is left to commit")
    let next = try spool.append("next")
    try spool.commit()
    #expect(next.segment == 2)
    #expect(try spool.texts() == ["good", "next"])
    #expect(spool.statistics.failedCommits == 1)
    #expect(spool.statistics.appendedRecords == 2)
    spool.close()
    #expect(fixture.disk.syncsAfterFailure == 0)
    let again = try fixture.open()
    #expect(try again.texts() == ["good", "next"], "the abandoned tail is not read after a restart either")
    #expect(again.statistics.damagedRecords == 0 && again.statistics.tornBytes == 0)
  }

  @Test func `a crash right after a failed sync may bring its records back, whole, before anything newer`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("good")
    try spool.commit()
    fixture.disk.setFault { call, _ in call == .synchronizeData ? .fail(.inputOutput) : nil }
    try spool.append("not acknowledged")
    #expect(throws: SpoolError.self) { try spool.commit() }
    fixture.disk.setFault(nil)
    fixture.disk.kill()
    let again = try fixture.open()
    #expect(try again.texts() == ["good", "not acknowledged"])
    try again.append("newer")
    try again.commit()
    #expect(try again.texts() == ["good", "not acknowledged", "newer"])
    withExtendedLifetime(spool) {}
  }

  @Test func `a segment without a committed record leaves no file behind when it fails`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    fixture.disk.setFault { call, _ in call == .synchronizeData ? .fail(.inputOutput) : nil }
    for _ in 0..<10 {
      try spool.append("x")
      #expect(throws: SpoolError.self) { try spool.commit() }
    }
    #expect(fixture.segmentPaths.isEmpty)
    fixture.disk.setFault(nil)
    let end = try spool.append("y")
    try spool.commit()
    #expect(end.segment == 11, "the numbers of failed segments are not used again")
    spool.close()
    #expect(try fixture.open().texts() == ["y"])
  }

  @Test func `an append that loses earlier records of its group makes their commit fail too`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("good")
    try spool.commit()
    try spool.append("earlier in the group")
    fixture.disk.setFault { call, _ in call == .write ? .fail(.inputOutput) : nil }
    let large = [UInt8](repeating: 1, count: 2 << 20)
    let error = try #require(throws: SpoolError.self) { try spool.append(large) }
    fixture.disk.setFault(nil)
    #expect(throws: error) { try spool.append("must not be taken into the failed group") }
    #expect(throws: error) { try spool.commit() }
    try spool.append("fresh")
    try spool.commit()
    #expect(try spool.texts() == ["good", "fresh"])
  }

  @Test func `an append that fails alone does not block the next group`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("good")
    try spool.commit()
    fixture.disk.setFault { call, _ in call == .write ? .fail(.inputOutput) : nil }
    #expect(throws: SpoolError.self) { try spool.append([UInt8](repeating: 1, count: 2 << 20)) }
    fixture.disk.setFault(nil)
    try spool.append("fresh")
    try spool.commit()
    #expect(try spool.texts() == ["good", "fresh"])
  }

  @Test func `a failing end of a segment fails the group that stood in it`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 300 }
    let spool = try fixture.open()
    try spool.append("good")
    try spool.commit()
    try spool.append([UInt8](repeating: 1, count: 150))
    fixture.disk.setFault { call, _ in call == .synchronizeData ? .fail(.inputOutput) : nil }
    let error = try #require(throws: SpoolError.self) { try spool.append([UInt8](repeating: 2, count: 150)) }
    fixture.disk.setFault(nil)
    #expect(throws: error) { try spool.commit() }
    try spool.append("fresh")
    try spool.commit()
    #expect(try spool.texts() == ["good", "fresh"])
    #expect(fixture.disk.syncsAfterFailure == 0)
  }

  @Test(arguments: [SimulatedDisk.Call.open, .write, .synchronize, .rename, .space])
  func `a segment that cannot be made fails the append alone, and is made later`(call: SimulatedDisk.Call) throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    for _ in 0..<3 {
      fixture.disk.setFault { called, _ in called == call ? .fail(.inputOutput) : nil }
      #expect(throws: SpoolError.self) { try spool.append("x") }
      fixture.disk.setFault(nil)
    }
    #expect(fixture.segmentPaths.isEmpty)
    try spool.append("y")
    try spool.commit()
    #expect(try spool.texts() == ["y"])
    #expect(fixture.disk.syncsAfterFailure == 0)
  }

  @Test func `interrupted calls are repeated and short ones go on`() throws {
    let fixture = SpoolFixture()
    let interruption = Interruptions()
    fixture.disk.setFault { call, _ in interruption.next(call) }
    let spool = try fixture.open()
    let records = (0..<20).map { [UInt8](repeating: UInt8($0), count: 100 + $0) }
    for record in records {
      try spool.append(record)
      try spool.commit()
    }
    #expect(try spool.records().map(\.bytes) == records)
    spool.close()
    #expect(try fixture.open().records().map(\.bytes) == records)
    #expect(interruption.count > 50)
  }

  @Test func `a write that does nothing and reports nothing is a failure, not a loop`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("good")
    try spool.commit()
    fixture.disk.setFault { call, _ in call == .write ? .short(0) : nil }
    try spool.append("x")
    #expect(throws: SpoolError.self) { try spool.commit() }
  }

  @Test func `a full device refuses the group, keeps what was acknowledged, and recovers`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("good")
    try spool.commit()
    fixture.disk.setFault { call, _ in call == .write ? .failAfter(5, .noSpace) : nil }
    try spool.append("x")
    #expect(throws: SpoolError.full(.deviceFull)) { try spool.commit() }
    #expect(throws: SpoolError.full(.deviceFull)) { try spool.append("y") }
    #expect(fixture.takeEvents().contains(.becameFull(.deviceFull)))
    fixture.disk.setFault(nil)
    try spool.append("z")
    try spool.commit()
    #expect(spool.statistics.full == nil)
    #expect(try spool.texts() == ["good", "z"])
    #expect(fixture.takeEvents().contains(.hasRoomAgain))
  }
}

/// Interrupts every other call, and lets the rest do only a few bytes.
///
/// `@unchecked Sendable`: the test that uses it has one thread.
private final class Interruptions: @unchecked Sendable {
  private(set) var count = 0

  func next(_ call: SimulatedDisk.Call) -> SimulatedDisk.Fault? {
    switch call {
    case .read, .write, .synchronizeData, .synchronize, .truncate, .open, .space, .list, .rename, .remove,
      .makeDirectory:
      count += 1
    }
    if count % 2 == 1 { return .fail(.interrupted) }
    return call == .read || call == .write ? .short(37) : nil
  }
}
