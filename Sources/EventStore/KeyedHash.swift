/// A 64-bit hash that senders cannot aim at: it depends on numbers drawn at random when the program starts.
///
/// Multiply and fold, as in wyhash: the product of two mixed words, its halves combined.
struct KeyedHash {
  private let key0, key1, key2, key3: UInt64

  init(random: inout some RandomNumberGenerator) {
    key0 = random.next() | 1
    key1 = random.next() | 1
    key2 = random.next() | 1
    key3 = random.next() | 1
  }

  /// Of a session.
  @inline(__always)
  func session(_ high: UInt64, _ low: UInt64) -> UInt64 {
    fold(high ^ key0, low ^ key1)
  }

  /// Of an event's key, from its session's hash. Four consecutive numbers of a session stand side by side (the lowest two bits
  /// are the number's own), so that a table finds them in one line of the processor's cache.
  @inline(__always)
  func place(_ session: UInt64, _ seq: Int32, _ appID: Int32) -> UInt64 {
    let number = UInt64(UInt32(bitPattern: seq))
    let hash = fold(session ^ key2, (number >> 2) << 32 | UInt64(UInt32(bitPattern: appID)) ^ key3)
    return hash << 2 | number & 3
  }

  /// Of two numbers.
  @inline(__always)
  func pair(_ first: UInt64, _ second: UInt64) -> UInt64 { fold(first ^ key1, second ^ key2) }

  /// Of an event's content with its texts, nil where it has none, in the order of `EventText`.
  @inline(never)
  func texts(
    _ state: UInt64, _ first: UnsafeRawBufferPointer?, _ second: UnsafeRawBufferPointer?,
    _ third: UnsafeRawBufferPointer?, _ fourth: UnsafeRawBufferPointer?, _ fifth: UnsafeRawBufferPointer?
  ) -> UInt64 {
    if first == nil && second == nil && third == nil && fourth == nil && fifth == nil { return withoutTexts(state) }
    return text(text(text(text(text(state, first), second), third), fourth), fifth)
  }

  /// The same where it has no texts.
  @inline(__always)
  func withoutTexts(_ state: UInt64) -> UInt64 { fold(state ^ key0, key3) }

  private func text(_ state: UInt64, _ bytes: UnsafeRawBufferPointer?) -> UInt64 {
    guard let bytes else { return fold(state ^ key2, key3) }
    return self.bytes(state, bytes)
  }

  /// Of bytes, from any state.
  func bytes(_ state: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = fold(state ^ key0, UInt64(bytes.count) ^ key1)
    var offset = 0
    while bytes.count - offset >= 8 {
      hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), key2)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return fold(hash ^ rest, key3)
  }

  @inline(__always)
  private func fold(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second)
    return product.high ^ product.low
  }
}

/// What a repeat is judged by (contract §3): everything an event says beside its place, whether it comes from a record
/// or from a row.
struct EventContent {
  var type: UInt8
  var atMicroseconds: Int64
  /// −1: none.
  var pageIndex: Int16
  /// −1: none.
  var pageCount: Int16
  /// 255: none.
  var source: UInt8
  /// 255: none.
  var action: UInt8

  /// The hash of all but the texts, to go on from with the five texts in the order of `EventText`.
  @inline(__always)
  func hash(_ hash: KeyedHash) -> UInt64 {
    let small =
      UInt64(type) | UInt64(UInt16(bitPattern: pageIndex)) << 8 | UInt64(UInt16(bitPattern: pageCount)) << 24
      | UInt64(source) << 40 | UInt64(action) << 48
    return hash.pair(UInt64(bitPattern: atMicroseconds), small)
  }
}
