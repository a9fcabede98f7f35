import Compression
import Foundation
import TestSupport
import Testing

@testable import StoryClient

struct UploadGzipTests {
  @Test(arguments: [
    [], [0], Array("a".utf8), Array("aaa".utf8), Array("abcabcabcabcabc".utf8), [UInt8](repeating: 7, count: 3),
    [UInt8](repeating: 7, count: 258), [UInt8](repeating: 7, count: 259), [UInt8](repeating: 0, count: 1_000_000),
    Array(0...255), (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) },
  ])
  func `zlib reads back what was compressed`(_ bytes: [UInt8]) throws {
    #expect(try gunzip(Gzip.compress(bytes)) == bytes)
  }

  @Test func `random bytes of every kind come back`() throws {
    var random = SeededGenerator(seed: SeededGenerator.worldsSeed)
    for round in 0..<400 {
      let bytes = Self.draw(&random)
      let packed = Gzip.compress(bytes)
      let comesBack = try gunzip(packed) == bytes
      #expect(comesBack, "round \(round) of seed \(SeededGenerator.worldsSeed), \(bytes.count) bytes")
      // Stored as it is at the worst: five bytes for each block, 18 around all.
      #expect(packed.count <= bytes.count + 18 + 5 * (1 + bytes.count / 16_384) + 8)
      if !comesBack { break }
    }
  }

  /// Few symbols or all; repeats near and far, also beyond the window.
  private static func draw(_ random: inout SeededGenerator) -> [UInt8] {
    let length = Int.random(in: 0...(Bool.random(using: &random) ? 300 : 40_000), using: &random)
    let symbols = [1, 2, 3, 20, 256].randomElement(using: &random) ?? 2
    var bytes: [UInt8] = []
    while bytes.count < length {
      if bytes.count > 4, Int.random(in: 0..<3, using: &random) > 0 {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        bytes += bytes[start..<min(bytes.count, start + Int.random(in: 1...400, using: &random))]
      } else {
        let count = Int.random(in: 1...60, using: &random)
        for _ in 0..<count { bytes.append(UInt8.random(in: 0...UInt8(symbols - 1), using: &random)) }
      }
    }
    return bytes
  }

  @Test func `a very uneven distribution stays within the lengths that deflate allows`() throws {
    // Fibonacci frequencies give the deepest of Huffman's trees: without a bound, 24 bits here.
    var frequencies = [1, 1]
    while frequencies.count < 25 {
      frequencies.append(frequencies[frequencies.count - 1] + frequencies[frequencies.count - 2])
    }
    for longest in [7, 15] {
      let code = PrefixCode(frequencies: frequencies, longest: longest)
      #expect(code.lengths.allSatisfy { $0 > 0 && $0 <= UInt8(longest) })
      let kraft = code.lengths.reduce(0.0) { $0 + pow(2, -Double($1)) }
      #expect(kraft == 1)
    }
  }

  @Test func `the header tells neither name nor time`() {
    #expect(Array(Gzip.compress(Array("text".utf8)).prefix(10)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    #expect(Gzip.compress(Array("text".utf8)) == Gzip.compress(Array("text".utf8)))
  }

  // The figures of docs/phone-upload.md.
  @Test(arguments: [(1, 562, 385), (6, 1_975, 633), (50, 16_687, 1_201)])
  func `a typical body gets as small as by zlib`(_ count: Int, _ plain: Int, _ packed: Int) throws {
    let body = TypicalBody.bytes(events: count)
    let ours = Gzip.compress(body)
    let zlib = try body.withUnsafeBytes { try compress($0, .gzip) }
    #expect(try gunzip(ours) == body)
    #expect(body.count == plain && ours.count == packed)
    #expect(ours.count <= zlib.count)
  }
}

/// What a phone sends: sessions of six events with page details and the context of a device.
enum TypicalBody {
  static func bytes(events count: Int) -> [UInt8] {
    var body = UploadBody()
    return body.bytes(of: batch(events: count), sentAtMicroseconds: 1_796_032_805_120_000, droppedEventsTotal: 0)
  }

  static func batch(events count: Int) -> QueuedBatch {
    var parts: [QueuedPart] = []
    var random = SeededGenerator(seed: 5)
    var rest = count
    while rest > 0 {
      let id = "01a226bf-4900-7cc1-9d2e-" + String(random.next() >> 16, radix: 16).suffix(12)
      let context = """
        {"story_id":"spring-sale","message_hash":"9A3F","campaign_id":"123456789","device_id":"3f1c9a52-7b7e-4f0e-9f0a-6d2f1c0b7a11",\
        "app_version":"4.2.0","os_version":"iOS 18.5","device_model":"iPhone17,1","locale":"de_DE","environment":"production",\
        "properties":{"story_id_source":"payload","crossfades":true,"haptics":true,"pause_on_long_press":true}}
        """
      let events = (0..<min(rest, 6)).map { seq in
        let at = "2026-11-29T10:00:\(10 + seq * 5).\(random.next() % 900_000 + 100_000)Z"
        let head = #""session_id":"\#(id)","seq":\#(seq),"at":"\#(at)""#
        let text =
          switch seq {
          case 0: #"{"type":"start",\#(head),"page_count":4}"#
          case 5: #"{"type":"finish",\#(head)}"#
          default:
            #"{"type":"page_shown",\#(head),"page_index":\#(seq - 1),"page":{"image_url":"https://cdn.example.com/s/\#(seq).jpg","title":"Offer \#(seq) of the week","subtitle":"Only until Sunday","link":"app://offers/\#(seq)","button_title":"Show","duration":5,"payload_index":\#(seq - 1)}}"#
          }
        return QueuedEvent(json: Array(text.utf8), endOffset: seq + 1)
      }
      parts.append(QueuedPart(file: id, context: Array(context.utf8), events: events))
      rest -= events.count
    }
    return QueuedBatch(parts: parts)
  }
}
