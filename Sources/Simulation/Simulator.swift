import FunnelDocument
import StoryEvents

/// Makes a world, sends what its phones send, and says what a report must show.
public struct Simulator: Sendable {
  /// The world.
  public let world: World

  /// A simulator of a world with these settings.
  ///
  /// - Throws: `invalidConfiguration`.
  public init(_ configuration: WorldConfiguration) throws(SimulationError) {
    world = try World(configuration)
  }

  /// Runs the whole world to an output, and returns when everything is written or acknowledged.
  ///
  /// Memory does not grow with the world but for the truth: 8 bytes an impression.
  ///
  /// - Parameter output: where the batches go. To a file and to standard output the same settings give the same bytes.
  /// - Throws: `cannotWrite`, `refused`, `unreachable`, and `invalidConfiguration` for an address that is none.
  public func run(output: SimulationOutput) throws(SimulationError) -> SimulationSummary {
    switch output {
    case .none: return try run { (_: SentBatch) throws(SimulationError) in }
    case .file(let path): return try run(to: FileOutput(path: path))
    case .standardOutput: return try run(to: FileOutput.standardOutput())
    case .http(let configuration):
      let sender = try EventSender(configuration)
      sender.start()
      var summary: SimulationSummary
      do {
        summary = try run(clock: RealClock.microseconds) { batch throws(SimulationError) in try sender.send(batch) }
      } catch {
        sender.abandon()
        throw error
      }
      summary.delivery = try sender.finish()
      return summary
    }
  }

  private func run(to file: consuming FileOutput) throws(SimulationError) -> SimulationSummary {
    var output = file
    let summary = try run { batch throws(SimulationError) in try output.writeLine(batch.bytes) }
    try output.finish()
    return summary
  }

  /// Runs the whole world, a batch at a time. A batch is only good until the closure returns.
  ///
  /// - Parameters:
  ///   - clock: the time of day in microseconds since 1970, where batches are sent when they are made; nil keeps the
  ///     world's own times.
  ///   - take: gets each batch.
  public func run(
    clock: (() -> Int64)? = nil, take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) -> SimulationSummary {
    let configuration = world.configuration
    var batcher = Batcher(configuration: configuration, clock: clock)
    var delivery = Delivery(configuration)
    var sessions = WorldSessions(world)
    while let (session, number) = sessions.next() {
      try delivery.send(session, number: number) { parcel throws(SimulationError) in
        try batcher.add(parcel, take: take)
      }
    }
    try delivery.finish { parcel throws(SimulationError) in try batcher.add(parcel, take: take) }
    try batcher.finish(take: take)
    var summary = batcher.summary
    summary.sessions = configuration.sessionCount
    summary.richMediaSessions = configuration.richMedia?.sessionCount ?? 0
    summary.responses = configuration.responses?.sessionCount ?? 0
    summary.lostEvents = delivery.lostEvents
    let dataThrough = batcher.latestArrival.map(TimestampWriter.text)
    summary.truth = report(batcher.truth, dataThrough: dataThrough)
    summary.richMediaTruth = batcher.richMediaTruth?.report(configuration, dataThrough: dataThrough)
    summary.buttonsTruth = batcher.responseTruth?.report(configuration, dataThrough: dataThrough)
    return summary
  }

  func report(_ truth: TruthCounter, dataThrough: String?) -> FunnelReport {
    let stories = world.configuration.stories
    let onlyStory = stories.count == 1 ? stories[0] : nil
    var total = truth.total()
    if let onlyStory { total.setTitles(of: onlyStory) }
    let groups = truth.groups()?.map { group in
      var group = group
      group.counts.setTitles(of: onlyStory ?? story(of: group.name))
      return group
    }
    return FunnelReport(
      generatedAt: TimestampWriter.text(world.configuration.endingMicroseconds),
      dataThrough: dataThrough,
      scope: FunnelScope(
        apps: [world.configuration.appName], story: onlyStory?.storyID,
        timeZone: world.configuration.truthGrouping?.timeZoneName ?? "UTC"),
      total: total, groups: groups)
  }

  /// The story that a group is of, where groups are by story and the name is of one alone.
  private func story(of name: String) -> SimulatedStory? {
    guard world.configuration.truthGrouping ?? .story == .story else { return nil }
    let stories = world.configuration.stories.filter { ($0.storyID ?? TruthGrouping.noneText) == name }
    return stories.count == 1 ? stories[0] : nil
  }
}

extension FunnelCounts {
  fileprivate mutating func setTitles(of story: SimulatedStory?) {
    guard let story else { return }
    for (index, page) in zip(pages.indices, story.pages) {
      pages[index].title = page.title
      pages[index].link = page.link?.absoluteString
    }
  }
}
