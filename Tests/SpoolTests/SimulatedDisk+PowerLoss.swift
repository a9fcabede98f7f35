import TestSupport

extension SimulatedDisk.Inode {
  /// What a loss of power leaves of a file: any of the sectors that were written and not synced, and any size between.
  mutating func losePower(using chance: inout SeededGenerator) {
    lockedBy = nil
    defer {
      durable = bytes
      lostASync = false
    }
    guard bytes != durable else { return }
    if lostASync {
      bytes = durable
      return
    }
    // Sectors reach the disk in any order, and the size by itself.
    let longest = max(bytes.count, durable.count)
    let written = bytes
    var result = durable
    let size = bytes.count >= durable.count ? durable.count + chance.below(longest - durable.count + 1) : durable.count
    result += [UInt8](repeating: 0, count: max(0, size - result.count))
    for sector in stride(from: 0, to: result.count, by: 512) where chance.bool() {
      for index in sector..<min(sector + 512, result.count) where index < written.count {
        result[index] = written[index]
      }
    }
    bytes = result
  }
}

extension SeededGenerator {
  mutating func bool() -> Bool { next() & 1 == 1 }

  mutating func below(_ limit: Int) -> Int { limit <= 0 ? 0 : Int(next() % UInt64(limit)) }
}
