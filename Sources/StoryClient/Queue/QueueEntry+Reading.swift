import StoryEvents

/// What a part of a session's file turned out to be.
enum ReadEntry: Equatable {
  /// A header: the payload's place in the bytes.
  case header(Range<Int>)
  /// An event: the JSON's place in the bytes.
  case event(Range<Int>)
  /// What a small file says: its place in the bytes.
  case plain(Range<Int>)
  /// Bytes that are no entry.
  case damaged
}

extension QueueEntry {
  /// Takes bytes apart into entries and damage, and gives each with the offset behind it, until the closure says that it is enough.
  ///
  /// A damaged byte costs the entry that it lies in and no other: an entry begins at a mark and ends with the line. What follows
  /// damage without a mark belongs to the same damage. A tail without an end is damage where the file is complete; else it may still
  /// be written, and nothing is said about it.
  ///
  /// - Parameter start: where an entry begins.
  static func read(
    _ bytes: [UInt8], from start: Int, isComplete: Bool, _ take: (ReadEntry, _ end: Int) -> Bool
  ) {
    var place = start
    var isInDamage = false
    while place < bytes.count {
      var next = place
      if bytes[next] == mark { next += 1 }
      while next < bytes.count, bytes[next] != mark, bytes[next] != end { next += 1 }
      if next == bytes.count {
        if isComplete, !(isInDamage && bytes[place] != mark) { _ = take(.damaged, next) }
        return
      }
      let isTerminated = bytes[next] == end
      let behind = isTerminated ? next + 1 : next
      if isTerminated, let entry = entry(bytes, place..<next) {
        isInDamage = false
        if !take(entry, behind) { return }
      } else if !isInDamage || bytes[place] == mark {
        isInDamage = true
        if !take(.damaged, behind) { return }
      }
      place = behind
    }
  }

  /// A small file's bytes.
  static func plainFile(_ payload: String) -> [UInt8] {
    var bytes: [UInt8] = []
    let start = begin(.plain, in: &bytes)
    bytes.append(contentsOf: payload.utf8)
    end(start, in: &bytes)
    return bytes
  }

  /// What a small file says; nil where it is damaged.
  static func plainPayload(_ bytes: [UInt8]) -> String? {
    var payload: String?
    read(bytes, from: 0, isComplete: true) { entry, _ in
      if case .plain(let range) = entry { payload = String(decoding: bytes[range], as: UTF8.self) }
      return false
    }
    return payload
  }

  /// The entry that these bytes are, without the line's end; nil for damage.
  private static func entry(_ bytes: [UInt8], _ range: Range<Int>) -> ReadEntry? {
    guard range.count > headBytes, bytes[range.lowerBound] == mark, bytes[range.lowerBound + 10] == 0x20,
      let kind = Kind(rawValue: bytes[range.lowerBound + 1])
    else { return nil }
    var stated: UInt32 = 0
    for place in (range.lowerBound + 2)..<(range.lowerBound + 10) {
      guard let digit = digit(bytes[place]) else { return nil }
      stated = stated << 4 | UInt32(digit)
    }
    let payload = (range.lowerBound + headBytes)..<range.upperBound
    let sum = bytes.withUnsafeBytes { bytes in
      var sum = CRC32()
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<(range.lowerBound + 2)]))
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[payload]))
      return sum.value
    }
    guard sum == stated else { return nil }
    switch kind {
    case .header: return .header(payload)
    case .event: return .event(payload)
    case .plain: return .plain(payload)
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
