import Foundation
import FunnelDocument
import Simulation
import StoryEvents
import StoryPlayback
import Testing

/// Two hundred worlds drawn from a seed: what must hold in all of them.
@Suite struct RandomWorldsTests {
  /// Another seed draws other worlds: `PAGEFALL_WORLDS_SEED=7 swift test`.
  private static let seed = ProcessInfo.processInfo.environment["PAGEFALL_WORLDS_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func `numbers add up in every world, and events say what the truth says`() throws {
    for number in 0..<200 as Range<UInt64> {
      var generator = SplitMix64(seed: Self.seed, stream: number)
      let configuration = try draw(&generator)
      let (lines, summary) = try run(configuration)
      let name: Comment = "world \(number) of seed \(Self.seed)"
      #expect(summary.truth.conservationFaults() == [], name)
      #expect(try recount(lines, stories: configuration.stories) == summary.truth.total.withoutTitles, name)
      if let groups = summary.truth.groups {
        let sum = groups.reduce(FunnelCounts()) { $0 + $1.counts }
        #expect(sum.withoutDwell == summary.truth.total.withoutDwell, name)
      }
      if number.isMultiple(of: 20) {
        #expect(try FunnelReport(text: summary.truth.json.text().utf8) == summary.truth, name)
      }
    }
  }

  private func draw(_ generator: inout SplitMix64) throws -> WorldConfiguration {
    let stories = try (0...generator.index(below: 3)).map { number in
      let durations = (0...generator.index(below: 6)).map { _ in [0.001, 0.2, 1, 5, 30][generator.index(below: 5)] }
      return try story(durations, id: "story-\(number)", weight: generator.unit() + 0.1)
    }
    var configuration = WorldConfiguration(stories: stories, endingMicroseconds: endOfNovember)
    configuration.seed = generator.next()
    configuration.sessionCount = generator.index(below: 30)
    configuration.spanMicroseconds = 1 + Int64(generator.index(below: 500 * 86_400)) * 1_000_000
    configuration.viewerMix = generator.happens(0.5) ? .standard : .fastTappers
    configuration.playerOptions.loopsAfterLastPage = generator.happens(0.3)
    configuration.fallbackShare = generator.unit() * 0.3
    configuration.dismissObservedShare = generator.unit()
    configuration.fastTapperShare = generator.happens(0.3) ? generator.unit() : 0
    configuration.environments = generator.happens(0.3) ? [Weighted("production", weight: 2), Weighted("test")] : []
    configuration.properties =
      generator.happens(0.3) ? [PropertyChoice(name: "plan", values: [Weighted("free"), Weighted("p\"ro")])] : []
    configuration.truthGrouping =
      generator.choose(
        [nil, .story, .context(.appVersion), .context(.environment), .property("plan"), .day(.gmt)].map { Weighted($0) }
      )
      ?? nil
    func share() -> Double { generator.happens(0.3) ? generator.unit() * 0.5 : 0 }
    configuration.network.duplicateShare = share()
    configuration.network.reorderShare = share()
    configuration.network.lossShare = share()
    configuration.network.lateShare = share()
    configuration.network.lateSpanMicroseconds = 1 + Int64(generator.index(below: 500 * 86_400)) * 1_000_000
    configuration.network.wrongClockShare = share()
    configuration.network.retryShare = share()
    if generator.happens(0.5) { configuration.batching = .packed(eventCount: 1 + generator.index(below: 300)) }
    return configuration
  }

  /// Reads the batches back as a collector would, and counts them session by session.
  private func recount(_ lines: [[UInt8]], stories: [SimulatedStory]) throws -> FunnelCounts {
    var sessions: [String: [SimulatedEvent]] = [:]
    var storyOf: [String: String] = [:]
    var isSuspect: [String: Bool] = [:]
    for line in lines {
      let batch = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      let arrival = try microseconds(try #require(batch["received_at"] as? String))
      for json in batch["events"] as? [[String: Any]] ?? [] {
        let id = try #require(json["session_id"] as? String)
        let context = [json["context"], batch["context"]].compactMap { $0 as? [String: Any] }
        sessions[id, default: []].append(try event(from: json))
        storyOf[id] = context.compactMap { $0["story_id"] as? String }.first
        if isSuspect[id] == nil {
          let offset = arrival - (try microseconds(try #require(batch["sent_at"] as? String)))
          let start = try #require(SessionID(id)?.timeMilliseconds) * 1_000 + (abs(offset) > 300_000_000 ? offset : 0)
          isSuspect[id] = start - arrival > 3_600_000_000 || arrival - start > 400 * 86_400_000_000
        }
      }
    }
    var truth = TruthCounter(storyCount: stories.count)
    for (id, events) in sessions {
      let place = try #require(stories.firstIndex { $0.storyID == storyOf[id] })
      truth.count(events, storyIndex: place, hasSuspectClock: isSuspect[id] ?? false)
    }
    return truth.total()
  }
}

extension FunnelCounts {
  fileprivate var withoutTitles: FunnelCounts {
    var counts = self
    for page in counts.pages.indices {
      counts.pages[page].title = nil
      counts.pages[page].link = nil
    }
    return counts
  }

  fileprivate var withoutDwell: FunnelCounts {
    var counts = withoutTitles
    for page in counts.pages.indices { counts.pages[page].dwell = DwellSummary() }
    return counts
  }
}
