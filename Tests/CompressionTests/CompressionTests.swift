import Compression
import Testing

/// Bytes that compress somewhat.
private let sample: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

private func packed(_ bytes: [UInt8], _ format: CompressionFormat, level: Int32? = nil) throws -> [UInt8] {
  try bytes.withUnsafeBytes { try compress($0, format, level: level) }
}

/// Unpacks a whole stream from memory of exactly its size.
private func unpack(
  _ stream: [UInt8], _ format: CompressionFormat, limitBytes: Int = 1 << 24
) throws -> [UInt8] {
  var decompressor = try Decompressor(format)
  var body = DecompressedBody(capacity: 0)
  try stream.withUnsafeBytes { try body.decompress($0, with: &decompressor, limitBytes: limitBytes) }
  return Array(body.bytes)
}

@Suite struct `Compressed bodies` {
  @Test(arguments: CompressionFormat.allCases, [0, 1, 1000, 300_000])
  func `come out as they went in`(format: CompressionFormat, length: Int) throws {
    let bytes = Array(sample[..<length])
    #expect(try unpack(packed(bytes, format), format) == bytes)
    #expect(try unpack(packed(bytes, format, level: 1), format) == bytes)
  }

  @Test(arguments: CompressionFormat.allCases)
  func `may be several streams one behind the other`(format: CompressionFormat) throws {
    let stream = try packed([1, 2, 3], format) + packed([], format) + packed(sample, format)
    #expect(try unpack(stream, format) == [1, 2, 3] + sample)
  }

  @Test(arguments: CompressionFormat.allCases)
  func `broken off anywhere are an error`(format: CompressionFormat) throws {
    let stream = try packed(Array(sample[..<500]), format)
    for length in 0..<stream.count {
      #expect(throws: CompressionError.truncated(format)) { try unpack(Array(stream[..<length]), format) }
    }
    // Also in the second stream.
    #expect(throws: CompressionError.truncated(format)) { try unpack(stream + stream.dropLast(), format) }
  }

  @Test(
    arguments: CompressionFormat.allCases, [[0], [7, 7, 7, 7, 7], [0x1F, 0], [0x28, 0xB5, 0x2F, 0]] as [[UInt8]])
  func `followed by something else are an error`(format: CompressionFormat, garbage: [UInt8]) throws {
    let stream = try packed([1, 2, 3], format)
    #expect(throws: CompressionError.self) { try unpack(stream + garbage, format) }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `with a changed byte never come out as something else`(format: CompressionFormat) throws {
    let bytes = Array(sample[..<500])
    let stream = try packed(bytes, format)
    for index in stream.indices {
      for bit in 0..<8 {
        var changed = stream
        changed[index] ^= 1 << UInt8(bit)
        // zstd's frames of `ZSTD_compress` carry no checksum, and gzip's header has bytes that mean nothing.
        let result = try? unpack(changed, format)
        if format == .gzip, let result { #expect(result == bytes) }
      }
    }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `are allowed to be exactly as long as the limit`(format: CompressionFormat) throws {
    let stream = try packed(sample, format)
    #expect(try unpack(stream, format, limitBytes: sample.count) == sample)
    #expect(throws: CompressionError.tooLarge(limitBytes: sample.count - 1)) {
      try unpack(stream, format, limitBytes: sample.count - 1)
    }
  }

  @Test(arguments: CompressionFormat.allCases)
  func `that are bombs cost the limit and no more`(format: CompressionFormat) throws {
    let bomb = try packed([UInt8](repeating: 0, count: 256 << 20), format, level: 1)
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(throws: CompressionError.tooLarge(limitBytes: 1 << 20)) { try unpack(bomb, format, limitBytes: 1 << 20) }
    }
    #expect(time < .seconds(1))
  }

