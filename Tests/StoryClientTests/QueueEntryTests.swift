import StoryEvents
import Testing

@testable import StoryClient

/// A session's file whatever became of its bytes.
@Suite struct QueueEntryTests {
  /// A file of a header and three events, and where each entry ends.
  private static let whole: (bytes: [UInt8], ends: [Int]) = {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for (kind, payload) in [
      (QueueEntry.Kind.header, #"first {"story_id":"a"}"#), (.event, #"{"seq":0}"#), (.event, #"{"seq":1,"x":"y"}"#),
      (.event, #"{"seq":2}"#),
    ] {
      let start = QueueEntry.begin(kind, in: &bytes)
      bytes += payload.utf8
      QueueEntry.end(start, in: &bytes)
      ends.append(bytes.count)
    }
    return (bytes, ends)
  }()

  private func sequences(_ content: QueueContent) -> [String] {
    content.events.map { String(decoding: $0.json, as: UTF8.self) }
  }

  private static let all = [#"{"seq":0}"#, #"{"seq":1,"x":"y"}"#, #"{"seq":2}"#]

  @Test func `an entry is mark, kind, checksum, space, payload and line end`() {
    var bytes: [UInt8] = []
    let start = QueueEntry.begin(.event, in: &bytes)
    bytes += "{}".utf8
    QueueEntry.end(start, in: &bytes)
    // CRC-32 of `e{}`, as gzip or `crc32` prints it.
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1E}e\(crc32("e{}")) {}\n")
  }

  /// CRC-32 bit by bit: other code than the table's.
  private func crc32(_ text: String) -> String {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in text.utf8 {
      for bit in 0..<8 {
        let isSet = (value ^ UInt32(byte) >> UInt32(bit)) & 1 == 1
        value = value >> 1 ^ (isSet ? 0xEDB8_8320 : 0)
      }
    }
    let digits = String(~value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  @Test func `the checksum is gzip's`() {
    var sum = CRC32()
    Array("123456789".utf8).withUnsafeBytes { sum.add($0) }
    #expect(sum.value == 0xCBF4_3926)
  }

  @Test func `a whole file is read whole, and from each entry's end on`() {
    let (bytes, ends) = Self.whole
    let content = QueueContent(bytes, from: 0, isComplete: true)
    #expect(sequences(content) == Self.all)
    #expect(content.generation == "first")
    #expect(String(decoding: content.context, as: UTF8.self) == #"{"story_id":"a"}"#)
    #expect(content.damageEnds.isEmpty && content.end == bytes.count)
    for (index, end) in ends.enumerated() {
      let rest = QueueContent(bytes, from: end, isComplete: true)
      #expect(sequences(rest) == Array(Self.all[index...]))
      #expect(rest.generation == "first")
    }
  }

  @Test func `cut at any byte, all entries before the cut are read and the rest is one damage`() {
    let (bytes, ends) = Self.whole
    for cut in 0..<bytes.count {
      let torn = Array(bytes[..<cut])
      let whole = ends.count { $0 <= cut }
      let content = QueueContent(torn, from: 0, isComplete: true)
      #expect(sequences(content) == Array(Self.all[..<max(0, whole - 1)]), "cut at \(cut)")
      #expect(content.damageEnds.count == (cut == 0 || ends.contains(cut) ? 0 : 1), "cut at \(cut)")
      #expect(content.end == cut)
      // Somebody may be writing: nothing is said about the tail.
      let growing = QueueContent(torn, from: 0, isComplete: false)
      #expect(growing.damageEnds.isEmpty && growing.events.count == content.events.count, "cut at \(cut)")
      #expect(growing.end == (ends.last { $0 <= cut } ?? 0))
    }
  }

  @Test func `a damaged byte costs its own entry and no other`() {
    let (bytes, ends) = Self.whole
    for place in bytes.indices {
      for value in [bytes[place] ^ 1, bytes[place] ^ 0x80, 0x0A, 0x1E, 0x00] where value != bytes[place] {
        var damaged = bytes
        damaged[place] = value
        let content = QueueContent(damaged, from: 0, isComplete: true)
        let hit = ends.count { $0 <= place }
        let others = hit == 0 ? Self.all : Self.all.enumerated().filter { $0.offset != hit - 1 }.map(\.element)
        #expect(sequences(content) == others, "byte \(place) became \(value)")
        #expect(content.isHeaderDamaged == (hit == 0))
        // A byte that becomes a mark may look like the beginning of another entry.
        #expect(content.damageEnds.count == 1 || value == 0x1E && content.damageEnds.count == 2)
      }
    }
  }

  @Test func `a torn entry with others behind it is one damage`() {
    let (bytes, ends) = Self.whole
    for cut in (ends[0] + 1)..<ends[1] {
      let torn = Array(bytes[..<cut]) + bytes[ends[1]...]
      let content = QueueContent(torn, from: 0, isComplete: false)
      #expect(sequences(content) == Array(Self.all[1...]))
      #expect(content.damageEnds.count == 1)
    }
  }

  @Test(arguments: [1, 512, 4_096]) func `zeros that a power loss left are one damage`(count: Int) {
    let (bytes, ends) = Self.whole
    let zeros = [UInt8](repeating: 0, count: count)
    for end in ends {
      let content = QueueContent(Array(bytes[..<end]) + zeros + bytes[end...], from: 0, isComplete: true)
      #expect(sequences(content) == Self.all && content.damageEnds.count == 1)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8]) func `noise is damage and nothing else`(seed: UInt64) {
    let randomness = SeededRandomness(seed: seed)
    let noise = (0..<4_096).map { _ in UInt8(truncatingIfNeeded: randomness.next()) }
    let content = QueueContent(noise, from: 0, isComplete: true)
    #expect(content.events.isEmpty && content.end == noise.count && !content.damageEnds.isEmpty)
    let mixed = Self.whole.bytes + noise + Self.whole.bytes
    #expect(QueueContent(mixed, from: 0, isComplete: true).events.count == 6)
  }
}
