import Postgres
import SessionMetrics
import StoryEvents
import Testing

@testable import Reports

@Suite struct `A packed history` {
  private static func bytes(_ numbers: [Int64]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  }

  private static func code(_ seq: Int64, _ type: Int64, _ number: Int64) -> Int64 { seq << 15 | type << 10 | number }

  private static func number(_ value: Double) -> Int64 { Int64(bitPattern: value.bitPattern) }

  private static func event(_ seq: Int64, _ type: EventType, _ index: Int64, _ seconds: Double = .nan) -> [Int64] {
    [code(seq, Int64(type.rawValue), index), seq * 1_000_000, number(seconds)]
  }

  private static func durations(_ seq: Int64, _ seconds: [Double]) -> [Int64] {
    [code(seq, 31, Int64(seconds.count))] + seconds.map(number)
  }

  private func read(_ bytes: [UInt8], into history: inout SessionHistory) throws {
    try bytes.withUnsafeBytes { try PackedHistory.read($0, into: &history) }
  }

  @Test func `is put in order, and the durations are those of the first start`() throws {
    let packed = Self.bytes(
      Self.durations(4, [9, 9]) + Self.event(1, .pageShown, 0, 2.5) + Self.event(4, .start, 2)
        + Self.event(0, .start, 3) + Self.durations(0, [5, .nan, 0.25]))
    var history = SessionHistory()
    // What was read before is forgotten.
    for _ in 0..<2 {
      try read(packed, into: &history)
      #expect(history.events.map(\.seq) == [0, 1, 4])
      #expect(history.events.map(\.type) == [.start, .pageShown, .start])
      #expect(history.events.map(\.durationSeconds) == [nil, 2.5, nil])
      #expect(history.events[1].atMicroseconds == 946_684_801_000_000)
      #expect(history.startPageDurations == [5, nil, 0.25])
    }
    try read([], into: &history)
    #expect(history.events.isEmpty && history.startPageDurations.isEmpty)
  }

  @Test func `has no durations where the first start had none, or there is no start`() throws {
    var history = SessionHistory()
    try read(
      Self.bytes(Self.event(0, .start, 2) + Self.event(3, .start, 2) + Self.durations(3, [1, 2])), into: &history)
    #expect(history.startPageDurations.isEmpty)
    try read(Self.bytes(Self.durations(0, [1]) + Self.event(1, .pageShown, 0)), into: &history)
    #expect(history.startPageDurations.isEmpty)
  }

  @Test func `is refused wherever it breaks off`() throws {
    let whole = Self.bytes(Self.durations(0, [1, 2, 3]) + Self.event(0, .start, 3) + Self.event(1, .pageShown, 0))
    let ends: Set = [0, 32, 56, 80]
    var history = SessionHistory()
    for count in 0...whole.count {
      let part = Array(whole[..<count])
      if ends.contains(count) {
        try read(part, into: &history)
      } else {
        #expect(throws: CopyRowReader.Damaged.self, "\(count) bytes") { try read(part, into: &history) }
      }
    }
  }
}
