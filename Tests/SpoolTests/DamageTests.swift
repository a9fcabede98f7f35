import Spool
import TestSupport
import Testing

@Suite struct `Damaged bytes` {
  /// Three segments of five records each, closed.
  private static func smallSpool() throws -> (disk: SimulatedDisk, texts: [String]) {
    let fixture = SpoolFixture { $0.segmentBytes = 200 }
    let spool = try fixture.open()
    var texts: [String] = []
    for index in 0..<15 {
      texts.append("record \(index)")
      try spool.append("record \(index)")
      try spool.commit()
    }
    spool.close()
    return (fixture.disk, texts)
  }

  private static let files = [1, 2, 3].map { SpoolFixture().segmentPath($0) } + ["/spool/identity", "/spool/lock"]

  @Test(arguments: files)
  func `each single flipped bit costs at most the record it is in`(path: String) throws {
    let (disk, texts) = try Self.smallSpool()
    let bytes = try #require(disk.contents(path))
    for bit in 0..<(bytes.count * 8) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      let fixture = SpoolFixture(disk: disk.copy()) { $0.segmentBytes = 200 }
      fixture.disk.replace(path, with: flipped)
      let spool = try fixture.open()
      let found = try spool.texts()
      let missing = Set(texts).subtracting(found)
      try #require(missing.count <= 1 && found == texts.filter { !missing.contains($0) }, "bit \(bit) of \(path)")
      let statistics = spool.statistics
      let noticed = statistics.damagedRecords + (statistics.tornBytes > 0 ? 1 : 0)
      try #require(noticed == missing.count, "bit \(bit) of \(path): \(statistics)")
      if path.hasSuffix(".segment"), bit >= 64 * 8 {
        try #require(missing.count == 1, "a flipped bit of a record is noticed: bit \(bit) of \(path)")
        try #require(fixture.disk.paths.contains { $0.hasPrefix("/spool/quarantine/") })
      }
      try spool.append("new")
      try spool.commit()
      try #require(try spool.texts() == found + ["new"])
    }
  }

  @Test func `damage is counted and kept once, however often it is read`() throws {
    let (disk, _) = try Self.smallSpool()
    let fixture = SpoolFixture(disk: disk)
    let path = fixture.segmentPath(1)
    var bytes = try #require(disk.contents(path))
    bytes[64 + 16] ^= 0xFF
    disk.replace(path, with: bytes)
    let spool = try fixture.open()
    for _ in 0..<3 { #expect(try spool.records().count == 14) }
    let recordBytes = Int64(16 + "record 0".utf8.count)
    #expect(spool.statistics.damagedRecords == 1)
    #expect(spool.statistics.damagedBytes == recordBytes)
    let expected = SpoolEvent.damageSkipped(
      at: SpoolPosition(segment: 1, offset: 64), bytes: recordBytes, quarantined: true)
    #expect(fixture.takeEvents().filter { $0.severity == .error } == [expected])
    let copy = try #require(disk.contents("/spool/quarantine/1-64-\(recordBytes).bytes"))
    #expect(copy == Array(bytes[64..<(64 + Int(recordBytes))]))
  }

  @Test func `bytes that a sender chose do not pass for a record after damage`() throws {
    // The sender knows the format, and even a whole segment of another spool.
    let other = SpoolFixture()
    other.advanceGenerator()
    let foreign = try other.open()
    for index in 0..<20 { try foreign.append("forged \(index)") }
    try foreign.commit()
    foreign.close()
    let forged = try #require(other.disk.contents(other.segmentPath(1)))

    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append(Array(forged[64...]))
    // At the very offset where its header would be right in a spool of the same seed.
    try spool.append([UInt8](repeating: 0xE9, count: 1000))
    try spool.append("honest")
    try spool.commit()
    spool.close()
    let path = fixture.segmentPath(1)
    var bytes = try #require(fixture.disk.contents(path))
    bytes[64 + 5] ^= 1
    fixture.disk.replace(path, with: bytes)
    let again = try fixture.open()
    #expect(try again.records().map(\.bytes.count) == [1000, 6])
    #expect(again.statistics.damagedRecords == 1)
  }

  @Test func `a stretch of many records is skipped as one and found again behind it`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    let ends = try (0..<100).map { try spool.append("record \($0)") }
    try spool.commit()
    spool.close()
    let path = fixture.segmentPath(1)
    var bytes = try #require(fixture.disk.contents(path))
    for index in Int(ends[9].offset)..<Int(ends[59].offset) { bytes[index] = 0 }
    fixture.disk.replace(path, with: bytes)
    let again = try fixture.open()
    #expect(try again.texts() == (0..<100).filter { !(10..<60).contains($0) }.map { "record \($0)" })
    #expect(again.statistics.damagedBytes == ends[59].offset - ends[9].offset)
  }

  @Test func `a page that the disk cannot read costs the records in it`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 100_000 }
    let spool = try fixture.open()
    let record = [UInt8](repeating: 0x41, count: 984)
    for _ in 0..<200 { try spool.append(record) }
    try spool.commit()
    let unreadable: Range<Int64> = 40_960..<45_056
    fixture.disk.setReadFault { path, range in path == fixture.segmentPath(1) && range.overlaps(unreadable) }
    let found = try spool.records()
    // 4,096 bytes touch six records of 1,000 at this place at most.
    #expect(found.count >= 194 && found.count < 200)
    #expect(found.allSatisfy { $0.bytes == record })
    #expect(spool.statistics.damagedRecords >= 1)
    spool.close()
    #expect(try fixture.open().records().count == found.count)
  }

  @Test func `a sealed segment that lost its end is reported, and reading goes on behind it`() throws {
    let (disk, texts) = try Self.smallSpool()
    let fixture = SpoolFixture(disk: disk)
    let path = fixture.segmentPath(1)
    disk.replace(path, with: Array(try #require(disk.contents(path)).dropLast(30)))
    let spool = try fixture.open()
    let found = try spool.texts()
    #expect(found.suffix(10) == texts.suffix(10))
    #expect(found.count < 15)
    #expect(spool.statistics.damagedBytes >= 30)
  }

  @Test func `copies of damaged bytes are bounded`() throws {
    let fixture = SpoolFixture { $0.quarantineBytes = 3 * 4096 }
    let spool = try fixture.open()
    for _ in 0..<10 { try spool.append("record") }
    try spool.commit()
    spool.close()
    let path = fixture.segmentPath(1)
    var bytes = try #require(fixture.disk.contents(path))
    for index in stride(from: 64 + 16, to: bytes.count - 22, by: 44) { bytes[index] ^= 1 }
    fixture.disk.replace(path, with: bytes)
    let again = try fixture.open()
    #expect(again.statistics.damagedRecords == 5)
    #expect(fixture.disk.paths.filter { $0.hasPrefix("/spool/quarantine/") }.count == 3)
    again.close()
    _ = try fixture.open()
    #expect(fixture.disk.paths.filter { $0.hasPrefix("/spool/quarantine/") }.count == 3)
  }

  @Test func `any rubbish in place of a segment opens and is skipped`() throws {
    var generator = SeededGenerator(seed: 99)
    for size in [0, 1, 15, 63, 64, 65, 79, 80, 81, 5000] {
      for fill in 0..<3 {
        let fixture = SpoolFixture()
        let marker: [UInt8] = [0xE9, 0x46, 0x50, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF]
        let rubbish =
          switch fill {
          case 0: generator.bytes(size)
          case 1: (0..<size).map { marker[$0 % 8] }
          default: [UInt8](repeating: 0xFF, count: size)
          }
        let spool = try fixture.open()
        spool.close()
        fixture.disk.replace(fixture.segmentPath(3), with: rubbish)
        fixture.disk.replace("/spool/not-a-segment", with: rubbish)
        fixture.disk.replace("/spool/0000000000000000000.segment", with: rubbish)
        let again = try fixture.open()
        #expect(try again.records().isEmpty)
        #expect(try again.append("x").segment > 3)
        try again.commit()
        #expect(try again.texts() == ["x"])
      }
    }
  }
}
