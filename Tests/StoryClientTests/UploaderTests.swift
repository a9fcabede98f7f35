import Foundation
import Testing

@testable import StoryClient

/// An uploader over a queue in memory, whose time and answers the test decides.
private struct Stage {
  let queue = MemoryQueue()
  let time = ManualTime()
  let transport: ScriptedTransport
  let uploader: Uploader

  init(
    collector: String = "https://events.example.com", key: String = "pfw_key",
    _ respond: @escaping @Sendable (_ body: String, _ number: Int) -> UploadOutcome?
  ) throws {
    transport = ScriptedTransport(respond)
    uploader = Uploader(
      queue: queue, collector: try #require(URL(string: collector)), writeKey: key, clock: time, transport: transport,
      timer: time, randomness: FixedRandomness())
  }

  /// Asks and waits for the end of the upload.
  func upload(_ occasion: UploadPlan.Occasion = .request) async -> UploadSummary {
    await withCheckedContinuation { continuation in
      uploader.ask(occasion) { continuation.resume(returning: $0) }
    }
  }

  /// Waits until so many requests were sent.
  func expectRequests(_ count: Int, _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation) async {
    for _ in 0..<400 where transport.sent.count < count { try? await Task.sleep(nanoseconds: 5_000_000) }
    #expect(transport.sent.count == count, comment, sourceLocation: sourceLocation)
  }
}

