/// A code in which frequent symbols are short (Huffman), with a bound on the lengths (RFC 1951 §3.2.2).
struct PrefixCode: Sendable, Equatable {
  /// The bits of each symbol's code; 0: the symbol does not occur.
  let lengths: [UInt8]
  /// Each symbol's code, its first bit lowest, as the stream wants it.
  let codes: [UInt16]

  /// The code of these lengths, which must be those of a prefix code.
  init(lengths: [UInt8]) {
    self.lengths = lengths
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 16)
    for bits in 1..<16 { next[bits] = (next[bits - 1] + counts[bits - 1]) << 1 }
    codes = lengths.map { length in
      guard length > 0 else { return 0 }
      let code = next[Int(length)]
      next[Int(length)] += 1
      return Self.reversed(UInt16(truncatingIfNeeded: code), bits: Int(length))
    }
  }

  /// The shortest code for these frequencies, or nearly: where it would have longer symbols than allowed, the frequencies are
  /// flattened until it has not.
  ///
  /// - Parameter longest: at most 15 bits, and enough for all symbols.
  init(frequencies: [Int], longest: Int) {
    var frequencies = frequencies
    var lengths = Self.lengths(frequencies)
    while let most = lengths.max(), Int(most) > longest {
      for symbol in frequencies.indices where frequencies[symbol] > 0 {
        frequencies[symbol] = frequencies[symbol] / 2 + 1
      }
      lengths = Self.lengths(frequencies)
    }
    self.init(lengths: lengths)
  }

  /// What symbols of these frequencies take in this code, in bits.
  func bitCount(_ frequencies: [Int]) -> Int {
    zip(frequencies, lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
  }

  /// The lengths of Huffman's code: the two rarest become one, again and again. Those still single are sorted, and those
  /// that became one come in sorted order by themselves: so the rarest is at the head of one of the two.
  private static func lengths(_ frequencies: [Int]) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    let symbols = frequencies.indices.filter { frequencies[$0] > 0 }.sorted {
      (frequencies[$0], $0) < (frequencies[$1], $1)
    }
    // A code of one symbol still has a bit (RFC 1951 §3.2.7).
    guard symbols.count > 1 else {
      for symbol in symbols { lengths[symbol] = 1 }
      return lengths
    }
    var weights = symbols.map { frequencies[$0] }
    var parents = [Int](repeating: 0, count: symbols.count * 2 - 1)
    var (nextSingle, nextJoined) = (0, symbols.count)
    func takeRarest() -> Int {
      if nextSingle < symbols.count, nextJoined == weights.count || weights[nextSingle] <= weights[nextJoined] {
        nextSingle += 1
        return nextSingle - 1
      }
      nextJoined += 1
      return nextJoined - 1
    }
    for node in symbols.count..<parents.count {
      let (first, second) = (takeRarest(), takeRarest())
      weights.append(weights[first] + weights[second])
      parents[first] = node
      parents[second] = node
    }
    var depths = [Int](repeating: 0, count: parents.count)
    for node in (0..<(parents.count - 1)).reversed() { depths[node] = depths[parents[node]] + 1 }
    for (node, symbol) in symbols.enumerated() { lengths[symbol] = UInt8(min(depths[node], 255)) }
    return lengths
  }

  private static func reversed(_ code: UInt16, bits: Int) -> UInt16 {
    (0..<bits).reduce(0) { $0 | (code >> UInt16($1) & 1) << UInt16(bits - 1 - $1) }
  }
}
