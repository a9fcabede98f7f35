import Foundation
import FunnelDocument
import Simulation
import StoryEvents
import StoryPlayback
import Testing

/// What the knobs do to the events of a world; that the truth follows is `RandomWorldsTests`' matter.
@Suite struct NetworkTests {
  /// Each event of a world as it is delivered: its session, its number, its bytes, and its batch.
  private struct Delivered: Hashable {
    var session: String
    var seq: Int
    var text: String
    var batch: Int
  }

  private func deliver(
    sessions: Int = 400, batching: WorldConfiguration.Batching = .session, _ set: (inout WorldConfiguration) -> Void
  ) throws -> (events: [Delivered], batches: [JSONValue], summary: SimulationSummary) {
    var configuration = try exampleWorld(sessions: sessions)
    configuration.batching = batching
    set(&configuration)
    let (lines, summary) = try run(configuration)
    let batches = try lines.map { try JSONValue(text: $0) }
    let events = try batches.enumerated().flatMap { number, batch in
      try (batch["events"]?.arrayValue ?? []).map { event in
        Delivered(
          session: try #require(event["session_id"]?.stringValue), seq: try #require(event["seq"]?.integerValue),
          text: event.text(layout: .compact), batch: number)
      }
    }
    return (events, batches, summary)
  }

