import Foundation
import Synchronization
import TestSupport
import Testing

/// Two hundred small worlds in which everything happens that a network and its devices do, each an app of one database:
/// what a simulation says of itself is what every report shows, by whatever way the events came.
@Suite struct RandomWorldTests {
  private static let worldCount = 200
  /// As many as keep the machine busy without taking it from the other tests.
  private static let threadCount = 3

  /// `PAGEFALL_WORLD=17` with the seed that a failing run prints runs that world alone.
  private static let numbers: [Int] =
    ProcessInfo.processInfo.environment["PAGEFALL_WORLD"].flatMap { Int($0) }.map { [$0] } ?? Array(0..<worldCount)

  @Test func `reports of two hundred random worlds show the truth, number by number`() throws {
    print("\(Self.numbers.count) random worlds of PAGEFALL_WORLDS_SEED=\(SeededGenerator.worldsSeed)")
    let worlds = try Self.numbers.map { try RandomWorld(number: $0) }
    let stage = try RandomWorldStage(worlds: worlds)
    let loader = stage.loader
    let truths = try Self.spread(worlds.indices) { place in
      let truth = try RandomWorldTruth(worlds[place])
      try loader.load(worlds[place], truth)
      return truth
    }
    try stage.settle(distinctEvents: truths.reduce(0) { $0 + $1.distinctEvents })
    let connectionString = stage.database.connectionString
    let faults = try Self.spread(worlds.indices) { place in
      var check = try RandomWorldCheck(connectionString)
      return try check.faults(worlds[place], truths[place])
    }
    for (world, faults) in zip(worlds, faults) {
      let first = faults.prefix(3).map { String($0.prefix(300)) }
      #expect(first.isEmpty, "\(world.name): \(faults.count) faults")
    }
  }

  /// Does a thing for each place, on a few threads.
  private static func spread<Value: Sendable>(
    _ places: Range<Int>, _ work: @escaping @Sendable (Int) throws -> Value
  ) throws -> [Value] {
    let next = Next()
    let parts = try inParallel(threadCount) { _ in
      var results: [(place: Int, value: Value)] = []
      while let place = next.take(below: places.upperBound) { results.append((place, try work(place))) }
      return results
    }
    return parts.joined().sorted { $0.place < $1.place }.map(\.value)
  }

  /// The next place that nobody has taken.
  private final class Next: Sendable {
    private let place = Atomic<Int>(0)

    func take(below bound: Int) -> Int? {
      let taken = place.wrappingAdd(1, ordering: .relaxed).oldValue
      return taken < bound ? taken : nil
    }
  }
}
