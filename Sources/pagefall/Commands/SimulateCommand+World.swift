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

  private static func truthGrouping(_ invocation: Invocation) throws(CommandError) -> TruthGrouping? {
    if invocation.value(truthBy) != nil, invocation.value(truth) == nil {
      throw .usage("--truth-by says how the funnel of --truth is grouped; give both")
    }
    let zone = try invocation.timeZone().timeZone
    return try invocation.value(truthBy, as: "one of \(TruthGrouping.names.joined(separator: ", "))") {
      TruthGrouping(argument: $0, timeZone: zone)
    }
  }

  // MARK: Values

  private static func shareValue(_ option: Option, _ invocation: Invocation) throws(CommandError) -> Double? {
    try invocation.value(option, as: "a share from 0 to 1", share)
  }

  private static let shareAndSpanForm = "a share from 0 to 1, or a share and a span such as 0.1:2d"

  private static func share(_ text: String) -> Double? {
    guard let share = Double(text), (0...1).contains(share) else { return nil }
    return share
  }

  private static func shareAndSpan(_ text: String) -> (Double, Int64?)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let share = share(parts[0]) else { return nil }
    guard parts.count == 2 else { return (share, nil) }
    return microseconds(parts[1]).map { (share, $0) }
  }

  private static func microseconds(_ text: String) -> Int64? {
    guard let span = ValueParser.duration(text)?.components else { return nil }
    let (product, overflows) = span.seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflows ? nil : product + span.attoseconds / 1_000_000_000_000
  }

  /// `VALUE` or `VALUE=WEIGHT`; what stands behind the last `=` and is no weight belongs to the value.
  private static func weighted(_ text: String) -> Weighted<String> {
    guard let sign = text.lastIndex(of: "="), let weight = weight(String(text[text.index(after: sign)...])) else {
      return Weighted(text)
    }
    return Weighted(String(text[..<sign]), weight: weight)
  }

  private static func weight(_ text: String) -> Double? {
    guard let weight = Double(text), (0...1_000_000).contains(weight) else { return nil }
    return weight
  }

  // MARK: Stories

  private static func stories(_ invocation: Invocation) throws(CommandError) -> [SimulatedStory] {
    let paths = invocation.list(message)
    let count = max(1, paths.count)
    let identifiers = invocation.list(story)
    if identifiers.count > 1 { try requireOneEach(identifiers.count, story, count) }
    let weights = invocation.list(weight)
    if !weights.isEmpty { try requireOneEach(weights.count, weight, count) }
    var stories: [SimulatedStory] = []
    for place in 0..<count {
      let (bytes, name) =
        paths.isEmpty ? (exampleMessage(), "seed-message.json") : try readMessage(paths[place])
      let identifier = identifiers.count > 1 ? identifiers[place] : identifiers.first
      do {
        stories.append(try SimulatedStory(message: bytes, fileName: name, storyID: identifier))
      } catch {
        throw commandError(error)
      }
      guard !weights.isEmpty else { continue }
      guard let weight = weight(weights[place]) else {
        throw .usage("--weight is \(quoted(weights[place])); expected a number from 0 to 1000000")
      }
      stories[place].weight = weight
    }
    return stories
  }

  private static func requireOneEach(_ given: Int, _ option: Option, _ messages: Int) throws(CommandError) {
    guard given != messages else { return }
    let times = "\(given) \(given == 1 ? "time" : "times") for \(messages) \(messages == 1 ? "message" : "messages")"
    throw .usage("--\(option.name) is given \(times); give it once for each, in order")
  }

  private static func readMessage(_ path: String) throws(CommandError) -> (bytes: [UInt8], name: String) {
    (try MessageFile.readAll(path), (path as NSString).lastPathComponent)
  }
}
