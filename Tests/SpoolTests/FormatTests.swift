import Foundation
import Spool
import TestSupport
import Testing

/// docs/spool-format.md, byte by byte, written by other code than the product's.
@Suite struct `The format on disk` {
  @Test func `a segment's bytes are those of the format's description`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 101 }
    let spool = try fixture.open()
    let records = ["hello", "", String(repeating: "x", count: 200)]
    for record in records {
      try spool.append(record)
      try spool.commit()
    }
    spool.close()
    let first = segment(1, of: spool.identity, after: (0, 0), records: [Array("hello".utf8)])
    let whole = first + record("", at: first.count, 1, spool.identity)
    let second = segment(2, of: spool.identity, after: (1, whole.count), records: [Array(records[2].utf8)])
    #expect(fixture.segmentPaths == [1, 2].map { fixture.segmentPath($0) })
    #expect(fixture.disk.contents(fixture.segmentPath(1)) == whole)
    #expect(fixture.disk.contents(fixture.segmentPath(2)) == second)
  }

  @Test func `the identity file's bytes are those of the format's description`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    func expected(_ reserved: Int64) -> [UInt8] {
      var bytes = Array("PFIDENT".utf8) + [0x1A] + littleEndian(UInt32(1)) + spool.identity.bytes
      bytes += littleEndian(reserved) + littleEndian(UInt64(0))
      return bytes + referenceChecksum(bytes)
    }
    #expect(fixture.disk.contents("/spool/identity") == expected(0))
    try spool.append("x")
    #expect(fixture.disk.contents("/spool/identity") == expected(16))
  }

  @Test func `a segment made by other code from the description is read`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    spool.close()
    let bytes = segment(9, of: spool.identity, after: (8, 64), records: [Array("made".utf8), Array("elsewhere".utf8)])
    fixture.disk.replace(fixture.segmentPath(9), with: bytes)
    #expect(try fixture.open().texts() == ["made", "elsewhere"])
  }

  @Test func `a position is two numbers in JSON too`() throws {
    let position = SpoolPosition(segment: 3, offset: 64)
    let data = try JSONEncoder().encode(position)
    #expect(try JSONDecoder().decode(SpoolPosition.self, from: data) == position)
    #expect(try JSONDecoder().decode([String: Int64].self, from: data) == ["segment": 3, "offset": 64])
    #expect("\(position)" == "3:64")
    let ascending = [.start, SpoolPosition(segment: 1, offset: 900), position, SpoolPosition(segment: 3, offset: 65)]
    #expect(ascending.shuffled().sorted() == ascending)
  }

  private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private func segment(
    _ number: Int64, of identity: SpoolIdentity, after previous: (Int64, Int), records: [[UInt8]]
  ) -> [UInt8] {
    var bytes = Array("PFSPOOL".utf8) + [0x1A] + littleEndian(UInt32(1)) + littleEndian(UInt32(64)) + identity.bytes
    bytes += littleEndian(number) + littleEndian(previous.0) + littleEndian(Int64(previous.1)) + [0, 0, 0, 0]
    bytes += referenceChecksum(bytes)
    for payload in records { bytes += record(payload, at: bytes.count, number, identity) }
    return bytes
  }

  private func record(_ text: String, at offset: Int, _ number: Int64, _ identity: SpoolIdentity) -> [UInt8] {
    record(Array(text.utf8), at: offset, number, identity)
  }

  private func record(_ payload: [UInt8], at offset: Int, _ number: Int64, _ identity: SpoolIdentity) -> [UInt8] {
    let seed = referenceChecksum(identity.bytes + littleEndian(number))
    var state = seed.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } ^ UInt32(offset)
    let header = littleEndian(UInt32(0x7F50_46E9)) + littleEndian(UInt32(payload.count)) + referenceChecksum(payload)
    for byte in header {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state & 1 == 1 ? (state >> 1) ^ 0x82F6_3B78 : state >> 1 }
    }
    return header + littleEndian(~state) + payload
  }
}

@Suite struct `The real file system` {
  @Test func `a spool in a real directory is written, reopened, kept to one opener, and trimmed`() throws {
    let parent = FileManager.default.temporaryDirectory.appendingPathComponent("spool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    var configuration = SpoolConfiguration(directory: parent.appendingPathComponent("spool").path)
    configuration.segmentBytes = 100_000
    configuration.keepLoaded = .zero
    configuration.diskReserveFraction = 0
    let spool = try Spool(configuration) { _ in }
    var generator = SeededGenerator(seed: 1)
    let records = (0..<300).map { _ in generator.bytes(1_000) }
    for record in records {
      try spool.append(record)
      if record[0] & 3 == 0 { try spool.commit() }
    }
    try spool.commit()
    #expect(throws: SpoolError.inUse(directory: configuration.directory, holderProcess: getpid())) {
      try Spool(configuration) { _ in }
    }
    #expect(try spool.records().map(\.bytes) == records)
    #expect(spool.statistics.freeBytes > 0)
    spool.close()
    let again = try Spool(configuration) { _ in }
    #expect(again.identity == spool.identity)
    #expect(try again.records().map(\.bytes) == records)
    again.markLoaded(through: again.endPosition)
    #expect(again.statistics.segments == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: configuration.directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test func `a directory that cannot be made is a clear error`() {
    #expect(throws: SpoolError.self) { try Spool(SpoolConfiguration(directory: "/proc/nothing/spool")) { _ in } }
    do {
      _ = try Spool(SpoolConfiguration(directory: "/nowhere-at-all/spool")) { _ in }
    } catch {
      #expect("\(error)" == "cannot make directory /nowhere-at-all/spool: No such file or directory")
    }
  }
}
