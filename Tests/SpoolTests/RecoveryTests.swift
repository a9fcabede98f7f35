import Spool
import TestSupport
import Testing

@Suite struct `Recovery after a crash` {
  /// Three committed records, and the bytes of the segment they are in.
  private func threeRecords() throws -> (disk: SimulatedDisk, path: String, bytes: [UInt8], ends: [SpoolPosition]) {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    let ends = try ["first", "second", "the last record"].map { try spool.append($0) }
    try spool.commit()
    spool.close()
    let path = fixture.segmentPath(1)
    return (fixture.disk, path, try #require(fixture.disk.contents(path)), ends)
  }

  @Test(arguments: [false, true])
  func `a tail torn at any byte of the last record is cut off and the rest stays`(zerosFollow: Bool) throws {
    let (disk, path, bytes, ends) = try threeRecords()
    let secondEnd = Int(ends[1].offset)
    for length in secondEnd..<bytes.count {
      let fixture = SpoolFixture(disk: disk.copy())
      let zeros = [UInt8](repeating: 0, count: zerosFollow ? 5000 : 0)
      fixture.disk.replace(path, with: Array(bytes[..<length]) + zeros)
      let spool = try fixture.open()
      #expect(try spool.texts() == ["first", "second"], "cut at \(length)")
      #expect(spool.endPosition == ends[1])
      #expect(spool.statistics.damagedRecords == 0)
      // Zeros at the end cannot be told from room that was never written.
      let torn = bytes[secondEnd..<length].lastIndex { $0 != 0 }.map { $0 + 1 - secondEnd } ?? 0
      #expect(spool.statistics.tornBytes == Int64(torn))
      #expect(try #require(fixture.disk.contents(path)).count == secondEnd)
      let end = try spool.append("new")
      try spool.commit()
      #expect(end.segment > ends[2].segment)
      #expect(try spool.texts() == ["first", "second", "new"])
    }
  }

  @Test func `what was torn off is kept for a look`() throws {
    let (disk, path, bytes, ends) = try threeRecords()
    let fixture = SpoolFixture(disk: disk)
    disk.replace(path, with: Array(bytes.dropLast()))
    _ = try fixture.open()
    let torn = bytes.count - 1 - Int(ends[1].offset)
    #expect(
      disk.contents("/spool/quarantine/1-\(ends[1].offset)-\(torn).bytes")
        == Array(bytes[Int(ends[1].offset)...].dropLast()))
    #expect(fixture.takeEvents().contains(.tornTailCut(at: ends[1], bytes: Int64(torn))))
  }

  @Test func `a killed process loses nothing that it had committed`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("committed")
    try spool.commit()
    try spool.append("pending")
    fixture.disk.kill()
    let again = try fixture.open()
    #expect(try again.texts() == ["committed"])
    withExtendedLifetime(spool) {}
  }

  @Test func `a copy of the directory that is put back goes on with positions that were never given`() throws {
    let original = SpoolFixture()
    original.advanceClock(seconds: 1000)
    let first = try original.open()
    try first.append("shared")
    try first.commit()
    first.close()
    let copy = SpoolFixture(disk: original.disk.copy())

    original.advanceClock(seconds: 60)
    let later = try original.open()
    let lost = try later.append("only in the original")
    try later.commit()
    later.close()

    copy.advanceClock(seconds: 1100)
    let restored = try copy.open()
    #expect(restored.relation(of: lost) == .beyondEnd)
    #expect(try restored.append("only in the copy") > lost)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `positions are never reused and acknowledged records never lost over many power losses`(seed: UInt64) throws {
    let fixture = SpoolFixture { $0.segmentBytes = 2000 }
    var generator = SeededGenerator(seed: seed)
    var acknowledged: [SpoolPosition: [UInt8]] = [:]
    var given: [SpoolPosition: [UInt8]] = [:]
    for round in 0..<100 {
      let spool = try fixture.open()
      let stored = Dictionary(try spool.records().map { ($0.end, $0.bytes) }) { first, _ in first }
      for (position, bytes) in acknowledged { try #require(stored[position] == bytes, "seed \(seed) round \(round)") }
      for (position, bytes) in stored { try #require(given[position] == bytes, "seed \(seed) round \(round)") }
      acknowledged.merge(stored) { old, _ in old }
      var group: [SpoolPosition: [UInt8]] = [:]
      for _ in 0..<Int.random(in: 0..<12, using: &generator) {
        let bytes = generator.bytes(Int.random(in: 0..<900, using: &generator))
        let position = try spool.append(bytes)
        try #require(given.updateValue(bytes, forKey: position) == nil, "\(position) was given before, seed \(seed)")
        group[position] = bytes
        if Int.random(in: 0..<4, using: &generator) == 0 {
          try spool.commit()
          acknowledged.merge(group) { old, _ in old }
          group = [:]
        }
      }
      fixture.disk.losePower(using: &generator)
      withExtendedLifetime(spool) {}
    }
    #expect(acknowledged.count > 100)
    #expect(fixture.takeEvents().allSatisfy { if case .identityRenewed = $0 { false } else { true } })
  }

  @Test func `a segment whose directory entry was lost is reported and costs nothing else`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 100 }
    let spool = try fixture.open()
    for text in ["a", "b", "c", "d"] {
      try spool.append(text + String(repeating: "-", count: 60))
      try spool.commit()
    }
    let end = spool.endPosition
    spool.close()
    fixture.disk.delete(fixture.segmentPath(2))
    let again = try fixture.open()
    #expect(try again.texts().map { $0.first } == ["a", "c", "d"])
    #expect(fixture.takeEvents().contains(.segmentMissing(segment: 2)))
    #expect(again.endPosition == end)
  }

  @Test func `losing the newest segments leaves positions that are known to be beyond the end`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 100 }
    let spool = try fixture.open()
    for _ in 0..<4 {
      try spool.append(String(repeating: "-", count: 60))
      try spool.commit()
    }
    let end = spool.endPosition
    spool.close()
    fixture.disk.delete(fixture.segmentPath(end.segment))
    let again = try fixture.open()
    #expect(again.relation(of: end) == .beyondEnd)
    let next = try again.append("new")
    #expect(next.segment > end.segment, "the lost segment's number is not used again")
  }

  @Test func `losing all segments leaves positions that are known to be before the oldest`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    let end = try spool.append("x")
    try spool.commit()
    spool.close()
    fixture.disk.delete(fixture.segmentPath(1))
    let again = try fixture.open()
    #expect(again.identity == spool.identity)
    #expect(again.relation(of: end) == .beforeOldest)
    #expect(try again.append("y").segment > end.segment)
  }

  @Test func `a crash while a segment is made leaves an empty file that does not matter`() throws {
    let (disk, _, _, ends) = try threeRecords()
    for length in [0, 1, 63, 64, 5_000] {
      let fixture = SpoolFixture(disk: disk.copy())
      fixture.disk.replace(fixture.segmentPath(2), with: [UInt8](repeating: 0, count: length))
      let spool = try fixture.open()
      #expect(try spool.texts().count == 3)
      #expect(spool.relation(of: ends[2]) == .within)
      #expect(fixture.segmentPaths == [fixture.segmentPath(1)], "it would hide where the one before it ended")
      #expect(spool.statistics.damagedRecords == 0 && spool.statistics.tornBytes == 0)
      #expect(try spool.append("new").segment > 2)
      try spool.commit()
      #expect(try spool.texts().count == 4)
      #expect(fixture.takeEvents().allSatisfy { $0.severity != .error })
    }
  }
}

