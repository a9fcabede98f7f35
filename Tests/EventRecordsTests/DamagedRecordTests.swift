import TestSupport
import Testing

@testable import EventRecords

@Suite struct `Damaged records` {
  private func sample() throws -> [UInt8] {
    var writer = EventRecordWriter()
    try writeSample(&writer)
    return writer.withRecord(0) { Array($0) }
  }

  /// Reads from memory of exactly this size, so that a checker of memory sees any byte too many.
  private func read(_ bytes: [UInt8]) throws -> Int {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    return try countItems(UnsafeRawBufferPointer(copy))
  }

  @Test func `a record cut anywhere is damaged`() throws {
    let bytes = try sample()
    for length in 0..<bytes.count {
      #expect(throws: EventRecordError.self) { try read(Array(bytes[..<length])) }
    }
    #expect(try read(bytes) == 6)
  }

  @Test func `bytes behind the last item are damage`() throws {
    let bytes = try sample()
    #expect(throws: EventRecordError.self) { try read(bytes + [0, 0, 0, 0, 0, 0, 0, 0]) }
  }

  @Test func `any single byte changed is read or refused, never a trap`() throws {
    let bytes = try sample()
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = try? read(changed)
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `random bytes are read or refused, never a trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = try sample()
    for _ in 0..<5_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { changed.removeLast(Int.random(in: 0..<changed.count, using: &random)) }
      _ = try? read(changed)
    }
  }

  @Test func `an error names the place and no contents`() {
    #expect(
      EventRecordError.damaged(offset: 8, problem: .badLength).description
        == "damaged event record: the item's length does not fit (at byte 8)")
  }
}
