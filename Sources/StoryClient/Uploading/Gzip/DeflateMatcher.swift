/// Parts bytes into literals and matches (LZ77): what begins like an earlier place, within 32 KiB, becomes a distance and a length.
///
/// Places are found by a hash of three bytes, newest first. A match is put off by a byte where the next place has a longer one.
struct DeflateMatcher: ~Copyable {
  /// Up to where the input has been parted.
  private(set) var position = 0
  /// The newest place of each hash, counted from 1; 0: none.
  private var newest = [Int32](repeating: 0, count: 1 << DeflateMatcher.hashBits)
  /// The place before, of the same hash, by the place modulo the window.
  private var previous = [Int32](repeating: 0, count: DeflateMatcher.window)

  private static let hashBits = 14
  private static let window = 32 * 1024
  private static let shortest = 3
  private static let longest = 258
  /// How many places are tried; more finds little more.
  private static let mostTries = 64
  /// A match this long is taken without looking at the next place.
  private static let longEnough = 96

  private struct Match {
    var length = 0
    var distance = 0
  }

  /// Parts the input until the block is full or the input ends.
  mutating func fill(_ block: inout DeflateBlock, from input: UnsafeBufferPointer<UInt8>) {
    while position < input.count, !block.isFull {
      let here = longestMatch(in: input)
      guard here.length >= Self.shortest else {
        block.append(literal: input[position])
        remember(in: input)
        position += 1
        continue
      }
      let start = position
      remember(in: input)
      position += 1
      if here.length < Self.longEnough, position < input.count, longestMatch(in: input).length > here.length {
        block.append(literal: input[start])
        continue
      }
      block.append(length: here.length, distance: here.distance)
      while position < start + here.length {
        remember(in: input)
        position += 1
      }
    }
  }

  private func longestMatch(in input: UnsafeBufferPointer<UInt8>) -> Match {
    var best = Match()
    let most = min(Self.longest, input.count - position)
    guard most >= Self.shortest else { return best }
    var place = Int(newest[hash(at: position, in: input)]) - 1
    var tries = Self.mostTries
    while place >= 0, position - place <= Self.window, tries > 0 {
      // Only what is longer than the best counts, and that shows first at its end.
      if input[place + best.length] == input[position + best.length] {
        var length = 0
        while length < most, input[place + length] == input[position + length] { length += 1 }
        if length > best.length {
          best = Match(length: length, distance: position - place)
          if length == most { return best }
        }
      }
      let before = Int(previous[place % Self.window]) - 1
      // An older entry has been written over where it does not lead back.
      guard before < place else { return best }
      place = before
      tries -= 1
    }
    return best
  }

  private mutating func remember(in input: UnsafeBufferPointer<UInt8>) {
    guard input.count - position >= Self.shortest else { return }
    let hash = hash(at: position, in: input)
    previous[position % Self.window] = newest[hash]
    newest[hash] = Int32(truncatingIfNeeded: position + 1)
  }

  private func hash(at place: Int, in input: UnsafeBufferPointer<UInt8>) -> Int {
    let bytes = UInt32(input[place]) | UInt32(input[place + 1]) << 8 | UInt32(input[place + 2]) << 16
    return Int((bytes &* 0x9E37_79B1) >> UInt32(32 - Self.hashBits))
  }
}
