internal import CSodium

/// SHA-256 of a file while it is written, by libsodium.
struct FileHash {
  private var state = crypto_hash_sha256_state()

  init() { crypto_hash_sha256_init(&state) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    crypto_hash_sha256_update(&state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
  }

  /// The hash of all bytes so far, as 64 hexadecimal digits.
  var hexadecimal: String {
    var final = state
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256_final(&final, &hash)
    return hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
