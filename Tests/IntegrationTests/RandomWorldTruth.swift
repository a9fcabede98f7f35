import Foundation
import FunnelDocument
import Simulation

/// What a world writes, and what every report of it must show.
struct RandomWorldTruth: Sendable {
  /// The batches, one a line.
  let lines: [[UInt8]]
  /// How many events must be stored.
  let distinctEvents: Int
  /// The groups by story are there also of one story.
  let byStory: FunnelReport
  let byField: FunnelReport
  let byDay: FunnelReport
  let byHour: FunnelReport
  /// Of the other surfaces, where the world has them, by the world's field and by day.
  let surfacesByField: RandomSurfaceTruth
  let surfacesByDay: RandomSurfaceTruth

  /// Counts a world, and makes its batches.
  init(_ world: RandomWorld) throws {
    var lines: [[UInt8]] = []
    let first = try Self.run(world, by: .story) { lines.append($0) }
    self.lines = lines
    distinctEvents = first.distinctEvents
    byStory = first.truth
    let ofField = try Self.run(world, by: world.field)
    byField = ofField.truth
    surfacesByField = RandomSurfaceTruth(ofField, world)
    let ofDay = try Self.run(world, by: .day(world.zone))
    byDay = ofDay.truth
    surfacesByDay = RandomSurfaceTruth(ofDay, world)
    byHour = try Self.run(world, by: .hour(world.zone)).truth
  }

  private static func run(
    _ world: RandomWorld, by grouping: TruthGrouping, take: ([UInt8]) -> Void = { _ in }
  ) throws -> SimulationSummary {
    var configuration = world.configuration
    configuration.truthGrouping = grouping
    let clock = { Int64(Date().timeIntervalSince1970 * 1_000_000) }
    return try Simulator(configuration).run(clock: world.way.isOverHTTP ? clock : nil) { batch in take(batch.bytes) }
  }
}
