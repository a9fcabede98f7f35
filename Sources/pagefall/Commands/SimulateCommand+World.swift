import Foundation
import Simulation
import StoryPlayback

/// From the options to the world.
extension SimulateCommand {
  static func configuration(_ invocation: Invocation) throws(CommandError) -> WorldConfiguration {
    let ending = try invocation.value(ending, as: "a date or an RFC 3339 time") { InstantText.microseconds($0) }
    var world = WorldConfiguration(
      stories: try stories(invocation), endingMicroseconds: ending ?? invocation.environment.nowMicroseconds())
    if let count = try invocation.value(
      sessions, as: "a number from 1 to 100000000", { ValueParser.integer($0, in: 1...100_000_000) })
    {
      world.sessionCount = count
    }
    if let span = try invocation.value(over, as: "a span such as 7d or 12h", microseconds) {
      world.spanMicroseconds = span
    }
    if let seed = try invocation.value(seed, as: "a whole number", { UInt64($0) }) { world.seed = seed }
    let counts = WorldConfiguration.Batching.packedEventCounts
    if let count = try invocation.value(
      batch, as: "a number from \(counts.lowerBound) to \(counts.upperBound)", { ValueParser.integer($0, in: counts) })
    {
      world.batching = .packed(eventCount: count)
    }
    try setViewers(of: &world, invocation)
    try setDevices(of: &world, invocation)
    world.network = try network(invocation)
    try setSurfaces(of: &world, invocation)
    world.truthGrouping = try truthGrouping(invocation)
    return world
  }

  /// A mix of a hundred kinds has some tens of kilobytes.
  private static let mostViewerMixBytes = 1 << 20

  private static func setViewers(
    of world: inout WorldConfiguration, _ invocation: Invocation
  ) throws(CommandError) {
    world.playerOptions.loopsAfterLastPage = try invocation.flag(looping)
    if let share = try shareValue(fallbacks, invocation) { world.fallbackShare = share }
    if let share = try shareValue(fastTappers, invocation) { world.fastTapperShare = share }
    guard let path = invocation.value(viewerMix) else { return }
    let bytes = try MessageFile.readAll(path, atMost: mostViewerMixBytes)
    do {
      world.viewerMix = try ViewerMix(json: bytes)
    } catch {
      throw .usage("\(path): \(error)")
    }
  }

  private static func setDevices(
    of world: inout WorldConfiguration, _ invocation: Invocation
  ) throws(CommandError) {
    let versions = invocation.list(appVersion)
    if !versions.isEmpty { world.appVersions = versions.map(weighted) }
    let environments = invocation.list(environment).map(weighted)
    if environments.count == 1 {
      world.environment = environments[0].value
    } else {
      world.environments = environments
    }
    for text in invocation.list(property) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .usage("--property is \(quoted(text)); expected NAME=VALUE or NAME=VALUE=WEIGHT, such as plan=pro=3")
      }
      let value = weighted(parts[1])
      if let place = world.properties.firstIndex(where: { $0.name.utf8.elementsEqual(parts[0].utf8) }) {
        world.properties[place].values.append(value)
      } else {
        world.properties.append(PropertyChoice(name: parts[0], values: [value]))
      }
    }
  }

  private static func network(_ invocation: Invocation) throws(CommandError) -> NetworkConditions {
    var network = NetworkConditions()
    if let share = try shareValue(duplicates, invocation) { network.duplicateShare = share }
    if let share = try shareValue(reorder, invocation) { network.reorderShare = share }
    if let share = try shareValue(loss, invocation) { network.lossShare = share }
    if let share = try shareValue(retries, invocation) { network.retryShare = share }
    if let (share, span) = try invocation.value(late, as: shareAndSpanForm, shareAndSpan) {
      network.lateShare = share
      if let span { network.lateSpanMicroseconds = span }
    }
    if let (share, span) = try invocation.value(clockSkew, as: shareAndSpanForm, shareAndSpan) {
      network.wrongClockShare = share
      if let span { network.clockSkewSpanMicroseconds = span }
    }
    return network
  }
}
