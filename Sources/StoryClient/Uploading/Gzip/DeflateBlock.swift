/// Literals and matches on their way into one block, which is written in the shortest of deflate's three forms: as it is, in the
/// fixed code, or in a code of its own (RFC 1951 §3.2).
struct DeflateBlock: ~Copyable {
  /// A literal is its byte; a match has its distance in the upper 16 bits and its length in the lower.
  private var items: [UInt32] = []
  private var symbolCounts = [Int](repeating: 0, count: 286)
  private var distanceCounts = [Int](repeating: 0, count: 30)

  private static let mostItems = 16 * 1024
  private static let endOfBlock = 256

  /// Whether it should be written now.
  var isFull: Bool { items.count >= Self.mostItems }

  init() {
    items.reserveCapacity(Self.mostItems)
  }

  /// Appends a byte.
  mutating func append(literal byte: UInt8) {
    items.append(UInt32(byte))
    symbolCounts[Int(byte)] += 1
  }

  /// Appends a match: length 3…258, distance 1…32,768.
  mutating func append(length: Int, distance: Int) {
    items.append(UInt32(distance) << 16 | UInt32(length))
    symbolCounts[257 + DeflateAlphabet.lengths.index(of: length)] += 1
    distanceCounts[DeflateAlphabet.distances.index(of: distance)] += 1
  }

  /// Writes the block and empties it.
  ///
  /// - Parameter raw: the bytes that it stands for.
  mutating func write(_ raw: Slice<UnsafeBufferPointer<UInt8>>, isLast: Bool, into writer: inout BitWriter) {
    symbolCounts[Self.endOfBlock] += 1
    let own = DeflateCode(symbolCounts, distanceCounts)
    let ownBits = own.headerBits + own.bitCount(symbolCounts, distanceCounts)
    let fixedBits = DeflateCode.fixed.bitCount(symbolCounts, distanceCounts)
    let rawPieces = max(1, (raw.count + 65_534) / 65_535)
    if rawPieces * 5 * 8 + raw.count * 8 <= min(ownBits, fixedBits) {
      writeRaw(raw, isLast: isLast, into: &writer)
    } else if fixedBits <= ownBits {
      writer.write(isLast ? 1 : 0, bits: 1)
      writer.write(1, bits: 2)
      writeItems(in: DeflateCode.fixed, into: &writer)
    } else {
      writer.write(isLast ? 1 : 0, bits: 1)
      writer.write(2, bits: 2)
      own.writeHeader(into: &writer)
      writeItems(in: own, into: &writer)
    }
    items.removeAll(keepingCapacity: true)
    for symbol in symbolCounts.indices { symbolCounts[symbol] = 0 }
    for symbol in distanceCounts.indices { distanceCounts[symbol] = 0 }
  }

  private func writeItems(in code: DeflateCode, into writer: inout BitWriter) {
    for item in items {
      guard item > 0xFFFF else {
        code.symbols.write(Int(item), into: &writer)
        continue
      }
      let (length, distance) = (Int(item & 0xFFFF), Int(item >> 16))
      let lengthIndex = DeflateAlphabet.lengths.index(of: length)
      code.symbols.write(257 + lengthIndex, into: &writer)
      DeflateAlphabet.lengths.writeRest(of: length, index: lengthIndex, into: &writer)
      let distanceIndex = DeflateAlphabet.distances.index(of: distance)
      code.distances.write(distanceIndex, into: &writer)
      DeflateAlphabet.distances.writeRest(of: distance, index: distanceIndex, into: &writer)
    }
    code.symbols.write(Self.endOfBlock, into: &writer)
  }

  /// Bytes as they are, in pieces of at most 65,535.
  private func writeRaw(_ raw: Slice<UnsafeBufferPointer<UInt8>>, isLast: Bool, into writer: inout BitWriter) {
    var rest = raw
    repeat {
      let piece = rest.prefix(65_535)
      rest = rest.dropFirst(piece.count)
      writer.write(isLast && rest.isEmpty ? 1 : 0, bits: 3)
      writer.alignToByte()
      writer.write(UInt32(piece.count), bits: 16)
      writer.write(~UInt32(piece.count) & 0xFFFF, bits: 16)
      writer.append(piece)
    } while !rest.isEmpty
  }
}

extension PrefixCode {
  /// Writes one symbol.
  func write(_ symbol: Int, into writer: inout BitWriter) {
    writer.write(UInt32(codes[symbol]), bits: Int(lengths[symbol]))
  }
}
