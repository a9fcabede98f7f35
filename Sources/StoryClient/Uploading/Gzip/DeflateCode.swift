/// The two codes of a block: of literals and lengths, and of distances.
struct DeflateCode: Sendable {
  let symbols: PrefixCode
  let distances: PrefixCode
  /// The lengths of both codes, with repeats told shortly: symbol, the value of its extra bits.
  private let told: [(symbol: Int, extra: Int)]
  private let tellingCode: PrefixCode
  private let tellingCounts: [Int]
  private let lengthCount: Int
  private let distanceCount: Int
  /// How many lengths of `tellingCode` are told.
  private let tellingCount: Int

  /// The code that needs no header (RFC 1951 §3.2.6).
  static let fixed = DeflateCode(
    symbols: PrefixCode(
      lengths: (0..<288).map { symbol in symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8 }),
    distances: PrefixCode(lengths: [UInt8](repeating: 5, count: 30)))

  /// The order in which the lengths of the code of lengths are told (RFC 1951 §3.2.7).
  private static let tellingOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  /// The extra bits of symbols 16, 17 and 18.
  private static let extraBits = [16: 2, 17: 3, 18: 7]

  /// A code of its own for a block.
  init(_ symbolCounts: [Int], _ distanceCounts: [Int]) {
    // One distance is told even where there is none.
    var distanceCounts = distanceCounts
    if distanceCounts.allSatisfy({ $0 == 0 }) { distanceCounts[0] = 1 }
    self.init(
      symbols: PrefixCode(frequencies: symbolCounts, longest: 15),
      distances: PrefixCode(frequencies: distanceCounts, longest: 15))
  }

  private init(symbols: PrefixCode, distances: PrefixCode) {
    self.symbols = symbols
    self.distances = distances
    lengthCount = max(257, (symbols.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    distanceCount = max(1, (distances.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    told = Self.told(symbols.lengths.prefix(lengthCount) + distances.lengths.prefix(distanceCount))
    var counts = [Int](repeating: 0, count: 19)
    for item in told { counts[item.symbol] += 1 }
    let code = PrefixCode(frequencies: counts, longest: 7)
    tellingCounts = counts
    tellingCode = code
    tellingCount = max(4, (Self.tellingOrder.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
  }

  /// What the header takes, in bits.
  var headerBits: Int {
    let extra = Self.extraBits.reduce(0) { $0 + $1.value * tellingCounts[$1.key] }
    return 14 + tellingCount * 3 + tellingCode.bitCount(tellingCounts) + extra
  }

  /// What a block of these frequencies takes without the header, in bits.
  func bitCount(_ symbolCounts: [Int], _ distanceCounts: [Int]) -> Int {
    symbols.bitCount(symbolCounts) + distances.bitCount(distanceCounts)
      + DeflateAlphabet.lengths.restBits(symbolCounts[257...])
      + DeflateAlphabet.distances.restBits(distanceCounts[...])
  }

  /// Writes the header (RFC 1951 §3.2.7).
  func writeHeader(into writer: inout BitWriter) {
    writer.write(UInt32(lengthCount - 257), bits: 5)
    writer.write(UInt32(distanceCount - 1), bits: 5)
    writer.write(UInt32(tellingCount - 4), bits: 4)
    for symbol in Self.tellingOrder.prefix(tellingCount) {
      writer.write(UInt32(tellingCode.lengths[symbol]), bits: 3)
    }
    for item in told {
      tellingCode.write(item.symbol, into: &writer)
      writer.write(UInt32(item.extra), bits: Self.extraBits[item.symbol] ?? 0)
    }
  }

  /// Lengths with their repeats: 16 repeats the last 3 to 6 times, 17 and 18 stand for 3 to 10 and 11 to 138 zeros.
  private static func told(_ lengths: some Collection<UInt8>) -> [(symbol: Int, extra: Int)] {
    var told: [(symbol: Int, extra: Int)] = []
    var rest = lengths[...]
    while let length = rest.first {
      var run = rest.prefix { $0 == length }.count
      rest = rest.dropFirst(run)
      if length > 0 {
        told.append((Int(length), 0))
        run -= 1
      }
      while run > 0 {
        if length == 0, run >= 11 {
          told.append((18, min(run, 138) - 11))
          run -= min(run, 138)
        } else if length == 0, run >= 3 {
          told.append((17, run - 3))
          run = 0
        } else if length > 0, run >= 3 {
          told.append((16, min(run, 6) - 3))
          run -= min(run, 6)
        } else {
          told.append((Int(length), 0))
          run -= 1
        }
      }
    }
    return told
  }
}

/// How lengths and distances are written: a symbol for a range, and extra bits for the place in it (RFC 1951 §3.2.5).
struct DeflateAlphabet: Sendable {
  private let starts: [Int]
  private let extraBits: [Int]
  /// The symbol of each value, from the first on.
  private let indices: [UInt8]

  static let lengths = DeflateAlphabet(
    first: 3, extraBits: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5], last: 258
  )
  static let distances = DeflateAlphabet(
    first: 1, extraBits: [0, 0, 0, 0] + (1...13).flatMap { [$0, $0] }, last: nil)

  /// - Parameter last: a value with a symbol of its own behind all ranges.
  private init(first: Int, extraBits: [Int], last: Int?) {
    var starts: [Int] = []
    var indices: [UInt8] = []
    var next = first
    for (index, bits) in extraBits.enumerated() {
      starts.append(next)
      next += 1 << bits
      indices += repeatElement(UInt8(index), count: 1 << bits)
    }
    var extraBits = extraBits
    if let last {
      starts.append(last)
      extraBits.append(0)
      indices[last - first] = UInt8(starts.count - 1)
    }
    self.starts = starts
    self.extraBits = extraBits
    self.indices = indices
  }

  /// The symbol of a value, counted from the alphabet's first.
  func index(of value: Int) -> Int { Int(indices[value - starts[0]]) }

  /// Writes a value's place in its range.
  func writeRest(of value: Int, index: Int, into writer: inout BitWriter) {
    writer.write(UInt32(value - starts[index]), bits: extraBits[index])
  }

  /// What the places of symbols of these frequencies take, in bits.
  func restBits(_ counts: ArraySlice<Int>) -> Int {
    zip(counts, extraBits).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
