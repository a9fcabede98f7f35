import Compression

/// A body after decompression, in memory that is reused; counted in the budget before it is there, as long as it is held.
struct PlainBody: ~Copyable {
  private var memory = UnsafeMutableRawPointer.allocate(byteCount: PlainBody.keptBytes, alignment: 16)
  private var capacity = PlainBody.keptBytes
  private var count = 0
  // Made at first use: many senders never compress.
  private var gzip: Decompressor?
  private var zstd: Decompressor?

  /// What is kept from one body to the next, and not counted: one such piece a thread.
  private static let keptBytes = 128 * 1024

  deinit { memory.deallocate() }

  /// The bytes; valid until the next `decompress` or `release`.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  /// What came of decompressing.
  enum Outcome {
    case whole
    case overLimit
    case overBudget
    case broken(message: String)
  }

  /// Replaces the bytes; limits are counted while decompressing, so a bomb costs the limit and no more.
  mutating func decompress(
    _ body: UnsafeRawBufferPointer, _ format: CompressionFormat, limitBytes: Int, budget: ByteBudget
  ) -> Outcome {
    count = 0
    do throws(CompressionError) {
      switch format {
      case .gzip:
        var machine = try Self.machine(gzip.take(), .gzip)
        let outcome = try run(&machine, body, limitBytes, budget)
        gzip = consume machine
        return outcome
      case .zstd:
        var machine = try Self.machine(zstd.take(), .zstd)
        let outcome = try run(&machine, body, limitBytes, budget)
        zstd = consume machine
        return outcome
      }
    } catch {
      switch error {
      case .tooLarge: return .overLimit
      case .outOfMemory: return .overBudget
      case .truncated, .damaged, .trailingGarbage, .windowTooLarge: return .broken(message: error.description)
      }
    }
  }

  private static func machine(
    _ kept: consuming Decompressor?, _ format: CompressionFormat
  ) throws(CompressionError) -> Decompressor {
    if let kept = consume kept { return kept }
    return try Decompressor(format)
  }

  private mutating func run(
    _ machine: inout Decompressor, _ body: UnsafeRawBufferPointer, _ limitBytes: Int, _ budget: ByteBudget
  ) throws(CompressionError) -> Outcome {
    machine.reset()
    var rest = body
    while true {
      // One byte more than allowed shows that it is too long.
      if count == capacity, !grow(limitBytes + 1, budget) { return .overBudget }
      let room = UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
      let step = try machine.step(rest, into: room)
      count += step.produced
      if count > limitBytes { return .overLimit }
      rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
      if step.produced == 0, step.consumed == 0 { break }
    }
    try machine.finish()
    return .whole
  }

  private mutating func grow(_ mostBytes: Int, _ budget: ByteBudget) -> Bool {
    let larger = min(capacity * 2, max(mostBytes, capacity + 1))
    guard budget.reserve(larger - capacity) else { return false }
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = moved
    capacity = larger
    return true
  }

  /// Gives back what is over the kept piece.
  mutating func release(_ budget: ByteBudget) {
    count = 0
    guard capacity > Self.keptBytes else { return }
    memory.deallocate()
    budget.release(capacity - Self.keptBytes)
    memory = .allocate(byteCount: Self.keptBytes, alignment: 16)
    capacity = Self.keptBytes
  }
}
