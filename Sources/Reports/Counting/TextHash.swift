import CSodium

/// A text in 16 bytes (BLAKE2b), so that millions of different ones can be told apart in little memory.
///
/// Two texts of the same hash are not to be found: of a billion texts, a pair has one with a chance of 1 in 10²¹.
struct TextHash: Hashable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Of a text's bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    let text = bytes.assumingMemoryBound(to: UInt8.self)
    withUnsafeMutableBytes(of: &self) { hash in
      guard let place = hash.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      // Fails for sizes that it does not know alone, and 16 is its smallest.
      _ = crypto_generichash(place, hash.count, text.baseAddress, UInt64(text.count), nil, 0)
    }
  }

  /// Of a text.
  init(_ text: String) {
    var text = text
    self = text.withUTF8 { TextHash(UnsafeRawBufferPointer($0)) }
  }

  /// Of a number that stands for a text.
  init(number: Int64) {
    low = UInt64(bitPattern: number)
  }

  /// It is spread already.
  func hash(into hasher: inout Hasher) { hasher.combine(low) }

  /// An order that is the same in every run.
  func precedes(_ other: TextHash) -> Bool { (high, low) < (other.high, other.low) }
}
