import CSodium

/// SHA-256 by libsodium.
enum SHA256 {
  /// The 32 bytes.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    _ = crypto_hash_sha256(&hash, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    return hash
  }
}
