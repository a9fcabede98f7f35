import StoryEvents

/// The body of a request before compression: NDJSON, a batch object a line for each session (contract §1).
struct UploadBody: Sendable {
  /// How long a body may be before compression, where it has more than one event: it bounds the memory of a content extension,
  /// which has little. The contract would take 16 MiB.
  static let mostBytes = 256 * 1024

  private var timestamps = TimestampWriter()

  /// Writes the body of a batch.
  ///
  /// - Parameters:
  ///   - sentAtMicroseconds: the phone's clock at this very attempt: a late attempt must not look like a wrong clock
  ///     (contract §3).
  ///   - droppedEventsTotal: what this installation gave up so far.
  mutating func bytes(of batch: QueuedBatch, sentAtMicroseconds: Int64, droppedEventsTotal: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount(of: batch))
    let dropped = Int(min(max(0, Int64(droppedEventsTotal)), ContractLimits.sequence.upperBound))
    for part in batch.parts {
      bytes += "{\"sent_at\":\"".utf8
      timestamps.append(sentAtMicroseconds, to: &bytes)
      bytes += "\",\"dropped_events_total\":".utf8
      bytes.append(decimal: dropped)
      bytes += ",\"context\":".utf8
      bytes += part.context.isEmpty ? Array("{}".utf8) : part.context
      bytes += ",\"events\":[".utf8
      for (index, event) in part.events.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += event.json
      }
      bytes += "]}\n".utf8
    }
    return bytes
  }

  /// How long the body of a batch is at most, in bytes.
  static func byteCount(of batch: QueuedBatch) -> Int {
    batch.parts.reduce(0) { sum, part in
      sum + part.context.count + frameBytes + part.events.reduce(0) { $0 + $1.json.count + 1 }
    }
  }

  /// What stands around context and events of a line, at most.
  private static let frameBytes = 110

  /// A batch whose body is not too long: the beginning of the given one, an event at least.
  static func fitting(_ batch: QueuedBatch) -> QueuedBatch {
    var batch = batch
    while byteCount(of: batch) > mostBytes, let (first, _) = batch.halves() { batch = first }
    return batch
  }
}
