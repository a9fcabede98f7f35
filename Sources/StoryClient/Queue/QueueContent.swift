import StoryEvents

/// What a session's file holds, from some offset on.
struct QueueContent {
  /// Of the header; nil where it is damaged.
  var generation: String?
  /// Of the header; `{}` where it is damaged.
  var context: [UInt8] = Array("{}".utf8)
  /// In the order of the file.
  var events: [QueuedEvent] = []
  /// Where damage ends, in the order of the file.
  var damageEnds: [Int] = []
  /// Whether the damage includes the header.
  var isHeaderDamaged = false
  /// Everything before it was read: where the file is complete, its size.
  var end = 0

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - start: events and damage that end at or before it are passed over.
  ///   - isComplete: nobody writes to the file any more, so that a tail without an end is damage.
  ///   - mostEvents: reading stops behind so many events.
  init(_ bytes: [UInt8], from start: Int, isComplete: Bool, mostEvents: Int = .max) {
    var isFirst = true
    var isStopped = false
    end = start
    QueueEntry.read(bytes, from: 0, isComplete: isComplete) { entry, entryEnd in
      defer { isFirst = false }
      switch entry {
      case .header(let range):
        // Only the first is one; a later one is what no writer of ours makes.
        if isFirst { readHeader(bytes[range]) }
      case .event(let range) where entryEnd > start:
        isStopped = events.count >= mostEvents
        guard !isStopped else { return false }
        events.append(QueuedEvent(json: Array(bytes[range]), endOffset: entryEnd))
      case .damaged where entryEnd > start:
        if isFirst { isHeaderDamaged = true }
        damageEnds.append(entryEnd)
      case .event, .damaged, .plain: break
      }
      end = max(end, entryEnd)
      return true
    }
    // A tail that goes on with damage has no end of its own.
    if isComplete, !isStopped { end = max(start, bytes.count) }
  }

  private mutating func readHeader(_ payload: ArraySlice<UInt8>) {
    guard let space = payload.firstIndex(of: 0x20) else { return }
    generation = String(decoding: payload[..<space], as: UTF8.self)
    context = Array(payload[(space + 1)...])
  }
}
