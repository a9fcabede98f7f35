import StoryEvents

/// A batch as it is sent: one JSON object, and where its events stand in it, so that it can be halved (contract §2, 413)
/// and stamped anew.
public struct SentBatch: Sendable {
  /// The JSON text; one line, without a newline.
  public internal(set) var bytes: [UInt8] = []
  /// Where each event stands in `bytes`.
  public internal(set) var eventRanges: [Range<Int>] = []
  /// Where the time of `received_at` begins.
  var receivedAtOffset = 0
  /// Where the time of `sent_at` begins.
  var sentAtOffset = 0
  /// Where the first event begins.
  var headEnd = 0
  /// How far the clock of the device that sends it is ahead, in microseconds.
  var clockErrorMicroseconds: Int64 = 0

  /// Writes another time in the place of one: each attempt to send is stamped (contract §3).
  mutating func stamp(_ microseconds: Int64, at offset: Int, _ writer: inout TimestampWriter) {
    writer.write(microseconds) { text in
      for (index, byte) in text.enumerated() { bytes[offset + index] = byte }
    }
  }

  /// The two halves of a batch of at least two events.
  func halves() -> (SentBatch, SentBatch) {
    let middle = eventRanges.count / 2
    return (part(0..<middle), part(middle..<eventRanges.count))
  }

  private func part(_ places: Range<Int>) -> SentBatch {
    var part = SentBatch()
    part.receivedAtOffset = receivedAtOffset
    part.sentAtOffset = sentAtOffset
    part.headEnd = headEnd
    part.clockErrorMicroseconds = clockErrorMicroseconds
    part.bytes = Array(bytes[..<headEnd])
    for range in eventRanges[places] {
      if !part.eventRanges.isEmpty { part.bytes.append(UInt8(ascii: ",")) }
      let start = part.bytes.count
      part.bytes += bytes[range]
      part.eventRanges.append(start..<part.bytes.count)
    }
    part.bytes += "]}".utf8
    return part
  }
}
