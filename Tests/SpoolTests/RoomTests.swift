import Spool
import Testing

@Suite struct `Room and deletion` {
  private let record = [UInt8](repeating: 7, count: 984)  // 1,000 bytes with its header

  private func fill(_ spool: Spool, _ count: Int) throws {
    for _ in 0..<count {
      try spool.append(record)
      try spool.commit()
    }
  }

  /// Appends until the spool refuses, and says why.
  private func fillUp(_ spool: Spool) throws -> (records: Int, reason: SpoolFullReason?) {
    for count in 0..<100_000 {
      do {
        try spool.append(record)
        try spool.commit()
      } catch .full(let reason) {
        return (count, reason)
      }
    }
    return (100_000, nil)
  }

  @Test func `beyond its maximum the spool refuses and keeps everything`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 10_064
      $0.maximumBytes = 50_000
    }
    let spool = try fixture.open()
    let (count, reason) = try fillUp(spool)
    #expect(reason == .maximumBytes)
    #expect(count == 49, "four full segments of 10 records and their header, and 9 more")
    #expect(try spool.records().count == count)
    #expect(spool.statistics.usedBytes <= 50_000)
    #expect(spool.statistics.full == .maximumBytes)
    #expect(fixture.takeEvents().filter { $0 == .becameFull(.maximumBytes) }.count == 1)
    // A smaller record may still fit; what was appended before the refusal is committed.
    try spool.append("s")
    #expect(throws: SpoolError.full(.maximumBytes)) { try spool.append(record) }
    try spool.commit()
    #expect(try spool.records().count == count + 1)
    spool.close()
    let again = try fixture.open()
    #expect(try again.records().count == count + 1)
    #expect(try fillUp(again) == (0, .maximumBytes))
  }

  @Test func `the disk's reserve stays free, whoever fills the disk`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 10_064
      $0.diskReserveFraction = 0.05
    }
    fixture.disk.setSpace(totalBytes: 100_000, foreignBytes: 60_000)
    let spool = try fixture.open()
    let (count, reason) = try fillUp(spool)
    #expect(reason == .diskReserve)
    #expect((30...35).contains(count))
    #expect(try fixture.disk.space(at: "/").availableBytes >= 5_000)
    #expect(spool.statistics.full == .diskReserve)
    fixture.disk.setSpace(totalBytes: 100_000, foreignBytes: 20_000)
    #expect(spool.statistics.full == nil, "room that comes back is seen without an append")
    try spool.append(record)
    #expect(fixture.takeEvents().contains(.hasRoomAgain))
  }

  @Test func `a spool on a full disk still opens and can be read`() throws {
    let fixture = SpoolFixture { $0.diskReserveFraction = 0.05 }
    let spool = try fixture.open()
    try fill(spool, 3)
    spool.close()
    fixture.disk.setSpace(totalBytes: 100_000, foreignBytes: 100_000)
    fixture.disk.setFault { call, _ in call == .write ? .fail(.noSpace) : nil }
    let again = try fixture.open()
    #expect(try again.records().count == 3)
    #expect(throws: SpoolError.full(.diskReserve)) { try again.append(record) }
  }

  @Test func `loaded segments are kept for their time and then deleted, the newest never`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 2_064
      $0.keepLoaded = .seconds(100)
    }
    let spool = try fixture.open()
    try fill(spool, 6)
    #expect(fixture.segmentPaths.count == 3)
    let records = try spool.records()
    spool.markLoaded(through: records[2].end)
    fixture.advanceClock(seconds: 60)
    spool.markLoaded(through: records[5].end)
    #expect(spool.statistics.unloadedBytes == 0)
    fixture.advanceClock(seconds: 39)
    spool.deleteExpiredSegments()
    #expect(fixture.segmentPaths.count == 3)
    fixture.advanceClock(seconds: 1)
    spool.deleteExpiredSegments()
    #expect(fixture.segmentPaths.count == 2, "the first segment's 100 s are over")
    #expect(spool.oldestPosition == records[2].begin)
    fixture.advanceClock(seconds: 1_000)
    spool.deleteExpiredSegments()
    #expect(fixture.segmentPaths == [fixture.segmentPath(3)])
    #expect(spool.relation(of: records[5].end) == .within)
    spool.close()
    let again = try fixture.open()
    again.markLoaded(through: records[5].end)
    fixture.advanceClock(seconds: 1_000)
    again.deleteExpiredSegments()
    #expect(fixture.segmentPaths == [fixture.segmentPath(3)])
    #expect(again.relation(of: records[5].end) == .within)
    #expect(again.relation(of: records[1].end) == .beforeOldest)
  }

  @Test func `the time that a segment was loaded at outlives the process`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 2_064
      $0.keepLoaded = .seconds(100)
    }
    let spool = try fixture.open()
    try fill(spool, 6)
    let end = spool.endPosition
    spool.markLoaded(through: end)
    spool.close()
    for _ in 0..<3 {
      fixture.advanceClock(seconds: 33)
      let again = try fixture.open()
      again.markLoaded(through: end)
      #expect(fixture.segmentPaths.count == 3)
      again.close()
    }
    fixture.advanceClock(seconds: 1)
    try fixture.open().markLoaded(through: end)
    #expect(fixture.segmentPaths.count == 1)
  }

  @Test func `new records take the room of loaded copies, never of what is not loaded`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 10_064
      $0.maximumBytes = 50_000
    }
    let spool = try fixture.open()
    let (count, _) = try fillUp(spool)
    let records = try spool.records()
    spool.markLoaded(through: records[24].end)
    #expect(spool.statistics.full == nil, "kept copies count as free")
    #expect(spool.statistics.freeBytes >= 20_000)
    let (more, reason) = try fillUp(spool)
    #expect(reason == .maximumBytes)
    #expect((19...21).contains(more))
    #expect(spool.oldestPosition == records[20].begin)
    #expect(try spool.records(from: records[24].end).count == count - 25 + more)
    let deletions = fixture.takeEvents().filter {
      if case .segmentDeleted(_, toMakeRoom: true) = $0 { true } else { false }
    }
    #expect(deletions == [1, 2].map { .segmentDeleted(segment: $0, toMakeRoom: true) })
  }

  @Test func `a spool smaller than two segments does not get stuck when all is loaded`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 10_064
      $0.maximumBytes = 12_000
    }
    let spool = try fixture.open()
    for _ in 0..<20 {
      let (count, reason) = try fillUp(spool)
      #expect(count >= 1)
      #expect(reason == .maximumBytes)
      spool.markLoaded(through: spool.endPosition)
    }
    #expect(spool.statistics.usedBytes <= 12_000)
  }

  @Test func `a small spool whose loader keeps up never stays full`() throws {
    let fixture = SpoolFixture { $0.maximumBytes = 24 << 20 }
    let spool = try fixture.open()
    let large = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<100 {
      try spool.append(large)
      try spool.commit()
      spool.markLoaded(through: spool.endPosition)
      #expect(spool.statistics.usedBytes <= 24 << 20)
    }
    #expect(!fixture.takeEvents().contains(.becameFull(.maximumBytes)))
  }

  @Test(arguments: [false, true])
  func `the only segment makes way when it is loaded`(isOpenedAgain: Bool) throws {
    let fixture = SpoolFixture {
      $0.maximumBytes = 12_000
      $0.segmentBytes = 3_000
    }
    var spool = try fixture.open()
    // One record that takes nearly all of it.
    try spool.append([UInt8](repeating: 1, count: 11_500))
    try spool.commit()
    #expect(throws: SpoolError.full(.maximumBytes)) { try spool.append(record) }
    let end = spool.endPosition
    if isOpenedAgain {
      spool.close()
      spool = try fixture.open()
      #expect(throws: SpoolError.full(.maximumBytes)) { try spool.append(record) }
    }
    spool.markLoaded(through: end)
    #expect(spool.statistics.full == nil, "whoever waits for room must see it without an append")
    try spool.append(record)
    try spool.commit()
    #expect(spool.relation(of: end) == .within)
    #expect(try spool.records(from: end).map(\.bytes) == [record])
    #expect(fixture.segmentPaths.count == 1)
    #expect(spool.statistics.usedBytes <= 12_000)
  }

  @Test func `a small disk that is full recovers when its only segment is loaded`() throws {
    let fixture = SpoolFixture { $0.diskReserveFraction = 0.05 }
    fixture.disk.setSpace(totalBytes: 1_000_000, foreignBytes: 0)
    let spool = try fixture.open()
    for round in 0..<3 {
      let (count, reason) = try fillUp(spool)
      #expect(count > 900 && reason == .diskReserve, "round \(round)")
      spool.markLoaded(through: spool.endPosition)
      #expect(spool.statistics.full == nil)
    }
    spool.close()
    let again = try fixture.open()
    again.markLoaded(through: again.endPosition)
    #expect(try fillUp(again).records > 900)
  }

  @Test func `a write that fails right after the only segment made way keeps the spool's end`() throws {
    let fixture = SpoolFixture { $0.maximumBytes = 12_000 }
    let spool = try fixture.open()
    try spool.append([UInt8](repeating: 1, count: 11_500))
    try spool.commit()
    let end = spool.endPosition
    spool.markLoaded(through: end)
    try spool.append(record)
    fixture.disk.setFault { call, _ in call == .synchronizeData ? .fail(.inputOutput) : nil }
    #expect(throws: SpoolError.self) { try spool.commit() }
    fixture.disk.setFault(nil)
    #expect(spool.relation(of: end) == .within)
    #expect(fixture.segmentPaths.count == 1)
    spool.close()
    let again = try fixture.open()
    #expect(again.relation(of: end) == .within, "nothing that was not loaded is gone")
    again.markLoaded(through: end)
    for _ in 0..<20 {
      try again.append(record)
      try again.commit()
      again.markLoaded(through: again.endPosition)
    }
  }

  @Test func `a database that went back makes its records unloaded again`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 2_064
      $0.keepLoaded = .seconds(100)
    }
    let spool = try fixture.open()
    try fill(spool, 6)
    let records = try spool.records()
    spool.markLoaded(through: records[5].end)
    #expect(spool.statistics.unloadedBytes == 0)
    spool.markLoaded(through: records[0].end)
    #expect(spool.statistics.unloadedBytes == 5_000)
    fixture.advanceClock(seconds: 1_000)
    spool.deleteExpiredSegments()
    #expect(try spool.records(from: records[0].end).count == 5)
    spool.markLoaded(through: records[5].end)
    #expect(fixture.segmentPaths.count == 3, "the time begins anew")
  }

  @Test func `positions relate to what is stored`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 2_064
      $0.keepLoaded = .seconds(1)
    }
    let spool = try fixture.open()
    #expect(spool.relation(of: .start) == .within)
    #expect(spool.relation(of: SpoolPosition(segment: 1, offset: 64)) == .beyondEnd)
    try fill(spool, 6)
    let end = spool.endPosition
    let records = try spool.records()
    #expect(spool.relation(of: .start) == .within)
    #expect(spool.relation(of: end) == .within)
    #expect(spool.relation(of: SpoolPosition(segment: end.segment, offset: end.offset + 1)) == .beyondEnd)
    #expect(spool.relation(of: SpoolPosition(segment: .max, offset: .max)) == .beyondEnd)
    spool.markLoaded(through: records[1].end)
    fixture.advanceClock(seconds: 2)
    spool.deleteExpiredSegments()
    #expect(spool.relation(of: records[1].end) == .within, "nothing behind it is gone")
    #expect(spool.relation(of: records[0].end) == .beforeOldest)
    #expect(spool.relation(of: .start) == .beforeOldest)
    spool.close()
    let again = try fixture.open()
    #expect(again.relation(of: records[1].end) == .within)
    #expect(again.relation(of: records[0].end) == .beforeOldest)
  }

  @Test func `a segment that cannot be deleted is reported and stops nothing`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 2_064
      $0.keepLoaded = .zero
    }
    let spool = try fixture.open()
    try fill(spool, 6)
    fixture.disk.setFault { call, _ in call == .remove ? .fail(.inputOutput) : nil }
    spool.markLoaded(through: spool.endPosition)
    #expect(fixture.takeEvents().contains { if case .upkeepFailed = $0 { true } else { false } })
    try fill(spool, 1)
    fixture.disk.setFault(nil)
    spool.close()
    let again = try fixture.open()
    again.markLoaded(through: again.endPosition)
    #expect(fixture.segmentPaths.count == 1)
  }
}
