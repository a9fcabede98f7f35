import StoryEvents

/// Names a story by its images: `images-` and 32 hexadecimal digits.
///
/// The digits are FNV-1a of 128 bits (offset basis 0x6c62272e07bb014262b821756295c58d, prime 2⁸⁸ + 0x13b) over each URL's
/// UTF-8 bytes with a byte 0x0A behind each URL. It needs no system library, and it never changes: a story keeps its name over all
/// versions. It is no protection against somebody who wants two stories to have one name.
enum ImageHash {
  static func storyID(_ imageURLs: [String]) -> String {
    var high: UInt64 = 0x6c62_272e_07bb_0142
    var low: UInt64 = 0x62b8_2175_6295_c58d
    for url in imageURLs {
      for byte in url.utf8 { multiply(&high, &low, byte) }
      multiply(&high, &low, 0x0A)
    }
    var text = Array("images-".utf8)
    for half in [high, low] {
      for shift in stride(from: 60, through: 0, by: -4) {
        text.append(hexadecimal: UInt8(truncatingIfNeeded: half >> UInt64(shift)) & 0xF)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Takes a byte in, then multiplies by 2⁸⁸ + 0x13b, modulo 2¹²⁸.
  private static func multiply(_ high: inout UInt64, _ low: inout UInt64, _ byte: UInt8) {
    low ^= UInt64(byte)
    let product = low.multipliedFullWidth(by: 0x13b)
    high = high &* 0x13b &+ product.high &+ low << 24
    low = product.low
  }
}
