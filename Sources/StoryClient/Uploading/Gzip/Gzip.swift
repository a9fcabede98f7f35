// gzip (RFC 1952) over deflate (RFC 1951), written for the phone's side: app teams link no system library for it, and what
// runs on a phone is what is tested. (Apple's Foundation could compress too, but only there.)
//
//   Gzip               header, deflate, checksum
//   DeflateMatcher     finds what stood before, within 32 KiB
//   DeflateBlock       writes literals and matches in the shortest of the three forms of a block
//   PrefixCode         Huffman's code with a bound on its lengths
//   BitWriter          bits to bytes
//
// Bodies are some kilobytes to some hundred; beside its output it needs less than half a megabyte, whatever their length.

/// Compresses request bodies.
package enum Gzip {
  /// Compresses bytes into one gzip member: no name and no time in its header, so that the same bytes give the same member.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BitWriter(capacity: bytes.count / 4 + 64)
    // Method 8 is deflate; no flags; no time; no hint; 255: no operating system in particular.
    for byte: UInt8 in [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] { writer.write(UInt32(byte), bits: 8) }
    bytes.withUnsafeBufferPointer { deflate($0, into: &writer) }
    writer.alignToByte()
    let checksum = checksum(bytes)
    writer.write(checksum & 0xFFFF, bits: 16)
    writer.write(checksum >> 16, bits: 16)
    // The length is stated modulo 2³².
    let length = UInt32(truncatingIfNeeded: bytes.count)
    writer.write(length & 0xFFFF, bits: 16)
    writer.write(length >> 16, bits: 16)
    return writer.bytes
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = CRC32()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum.value
  }

  private static func deflate(_ input: UnsafeBufferPointer<UInt8>, into writer: inout BitWriter) {
    var matcher = DeflateMatcher()
    var block = DeflateBlock()
    repeat {
      let start = matcher.position
      matcher.fill(&block, from: input)
      let isLast = matcher.position == input.count
      block.write(input[start..<matcher.position], isLast: isLast, into: &writer)
    } while matcher.position < input.count
  }
}
