/// Bits, the lowest of each byte first (RFC 1951 §3.1.1).
struct BitWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingBits = 0

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends the lowest bits of a value, which has no others; at most 32.
  mutating func write(_ value: UInt32, bits: Int) {
    pending |= UInt64(value) << UInt64(pendingBits)
    pendingBits += bits
    while pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Fills the last byte up with zeros.
  mutating func alignToByte() {
    if pendingBits > 0 { write(0, bits: 8 - pendingBits) }
  }

  /// Appends whole bytes; the last byte must be full.
  mutating func append(_ whole: some Collection<UInt8>) {
    bytes.append(contentsOf: whole)
  }
}
