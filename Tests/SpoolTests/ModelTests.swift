import Spool
import TestSupport
import Testing

/// Random operations on a spool and on a reference model of what it promised, with crashes and failures in between.
@Suite struct `Against a reference model` {
  @Test(arguments: 0..<24 as Range<UInt64>)
  func `whatever happens, the promises hold`(seed: UInt64) throws {
    var model = Model(seed: seed)
    try model.open()
    for step in 0..<400 {
      try model.step()
      if step % 10 == 0 { try model.check() }
    }
    model.restart(.close)
    try model.open()
    try model.check()
  }
}

/// What the spool promised, and the dice.
private struct Model {
  enum Restart: CaseIterable { case close, kill, losePower }

  let seed: UInt64
  private let fixture: SpoolFixture
  private var generator: SeededGenerator
  private var spool: Spool?

  /// Every position ever given, and the bytes that ended there.
  private var given: [SpoolPosition: [UInt8]] = [:]
  /// Acknowledged, in order.
  private var acknowledged: [SpoolPosition] = []
  /// Appended since the last commit.
  private var group: [SpoolPosition] = []
  /// Of failed groups: not readable while the process lives.
  private var failed: Set<SpoolPosition> = []
  private var loadedThrough = SpoolPosition.start
  /// A power loss may bring deleted segments back; they go again when their room is needed.
  private var usedBytesAtOpen: Int64 = 0
  /// A power loss may keep the end of a write and lose its middle, which looks like damage.
  private var hasLostPower = false

  init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    fixture = SpoolFixture {
      $0.segmentBytes = 1_500
      $0.maximumBytes = 12_000
      $0.keepLoaded = .seconds(50)
    }
  }

  mutating func open() throws {
    let spool = try fixture.open()
    self.spool = spool
    failed = []
    usedBytesAtOpen = spool.statistics.usedBytes
    // Records of an unacknowledged group may have survived; from now on they are there to stay.
    let readable = try spool.records().map(\.end)
    acknowledged = Set(acknowledged).union(readable).sorted()
    spool.markLoaded(through: loadedThrough)
  }

  mutating func restart(_ wish: Restart) {
    // After a failed sync a new process cannot know what of the tail is only in memory: that case has its own test.
    let way = failed.isEmpty ? wish : .losePower
    switch way {
    case .close: spool?.close()
    case .kill: fixture.disk.kill()
    case .losePower:
      fixture.disk.losePower(using: &generator)
      hasLostPower = true
    }
    spool = nil
    group = []
  }

  mutating func step() throws {
    let spool = try #require(self.spool)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<50: try append(to: spool)
    case 50..<75: try commit(spool)
    case 75..<85: load(spool)
    case 85..<90: fixture.advanceClock(seconds: Int64.random(in: 0..<40, using: &generator))
    case 90..<95: try failOnce(spool)
    default:
      restart(Restart.allCases.randomElement(using: &generator) ?? .kill)
      try open()
    }
  }

  private mutating func append(to spool: Spool) throws {
    let bytes = generator.bytes(Int.random(in: 0..<600, using: &generator))
    do {
      let position = try spool.append(bytes)
      try #require(given.updateValue(bytes, forKey: position) == nil, "\(position) given twice, seed \(seed)")
      group.append(position)
    } catch SpoolError.full {
      // Only what is not loaded may fill the spool, and one segment that is not complete.
      let unloaded = acknowledged.filter { $0 > loadedThrough } + group
      let bytes = unloaded.reduce(0) { $0 + 16 + (given[$1]?.count ?? 0) }
      try #require(bytes > 12_000 - 4 * 1_500, "refused at \(bytes) unloaded bytes, seed \(seed)")
    }
  }

  private mutating func commit(_ spool: Spool) throws {
    let end = try spool.commit()
    acknowledged += group
    group = []
    if let last = acknowledged.last { try #require(end >= last, "seed \(seed)") }
  }

  private mutating func load(_ spool: Spool) {
    guard let position = acknowledged.filter({ $0 > loadedThrough }).prefix(20).randomElement(using: &generator) else {
      return
    }
    loadedThrough = position
    spool.markLoaded(through: position)
  }

  /// Lets one commit, or the append before it, fail in one of its calls.
  private mutating func failOnce(_ spool: Spool) throws {
    let call = [SimulatedDisk.Call.write, .synchronizeData].randomElement(using: &generator) ?? .write
    let partly = Int.random(in: 0..<300, using: &generator)
    fixture.disk.setFault { called, _ in
      guard called == call else { return nil }
      return call == .write ? .failAfter(partly, .inputOutput) : .fail(.inputOutput)
    }
    defer { fixture.disk.setFault(nil) }
    do {
      try append(to: spool)
      try commit(spool)
    } catch is SpoolError {
      fixture.disk.setFault(nil)
      // The callers of the group learn of the failure, here or at their commit.
      _ = try? spool.commit()
      // The end of a segment may have made a part of the group durable before.
      acknowledged += group.filter { $0 <= spool.endPosition }
      failed.formUnion(group.filter { $0 > spool.endPosition })
      group = []
    }
  }

  func check() throws {
    let spool = try #require(self.spool)
    let records = try spool.records()
    let positions = records.map(\.end)
    try #require(positions == positions.sorted() && Set(positions).count == positions.count, "seed \(seed)")
    for record in records { try #require(given[record.end] == record.bytes, "seed \(seed)") }
    // The end of a segment makes a part of the group durable.
    let durable = acknowledged + group.filter { $0 <= spool.endPosition }
    let expected = durable.filter { $0 > spool.oldestPosition }
    try #require(positions == expected, "read what is acknowledged and nothing else, seed \(seed)")
    let unloaded = durable.filter { $0 > loadedThrough }
    try #require(Set(unloaded).isSubset(of: positions), "what is not loaded is never deleted, seed \(seed)")
    try #require(failed.isDisjoint(with: positions), "seed \(seed)")
    try #require(fixture.disk.syncsAfterFailure == 0, "seed \(seed)")
    let statistics = spool.statistics
    try #require(statistics.usedBytes <= max(12_000, usedBytesAtOpen), "seed \(seed)")
    try #require(statistics.damagedRecords == 0 || hasLostPower, "seed \(seed)")
    // A spool without segments cannot know that it never had any; nobody asks it then, nothing being loaded.
    let nothingLoaded = loadedThrough == .start
    try #require(spool.relation(of: loadedThrough) == .within || nothingLoaded, "seed \(seed)")
    let bytes = unloaded.reduce(0) { $0 + Int64(16 + (given[$1]?.count ?? 0)) }
    try #require(
      statistics.unloadedBytes == bytes || (hasLostPower && statistics.unloadedBytes > bytes), "seed \(seed)")
  }
}
