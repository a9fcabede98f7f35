import Postgres
import SessionMetrics
import StoryEvents

/// The history of a session as one value: what `pagefall.sessions.history` and `pagefall.packed_history` hold
/// (docs/storage.md). All numbers are big-endian.
enum PackedHistory {
  /// The code of an entry: `seq`, then the type, then a number of 0…1023.
  private static let bitsOfNumber: Int64 = 10
  private static let bitsOfType: Int64 = 5
  /// An event: its code with a start's page count or its page index, its time, its duration (NaN for none).
  private static let eventByteCount = 24
  /// In the place of a type: the durations of a start's pages follow, as many as the number says.
  private static let startDurationsType: Int64 = 31

  /// Fills a history; entries may come in any order.
  static func read(
    _ packed: UnsafeRawBufferPointer, into history: inout SessionHistory
  ) throws(CopyRowReader.Damaged) {
    history.removeAll()
    var hasStartDurations = false
    var offset = 0
    while offset < packed.count {
      let entry = try Entry(packed, at: offset)
      if entry.type == startDurationsType {
        hasStartDurations = true
      } else {
        history.append(
          StoredEvent(
            seq: entry.seq, type: EventType(rawValue: UInt8(truncatingIfNeeded: entry.type)), number: entry.number,
            atMicroseconds: PostgresTime.microsecondsSince1970(packed.bigEndian(at: offset + 8)),
            durationSeconds: packed.seconds(at: offset + 16)))
      }
      offset += entry.byteCount
    }
    history.putInOrder()
    if hasStartDurations, let first = history.events.first(where: { $0.type == .start }) {
      try readDurations(ofStart: first.seq, packed, into: &history)
    }
  }

  /// Those of the first start alone: later ones say nothing (metrics §2). Which is the first is only known once all events
  /// were read, and a second look costs less than a list of them for each session.
  private static func readDurations(
    ofStart seq: Int, _ packed: UnsafeRawBufferPointer, into history: inout SessionHistory
  ) throws(CopyRowReader.Damaged) {
    var offset = 0
    while offset < packed.count {
      let entry = try Entry(packed, at: offset)
      if entry.type == startDurationsType, entry.seq == seq {
        for page in 0..<entry.number {
          history.startPageDurations.append(packed.seconds(at: offset + 8 + 8 * page))
        }
        return
      }
      offset += entry.byteCount
    }
  }

  /// What an entry begins with.
  private struct Entry {
    let seq: Int
    let type: Int64
    let number: Int
    let byteCount: Int

    init(_ packed: UnsafeRawBufferPointer, at offset: Int) throws(CopyRowReader.Damaged) {
      guard offset + 8 <= packed.count else { throw CopyRowReader.Damaged() }
      let code = packed.bigEndian(at: offset)
      type = (code >> bitsOfNumber) & ((1 << bitsOfType) - 1)
      number = Int(code & ((1 << bitsOfNumber) - 1))
      seq = Int(code >> (bitsOfNumber + bitsOfType))
      byteCount = type == startDurationsType ? 8 + 8 * number : eventByteCount
      guard offset + byteCount <= packed.count else { throw CopyRowReader.Damaged() }
    }
  }
}

/// The server's clock.
package enum PostgresTime {
  /// The server counts from 2000-01-01. Its infinities, which no event has, stay far away.
  package static func microsecondsSince1970(_ number: Int64) -> Int64 {
    number.addingReportingOverflow(946_684_800_000_000).partialValue
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes, most significant first. The caller has checked that they are there.
  func bigEndian(at offset: Int) -> Int64 {
    Int64(bigEndian: loadUnaligned(fromByteOffset: offset, as: Int64.self))
  }

  /// A length of time, eight bytes; nil for NaN, which stands for none.
  fileprivate func seconds(at offset: Int) -> Double? {
    let seconds = Double(bitPattern: UInt64(bitPattern: bigEndian(at: offset)))
    return seconds.isNaN ? nil : seconds
  }
}
