import FunnelDocument

/// The order of the lines of a `StoriesReport` (`--sort`).
public struct StoriesOrder: Sendable, Equatable {
  /// A column of the report, by its key in JSON.
  public enum Column: String, Sendable, CaseIterable {
    case app, story, presentations, sessions
    case fallbackRate = "fallback_rate"
    case completionRate = "completion_rate"
    case reachedLastRate = "reached_last_rate"
    case tapRate = "tap_rate"
    case pages
    case firstSeen = "first_seen"
    case lastSeen = "last_seen"
    case devices
    case deviceShare = "device_share"
  }

  /// What is looked at first. Equal lines stand by sessions, then by app and story.
  public var column: Column
  /// Whether the order is turned round. It is from the largest and the newest to the smallest and the oldest, names from A.
  public var isReversed: Bool

  /// By sessions, the most first, unless said otherwise.
  public init(_ column: Column = .sessions, isReversed: Bool = false) {
    self.column = column
    self.isReversed = isReversed
  }

  /// Reads the value of `--sort`: a column, with `-` in front the other way round.
  ///
  /// - Throws: `.usage` with the columns that there are.
  public init(argument: String) throws(ReportError) {
    let order: (column: Column, isReversed: Bool) = try LineOrder.read(argument, of: "stories")
    self.init(order.column, isReversed: order.isReversed)
  }

  /// The lines in this order. A rate that is not there stands last, whichever way round.
  func sorted(_ stories: [CountedStory], minimumCount: Int) -> [StoryLine] {
    LineOrder.sorted(
      stories, isReversed: isReversed, name: { name($0.line) }, number: { number($0, minimumCount: minimumCount) },
      precedes: { Self.isBefore($0.line, $1.line) }
    ).map(\.line)
  }

  /// What lines are ordered by where it is a text.
  private func name(_ line: StoryLine) -> String {
    switch column {
    case .app: line.app ?? ""
    case .story: line.story ?? StorySelection.noneText
    case .presentations, .sessions, .fallbackRate, .completionRate, .reachedLastRate, .tapRate, .pages, .firstSeen,
      .lastSeen, .devices, .deviceShare:
      ""
    }
  }

  /// What lines are ordered by where it is a number.
  private func number(_ story: CountedStory, minimumCount: Int) -> Double? {
    let line = story.line
    let rates = FunnelRates(line.counts, minimumCount: minimumCount)
    switch column {
    case .presentations: return Double(line.counts.presentations)
    case .sessions: return Double(line.counts.sessions)
    case .fallbackRate: return rates.fallback.value
    case .completionRate: return rates.completion.value
    case .reachedLastRate: return rates.reachedLast.value
    case .tapRate: return rates.tap.value
    case .pages: return Double(line.pageCount)
    case .firstSeen: return Double(story.firstStart)
    case .lastSeen: return Double(story.lastStart)
    case .devices: return line.devices.map { Double($0.distinct) }
    case .deviceShare:
      let presentations = line.counts.presentations
      return line.devices?.share(ofPresentations: presentations, isHidden: rates.areHidden).value
    case .app, .story: return nil
    }
  }

  private static func isBefore(_ left: StoryLine, _ right: StoryLine) -> Bool {
    if left.counts.sessions != right.counts.sessions { return left.counts.sessions > right.counts.sessions }
    if left.counts.presentations != right.counts.presentations {
      return left.counts.presentations > right.counts.presentations
    }
    let apps = (left.app ?? "", right.app ?? "")
    if !apps.0.isSameBytes(as: apps.1) { return apps.0.precedes(apps.1) }
    return (left.story ?? "").precedes(right.story ?? "")
  }
}

/// A line with what it is ordered by and does not hold: times as they are printed may go back with the clocks.
struct CountedStory {
  let line: StoryLine
  /// The first start, in microseconds since 1970.
  let firstStart: Int64
  /// The last one.
  let lastStart: Int64
}