  private func time(_ value: JSONValue?) throws -> Int64 { try microseconds(try #require(value?.stringValue)) }

  /// The time in an event's session id, in microseconds.
  private func startOfID(_ event: JSONValue?) throws -> Int64 {
    let text = try #require(event?["session_id"]?.stringValue)
    return try #require(SessionID(text)?.timeMilliseconds) * 1_000
  }

  /// How many events there are when nothing happens to them.
  private func wholeCount() throws -> Int { try deliver { _ in }.events.count }

  @Test(arguments: [WorldConfiguration.Batching.session, .packed(eventCount: 40)])
  func `a share of the events is delivered twice, byte for byte, in the same batch and in later ones`(
    batching: WorldConfiguration.Batching
  ) throws {
    let (events, _, summary) = try deliver(batching: batching) { $0.network.duplicateShare = 0.2 }
    let byKey = Dictionary(grouping: events) { "\($0.session) \($0.seq)" }
    let repeated = byKey.values.filter { $0.count > 1 }
    #expect(try byKey.count == wholeCount())
    #expect(repeated.allSatisfy { $0.count == 2 && $0[0].text == $0[1].text })
    #expect((0.17...0.23).contains(Double(repeated.count) / Double(byKey.count)))
    #expect(repeated.contains { $0[0].batch == $0[1].batch })
    #expect(repeated.contains { $0[0].batch != $0[1].batch })
    #expect(summary.events == events.count && summary.distinctEvents == byKey.count)
  }

  @Test func `events come out of order, in their batch and across batches, and none is lost`() throws {
    let (events, batches, summary) = try deliver { $0.network.reorderShare = 0.3 }
    #expect(try events.count == wholeCount())
    #expect(summary.distinctEvents == events.count)
    let bySession = Dictionary(grouping: events, by: \.session)
    #expect(bySession.values.contains { Set($0.map(\.batch)).count > 1 && $0.map(\.seq) != $0.map(\.seq).sorted() })
    let inBatch = Dictionary(grouping: events, by: \.batch)
    #expect(inBatch.values.contains { $0.map(\.seq) != $0.map(\.seq).sorted() })
    let arrivals = batches.compactMap { $0["received_at"]?.stringValue }
    #expect(zip(arrivals, arrivals.dropFirst()).filter { $0 > $1 }.count < arrivals.count / 10)
  }

  @Test(arguments: [0.1, 0.5, 1]) func `a share of the events is lost, and the truth knows`(share: Double) throws {
    let whole = try wholeCount()
    let (events, _, summary) = try deliver { $0.network.lossShare = share }
    #expect(summary.lostEvents + events.count == whole)
    #expect(abs(Double(summary.lostEvents) / Double(whole) - share) < 0.05)
    #expect(summary.truth.total.presentations == Set(events.map(\.session)).count)
    guard share < 1 else { return }
    let seqs = Dictionary(grouping: events, by: \.session).mapValues { $0.map(\.seq).sorted() }.values
    #expect(seqs.contains { $0[0] > 0 })
    #expect(seqs.contains { $0 != Array($0[0]...$0[$0.count - 1]) })
    #expect(summary.truth.total.completeness.missingEvents > 0)
    #expect(summary.truth.total.completeness.sessionsWithoutStart > 0)
  }

  @Test func `late batches come later in the file, and by their own times`() throws {
    let (_, batches, summary) = try deliver { $0.network.lateShare = 0.25 }
    #expect(batches.count == 400 && summary.events == summary.distinctEvents)
    let delays = try batches.map { batch in
      let events = try #require(batch["events"]?.arrayValue)
      let last = try microseconds(try #require(events.last?["at"]?.stringValue))
      return try microseconds(try #require(batch["received_at"]?.stringValue)) - last
    }
    let late = delays.filter { $0 > 3_600_000_000 }
    #expect((70...130).contains(late.count))
    #expect(late.contains { $0 > 86_400_000_000 } && late.allSatisfy { $0 < 4 * 86_400_000_000 })
    let arrivals = batches.compactMap { $0["received_at"]?.stringValue }
    #expect(zip(arrivals, arrivals.dropFirst()).filter { $0 > $1 }.count < 10)
  }

  @Test func `a wrong clock moves all that its device says of time, and the truth corrects it`() throws {
    let right = try deliver { _ in }
    let (events, batches, summary) = try deliver { $0.network.wrongClockShare = 0.4 }
    #expect(events.count == right.events.count)
    var errors: Set<Int64> = []
    for (wrong, right) in zip(batches, right.batches) {
      let error = try time(wrong["sent_at"]) - time(right["sent_at"])
      let (event, rightEvent) = (wrong["events"]?.arrayValue?.first, right["events"]?.arrayValue?.first)
      #expect(try time(event?["at"]) - time(rightEvent?["at"]) == error)
      #expect(try startOfID(event) - startOfID(rightEvent) == error)
      #expect(wrong["received_at"] == right["received_at"])
      errors.insert(error)
    }
    #expect(errors.contains { $0 > 86_400_000_000 } && errors.contains { $0 < -86_400_000_000 } && errors.contains(0))
    #expect(errors.allSatisfy { $0 == 0 || abs($0) >= 60_000_000 })
    #expect(summary.truth.total == right.summary.truth.total)
  }

  @Test func `batches of devices whose clocks differ are not mixed`() throws {
    let (_, batches, _) = try deliver(batching: .packed(eventCount: 200)) { $0.network.wrongClockShare = 0.3 }
    for batch in batches {
      let sent = try microseconds(try #require(batch["sent_at"]?.stringValue))
      let last = try microseconds(try #require(batch["events"]?.arrayValue?.last?["at"]?.stringValue))
      #expect((0...120_000_000).contains(sent - last))
    }
  }

  @Test func `after a lost answer the same events come again, stamped anew`() throws {
    let (events, batches, summary) = try deliver { $0.network.retryShare = 0.2 }
    #expect((60...100).contains(summary.repeatedBatches))
    #expect(summary.batches == batches.count && batches.count == 400 + summary.repeatedBatches)
    #expect(try Set(events.map { "\($0.session) \($0.seq)" }).count == wholeCount())
    let repeats = Dictionary(grouping: batches) { $0["events"]?.text(layout: .compact) ?? "" }.values
      .filter { $0.count > 1 }
    #expect(repeats.count == summary.repeatedBatches)
    for same in repeats {
      #expect(same[0]["received_at"] != same[1]["received_at"])
      #expect(same[0]["context"] == same[1]["context"])
    }
  }

  @Test func `one knob changes nothing of what another does`() throws {
    let alone = try deliver { $0.network.lossShare = 0.3 }
    let together = try deliver {
      $0.network.lossShare = 0.3
      $0.network.duplicateShare = 0.3
      $0.network.reorderShare = 0.3
      $0.network.lateShare = 0.3
      $0.network.retryShare = 0.3
    }
    #expect(Set(alone.events.map(\.text)) == Set(together.events.map(\.text)))
    #expect(alone.summary.truth.total == together.summary.truth.total)
    #expect(alone.summary.lostEvents == together.summary.lostEvents)
  }

  @Test func `of more parcels than may be under way the next ones come early, and none is lost`() throws {
    var configuration = try exampleWorld(sessions: 11_000)
    configuration.network.lateShare = 1
    configuration.network.lateSpanMicroseconds = 300 * 86_400_000_000
    var batches = 0
    let summary = try Simulator(configuration).run { _ in batches += 1 }
    #expect(batches == 11_000 && summary.events == summary.distinctEvents)
    #expect(summary.truth.total.presentations == 11_000)
  }

  @Test(
    arguments: [
      ("duplicates", \NetworkConditions.duplicateShare), ("out of order", \.reorderShare), ("lost", \.lossShare),
      ("late", \.lateShare), ("clocks", \.wrongClockShare), ("retries", \.retryShare),
    ] as [(String, WritableKeyPath<NetworkConditions, Double> & Sendable)])
  func `a share beyond 0 and 1 is refused with a sentence`(
    word: String, share: WritableKeyPath<NetworkConditions, Double> & Sendable
  ) throws {
    for value in [-0.1, 1.1, .nan] {
      var configuration = try exampleWorld(sessions: 1)
      configuration.network[keyPath: share] = value
      do {
        _ = try World(configuration)
        Issue.record("was accepted")
      } catch {
        #expect("\(error)".contains(word))
      }
    }
  }
}
