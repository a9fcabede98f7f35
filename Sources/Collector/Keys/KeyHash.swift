import CSodium

/// The SHA-256 of a write key: all that is ever stored of one.
struct KeyHash: Hashable, Sendable {
  /// The hash's bytes, as four words in memory order.
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init() {}

  /// The hash of a key as it was presented, which is not empty.
  init(of key: UnsafeRawBufferPointer) {
    guard let input = key.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    withUnsafeMutableBytes(of: &words) { output in
      guard let output = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      _ = crypto_hash_sha256(output, input, UInt64(key.count))
    }
  }

  /// From its 32 bytes; nil for any other number.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// Its 32 bytes.
  var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  /// Compares in constant time: how long it takes says nothing of where the hashes differ.
  static func == (left: KeyHash, right: KeyHash) -> Bool {
    withUnsafeBytes(of: left.words) { left in
      withUnsafeBytes(of: right.words) { right in
        sodium_memcmp(left.baseAddress, right.baseAddress, 32) == 0
      }
    }
  }

  /// A hash is evenly spread already.
  func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
