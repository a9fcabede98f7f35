import Spool
import TestSupport
import Testing

@Suite struct `Appending and reading` {
  @Test func `what was committed is read in order with its positions`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    let first = try spool.append("one")
    let second = try spool.append("two")
    #expect(try spool.texts().isEmpty, "nothing is readable before its commit")
    #expect(try spool.commit() == second)
    let third = try spool.append("")
    try spool.commit()
    let records = try spool.records()
    #expect(records.map { String(decoding: $0.bytes, as: UTF8.self) } == ["one", "two", ""])
    #expect(records.map(\.end) == [first, second, third])
    #expect(records.map(\.begin) == [spool.oldestPosition, first, second])
    #expect(spool.endPosition == third)
    #expect(try spool.texts(from: first) == ["two", ""])
    #expect(try spool.texts(from: third).isEmpty)
  }

  @Test func `a record of several pieces is read as one`() throws {
    let spool = try SpoolFixture().open()
    let pieces: [[UInt8]] = [Array("ab".utf8), [], Array("cde".utf8)]
    try pieces[0].withUnsafeBytes { first in
      try pieces[2].withUnsafeBytes { third in
        let gathered = [first, UnsafeRawBufferPointer(start: nil, count: 0), third]
        try gathered.withUnsafeBufferPointer { _ = try spool.append(gathering: $0) }
      }
    }
    try spool.commit()
    #expect(try spool.texts() == ["abcde"])
  }

  @Test(arguments: [(1 << 20) - 17, (1 << 20) - 16, (1 << 20) - 15, 1 << 20, (5 << 20) + 3])
  func `a record as large as the buffers or larger is read back whole`(size: Int) throws {
    let spool = try SpoolFixture().open()
    var generator = SeededGenerator(seed: UInt64(size))
    let large = generator.bytes(size)
    try spool.append("before")
    try spool.append(large)
    try spool.append("after")
    try spool.commit()
    #expect(try spool.records().map(\.bytes) == [Array("before".utf8), large, Array("after".utf8)])
  }

  @Test func `a record over the limit is refused and its neighbours stay`() throws {
    let spool = try SpoolFixture { $0.maximumRecordBytes = 10 }.open()
    try spool.append("0123456789")
    #expect(throws: SpoolError.recordTooLarge(bytes: 11, maximumBytes: 10)) { try spool.append("0123456789a") }
    try spool.commit()
    #expect(try spool.texts() == ["0123456789"])
  }

  @Test func `a commit of nothing syncs nothing`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    _ = fixture.disk.takeCalls()
    try spool.commit()
    #expect(fixture.disk.takeCalls().isEmpty)
    try spool.append("x")
    try spool.commit()
    _ = fixture.disk.takeCalls()
    try spool.append("y")
    try spool.append("z")
    try spool.commit()
    #expect(fixture.disk.takeCalls() == [.write, .synchronizeData], "one write and one sync serve the group")
  }

  @Test func `records go on in new segments, and a larger record has one of its own`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 1000 }
    let spool = try fixture.open()
    var expected: [[UInt8]] = []
    for index in 0..<50 {
      let record = [UInt8](repeating: UInt8(index), count: index == 20 ? 5000 : 100)
      expected.append(record)
      try spool.append(record)
      if index % 3 == 0 { try spool.commit() }
    }
    try spool.commit()
    #expect(try spool.records().map(\.bytes) == expected)
    #expect(fixture.segmentPaths.count > 6)
    spool.close()
    let again = try fixture.open()
    #expect(try again.records().map(\.bytes) == expected)
  }

  @Test func `after closing nothing is appended and readers end`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("kept")
    try spool.commit()
    try spool.append("dropped")
    var reader = spool.makeReader()
    spool.close()
    spool.close()
    #expect(throws: SpoolError.closed) { try spool.append("x") }
    #expect(throws: SpoolError.closed) { try spool.commit() }
    #expect(try reader.next() == nil)
    #expect(reader.waitForRecords(timeout: .seconds(60)) == .closed)
    let again = try fixture.open()
    #expect(try again.texts() == ["kept"])
  }
}