struct UploaderTests {
  @Test func `a queue is sent oldest first, 50 events a request`() async throws {
    let stage = try Stage { body, _ in .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 30)
    stage.queue.record("b", 90)
    let summary = await stage.upload()
    #expect(stage.transport.sent.map(eventCount) == [50, 50, 20])
    #expect(summary.accepted == 120 && summary.answers == 3 && summary.ending == .queueEmpty)
    #expect(summary.sentBytes == stage.transport.requests.reduce(0) { $0 + $1.body.count })
    #expect(stage.queue.waiting == 0 && !stage.queue.isLeased)
    let first = try #require(stage.transport.sent.first).split(separator: "\n")
    #expect(first.count == 2)
    #expect(
      first[0].hasPrefix(
        #"{"sent_at":"2026-11-30T10:00:05.120000Z","dropped_events_total":0,"context":{"story_id":"a"},"events":[{"name":"a-0"},"#
      ))
  }

  @Test func `the request says what it is and nothing about the phone`() async throws {
    let stage = try Stage(collector: "https://example.com/base/") { body, _ in .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 1)
    _ = await stage.upload()
    let request = try #require(stage.transport.requests.first)
    #expect(request.address.absoluteString == "https://example.com/base/v1/events")
    #expect(
      request.headers == [
        "Authorization": "Bearer pfw_key", "Content-Type": "application/x-ndjson", "Content-Encoding": "gzip",
        "Accept": "application/json", "User-Agent": "pagefall", "Accept-Language": "*",
      ])
  }

  @Test func `nothing is removed before its answer has come, and each attempt is stamped anew`() async throws {
    let stage = try Stage { body, number in number < 2 ? .noAnswer("cut") : .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 3)
    let summary = await stage.upload(.finish)
    #expect(summary.ending == .waiting(seconds: 0.5) && summary.trouble == "cut")
    #expect(stage.queue.waiting == 3 && !stage.queue.isLeased)
    stage.time.pass(seconds: 0.5)
    await stage.expectRequests(2)
    // The answer that was lost is asked for again after twice as long.
    #expect(await stage.upload(.dismiss).ending == .waiting(seconds: 1))
    stage.time.pass(seconds: 1)
    await stage.expectRequests(3)
    #expect(await stage.upload().ending == .queueEmpty)
    #expect(stage.queue.waiting == 0)
    let stamps = stage.transport.sent.map { $0.prefix(43) }
    #expect(Set(stamps).count == 3, "\(stamps)")
  }

  @Test func `a request in a pause of our own is tried at once, one that the collector asked for is kept`() async throws
  {
    let stage = try Stage { body, number in
      switch number {
      case 0: .noAnswer("cut")
      case 1: .answer(.problem(503, retryAfter: "60"))
      default: .answer(.accepted(eventCount(body)))
      }
    }
    stage.queue.record("a", 1)
    #expect(await stage.upload(.start).ending == .waiting(seconds: 0.5))
    #expect(await stage.upload(.manyEvents).ending == .waiting(seconds: 0.5))
    #expect(await stage.upload(.request).ending == .waiting(seconds: 60))
    // It binds other processes, too.
    #expect(stage.queue.isLeased && stage.queue.leaseSeconds.last == 60)
    #expect(await stage.upload(.request).ending == .waiting(seconds: 60))
    #expect(stage.transport.sent.count == 2)
    stage.time.pass(seconds: 60)
    await stage.expectRequests(3)
    #expect(await stage.upload().ending == .queueEmpty)
    #expect(!stage.queue.isLeased)
  }

  @Test func `suspended time counts: what was due meanwhile is sent when asked`() async throws {
    let stage = try Stage { body, number in number == 0 ? .noAnswer("cut") : .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 1)
    _ = await stage.upload(.start)
    stage.time.pass(seconds: 400)
    #expect(await stage.upload(.finish).ending == .queueEmpty)
    #expect(stage.queue.removedCount == 1)
  }

  @Test(arguments: [401, 403, 301, 308]) func `a stop keeps all and sends no more`(_ status: Int) async throws {
    let stage = try Stage { _, _ in .answer(.problem(status)) }
    stage.queue.record("a", 5)
    let stop: UploadStop = status < 400 ? .redirected(status: status) : .keyRefused(status: status)
    #expect(await stage.upload(.start).ending == .stopped(stop))
    for occasion in UploadPlan.Occasion.allCases { #expect(await stage.upload(occasion).ending == .stopped(stop)) }
    #expect(stage.transport.sent.count == 1 && stage.queue.waiting == 5)
    #expect(stage.queue.droppedEventsTotal == 0 && !stage.queue.isLeased)
    // The next start.
    let next = ScriptedTransport { body, _ in .answer(.accepted(eventCount(body))) }
    let uploader = Uploader(
      queue: stage.queue, collector: try #require(URL(string: "https://e.example")), writeKey: "pfw_right",
      clock: stage.time, transport: next, timer: stage.time, randomness: FixedRandomness())
    let summary = await withCheckedContinuation { done in uploader.ask(.start) { done.resume(returning: $0) } }
    #expect(summary.accepted == 5 && stage.queue.waiting == 0)
  }

  @Test func `413 halves until the one that is too large is found, and only that is dropped`() async throws {
    let stage = try Stage { body, _ in
      .answer(body.contains("a-33\"") ? .problem(413) : .accepted(eventCount(body)))
    }
    stage.queue.record("a", 120)
    let summary = await stage.upload()
    #expect(summary.accepted == 119 && summary.dropped == 1 && summary.ending == .queueEmpty)
    #expect(stage.queue.droppedNames == [#"{"name":"a-33"}"#])
    #expect(summary.messages == ["413: an event alone is too large to pass"])
    #expect(stage.transport.sent.count < 20, "\(stage.transport.sent.map(eventCount))")
    // From then on the requests tell it.
    #expect(stage.transport.sent.last?.contains(#""dropped_events_total":1,"#) == true)
  }

  @Test func `after a limit of a proxy's all goes in smaller requests`() async throws {
    let stage = try Stage { body, _ in .answer(eventCount(body) > 20 ? .page(413) : .accepted(eventCount(body))) }
    stage.queue.record("a", 100)
    let summary = await stage.upload()
    #expect(summary.accepted == 100 && summary.dropped == 0)
    #expect(stage.transport.sent.map(eventCount) == [50, 25] + [Int](repeating: 12, count: 8) + [4])
  }

  @Test func `a captive portal costs nothing`() async throws {
    let stage = try Stage { body, number in .answer(number < 30 ? .page(200) : .accepted(eventCount(body))) }
    stage.queue.record("a", 60)
    var summary = await stage.upload()
    for _ in 0..<30 where summary.ending != .queueEmpty {
      #expect(stage.queue.waiting == 60)
      summary = await stage.upload()
    }
    #expect(stage.queue.removedCount == 60 && stage.queue.droppedEventsTotal == 0)
  }

  @Test func `what the collector refuses as wrong is told`() async throws {
    let stage = try Stage { body, _ in .answer(.accepted(eventCount(body) - 30, rejected: 30)) }
    stage.queue.record("a", 50)
    let summary = await stage.upload()
    #expect(summary.accepted == 20 && summary.rejected == 30)
    #expect(summary.messages == [String](repeating: "missing_field: no at", count: UploadSummary.mostMessages))
  }

  @Test func `a drop of the collector's own is counted, and the rest goes on`() async throws {
    let stage = try Stage { body, number in .answer(number == 0 ? .problem(400) : .accepted(eventCount(body))) }
    stage.queue.record("a", 70)
    let summary = await stage.upload()
    #expect(summary.dropped == 50 && summary.accepted == 20 && summary.messages == ["400 a_code: words"])
    #expect(stage.queue.droppedEventsTotal == 50 && stage.queue.waiting == 0)
  }

  @Test(arguments: [400, 413]) func `who refuses everything gets the queue slowly`(_ status: Int) async throws {
    let stage = try Stage { body, number in
      .answer(number < 200 ? .problem(status) : .accepted(eventCount(body)))
    }
    stage.queue.record("a", 2_000)
    var pauses: [Double] = []
    for _ in 0..<9 {
      guard case .waiting(let seconds) = await stage.upload(.start).ending else { break }
      pauses.append(seconds)
      stage.time.pass(seconds: seconds)
    }
    #expect(pauses.prefix(8) == [0.5, 1, 2, 4, 8, 16, 32, 64])
    #expect(stage.queue.droppedEventsTotal <= 10 * (status == 400 ? 50 : 1))
    #expect(stage.queue.waiting + stage.queue.droppedEventsTotal == 2_000)
  }

  @Test func `another process that uploads is let go first`() async throws {
    let stage = try Stage { body, _ in .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 1)
    stage.queue.setLeaseOfOther(true)
    #expect(await stage.upload().ending == .waiting(seconds: 30))
    #expect(stage.transport.sent.isEmpty)
    stage.queue.setLeaseOfOther(false)
    stage.time.pass(seconds: 30)
    await stage.expectRequests(1)
  }

  @Test func `a transport that never comes back is given up`() async throws {
    let stage = try Stage { body, number in number == 0 ? nil : .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 1)
    stage.uploader.ask(.start)
    await stage.expectRequests(1)
    stage.uploader.ask(.finish)
    stage.time.pass(seconds: 45)
    #expect(await stage.upload(.request).ending == .queueEmpty)
    #expect(stage.transport.sent.count == 2)
  }

  @Test func `one upload at a time, however often it is asked for`() async throws {
    let stage = try Stage { body, _ in .answer(.accepted(eventCount(body))) }
    for number in 0..<200 {
      stage.queue.record("s\(number)", 1)
      stage.uploader.ask(.manyEvents)
    }
    #expect(await stage.upload().ending == .queueEmpty)
    #expect(stage.queue.removedCount == 200)
    #expect(stage.transport.sent.reduce(0) { $0 + eventCount($1) } == 200, "none is sent twice")
  }

  @Test func `a body stays small, whatever the events are`() async throws {
    let stage = try Stage { body, _ in .answer(.accepted(eventCount(body))) }
    stage.queue.record("a", 50, eventBytes: 32_000)
    _ = await stage.upload()
    #expect(stage.queue.removedCount == 50)
    #expect(stage.transport.sent.allSatisfy { $0.utf8.count <= UploadBody.mostBytes })
  }

  @Test(arguments: [
    ("ftp://example.com", "k", UploadStop.unusableAddress), ("events.example.com", "k", .unusableAddress),
    ("https:///v1/events", "k", .unusableAddress), ("https://e.example", "", .unusableKey),
    ("https://e.example", "pfw_a\r\nX: y", .unusableKey), ("https://e.example", "pfw_ä", .unusableKey),
  ])
  func `an address or a key that cannot be is told`(_ collector: String, _ key: String, _ stop: UploadStop) async throws
  {
    let stage = try Stage(collector: collector, key: key) { _, _ in nil }
    stage.queue.record("a", 1)
    #expect(await stage.upload().ending == .stopped(stop))
    #expect(stage.queue.waiting == 1 && stage.transport.sent.isEmpty)
  }
}