@Suite struct `Identity` {
  @Test func `the identity is made once and stays`() throws {
    let fixture = SpoolFixture()
    let first = try fixture.open()
    first.close()
    let second = try fixture.open()
    #expect(first.identity == second.identity)
    #expect(SpoolIdentity(bytes: first.identity.bytes) == first.identity)
    #expect(first.identity.description.count == 32)
    #expect(fixture.takeEvents().allSatisfy { $0.severity == .info })
  }

  @Test func `a lost or damaged identity is renewed, and the records are read nevertheless`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("kept")
    try spool.commit()
    spool.close()
    let whole = try #require(fixture.disk.contents("/spool/identity"))
    for damage in [nil, [], Array(whole.dropLast()), whole + [0], whole.map { _ in 0 }] as [[UInt8]?] {
      let damaged = SpoolFixture(disk: fixture.disk.copy())
      if let damage {
        damaged.disk.replace("/spool/identity", with: damage)
      } else {
        damaged.disk.delete("/spool/identity")
      }
      damaged.advanceGenerator()
      let again = try damaged.open()
      #expect(again.identity != spool.identity)
      #expect(damaged.takeEvents().contains(.identityRenewed(again.identity)))
      #expect(try again.texts() == ["kept"])
      try again.append("more")
      try again.commit()
      again.close()
      #expect(try damaged.open().texts() == ["kept", "more"])
    }
  }

  @Test(arguments: ["identity", "segment"])
  func `files of a later version are refused by name`(kind: String) throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("x")
    try spool.commit()
    spool.close()
    let path = kind == "identity" ? "/spool/identity" : fixture.segmentPath(1)
    var bytes = try #require(fixture.disk.contents(path))
    bytes[8] = 2
    let headerBytes = kind == "identity" ? 48 : 64
    bytes.replaceSubrange((headerBytes - 4)..<headerBytes, with: referenceChecksum(bytes[..<(headerBytes - 4)]))
    fixture.disk.replace(path, with: bytes)
    #expect(throws: SpoolError.unsupportedFormat(path: path, version: 2)) { try fixture.open() }
  }
}

@Suite struct `One process at a time` {
  @Test func `a second opener is told who holds the spool, and the first is not disturbed`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    let holder = try #require(fixture.disk.contents("/spool/lock"))
    let process = try #require(Int32(String(decoding: holder.dropLast(), as: UTF8.self)))
    let expected = SpoolError.inUse(directory: "/spool", holderProcess: process)
    #expect(throws: expected) { try fixture.open() }
    #expect(expected.description.contains("process \(process)"))
    try spool.append("x")
    try spool.commit()
    spool.close()
    #expect(try fixture.open().texts() == ["x"])
  }

  @Test func `a lock file without a process id still gives a clear error`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    fixture.disk.replace("/spool/lock", with: Array("??".utf8))
    #expect(throws: SpoolError.inUse(directory: "/spool", holderProcess: nil)) { try fixture.open() }
    withExtendedLifetime(spool) {}
  }

  @Test func `a spool that is only dropped gives its directory and its files free`() throws {
    let fixture = SpoolFixture()
    do {
      let spool = try fixture.open()
      try spool.append("x")
      try spool.commit()
      #expect(try spool.texts() == ["x"])
    }
    #expect(fixture.disk.openDescriptors == 0)
    #expect(try fixture.open().texts() == ["x"])
  }
}

/// CRC-32C as its definition says, bit by bit: independent of what the product uses. Little-endian.
func referenceChecksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  var state: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    state ^= UInt32(byte)
    for _ in 0..<8 { state = state & 1 == 1 ? (state >> 1) ^ 0x82F6_3B78 : state >> 1 }
  }
  return withUnsafeBytes(of: (~state).littleEndian) { Array($0) }
}