  @Test func `that need a large window are refused`() throws {
    // A frame header that asks for a window of 16 MiB: magic, descriptor, window descriptor (exponent 14, mantissa 0).
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 14 << 3, 0x01, 0x00, 0x00]
    #expect(throws: CompressionError.windowTooLarge(limitBytes: 8 << 20)) { try unpack(frame, .zstd) }
  }

  @Test func `of the other format are damaged`() throws {
    #expect(throws: CompressionError.self) { try unpack(packed(sample, .gzip), .zstd) }
    #expect(throws: CompressionError.self) { try unpack(packed(sample, .zstd), .gzip) }
    #expect(throws: CompressionError.self) { try unpack(Array("{\"type\":\"start\"}".utf8), .gzip) }
  }

  @Test func `use the memory of the one before`() throws {
    var gzip = try Decompressor(.gzip)
    var body = DecompressedBody()
    for length in [10, 300_000, 0, 5000] {
      let bytes = Array(sample[..<length])
      try packed(bytes, .gzip).withUnsafeBytes { try body.decompress($0, with: &gzip, limitBytes: 1 << 20) }
      #expect(Array(body.bytes) == bytes)
    }
    #expect(throws: CompressionError.self) {
      try [UInt8](repeating: 1, count: 9).withUnsafeBytes {
        try body.decompress($0, with: &gzip, limitBytes: 1 << 20)
      }
    }
    try packed([5], .gzip).withUnsafeBytes { try body.decompress($0, with: &gzip, limitBytes: 1 << 20) }
    #expect(Array(body.bytes) == [5])
    body.removeAll(maximumCapacity: 0)
    #expect(body.bytes.count == 0)
  }

  @Test func `are named by Content-Encoding and by their first bytes`() throws {
    #expect(CompressionFormat(contentEncoding: "GZip") == .gzip)
    #expect(CompressionFormat(contentEncoding: "x-gzip") == .gzip)
    #expect(CompressionFormat(contentEncoding: "zstd") == .zstd)
    #expect(CompressionFormat(contentEncoding: "br") == nil)
    for format in CompressionFormat.allCases {
      #expect(try packed([], format).withUnsafeBytes { CompressionFormat(head: $0) } == format)
    }
    #expect([UInt8]("{\"a\"".utf8).withUnsafeBytes { CompressionFormat(head: $0) } == nil)
    #expect([UInt8]([0x1F]).withUnsafeBytes { CompressionFormat(head: $0) } == nil)
  }
}

@Suite struct `Compressed files` {
  /// Reads a stream that comes in pieces of this size.
  private func read(_ stream: [UInt8], _ format: CompressionFormat, pieces: Int, room: Int) throws -> [UInt8] {
    var position = 0
    var reader = try DecompressingReader(format) { buffer in
      let count = min(pieces, stream.count - position, buffer.count)
      buffer.copyBytes(from: stream[position..<(position + count)])
      position += count
      return count
    }
    var result: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = try reader.read(into: buffer)
      if count == 0 { return result }
      result.append(contentsOf: buffer[..<count])
    }
  }

  @Test(arguments: CompressionFormat.allCases, [1, 7, 100_000])
  func `are read in pieces of any size`(format: CompressionFormat, pieces: Int) throws {
    let bytes = Array(sample[..<20_000])
    let stream = try packed(bytes, format) + packed([9, 9], format)
    #expect(try read(stream, format, pieces: pieces, room: 1000) == bytes + [9, 9])
    #expect(throws: CompressionError.truncated(format)) {
      try read(stream.dropLast(), format, pieces: pieces, room: 1000)
    }
    #expect(throws: CompressionError.self) { try read(stream + [1, 2, 3, 4, 5], format, pieces: pieces, room: 1000) }
  }

  @Test func `pass their source's error on`() throws {
    struct Broken: Error {}
    var reader = try DecompressingReader(.gzip) { _ in throw Broken() }
    var failed = false
    var byte: UInt8 = 0
    do { _ = try withUnsafeMutableBytes(of: &byte) { try reader.read(into: $0) } } catch is Broken { failed = true }
    #expect(failed)
  }
}
