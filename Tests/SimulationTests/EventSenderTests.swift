import Foundation
import Simulation
import StoryPlayback
import Testing

@Suite struct EventSenderTests {
  private func send(
    _ configuration: WorldConfiguration, to collector: StubCollector, connections: Int = 4, patience: Double = 10,
    rate: Double? = nil
  ) throws -> SimulationSummary {
    defer { collector.stop() }
    var sender = SenderConfiguration(baseURL: collector.address, key: "pfw_test")
    sender.connectionCount = connections
    sender.patienceSeconds = patience
    sender.eventsPerSecond = rate
    return try Simulator(configuration).run(output: .http(sender))
  }

  @Test func `every batch arrives once, with the key, and is counted`() throws {
    let collector = try StubCollector { request, _ in accepted(request) }
    let configuration = try exampleWorld(sessions: 60)
    let summary = try send(configuration, to: collector)
    #expect(summary.delivery?.accepted == summary.events)
    #expect(summary.delivery?.requests == 60)
    #expect(summary.delivery?.retries == 0 && summary.delivery?.rejected == 0)
    #expect(collector.received.map(\.eventCount).reduce(0, +) == summary.events)
    let heads = collector.received.map(\.head)
    #expect(heads.allSatisfy { $0.hasPrefix("POST /v1/events HTTP/1.1\r\n") })
    #expect(heads.allSatisfy { $0.contains("\r\nAuthorization: Bearer pfw_test\r\n") })
    #expect(heads.allSatisfy { $0.contains("\r\nContent-Type: application/json\r\n") })
  }

  @Test func `sent_at is the real time, while the events keep theirs`() throws {
    let collector = try StubCollector { request, _ in accepted(request) }
    let before = Int64(Date().timeIntervalSince1970 * 1_000_000) - 1_000_000
    let summary = try send(exampleWorld(sessions: 3), to: collector)
    for request in collector.received {
      let sentAt = try microseconds(try #require(request.batch["sent_at"] as? String))
      #expect((before...before + 60_000_000).contains(sentAt))
      let events = try #require(request.batch["events"] as? [[String: Any]])
      #expect(try events.map(event(from:)).allSatisfy { $0.atMicroseconds < endOfNovember + 3_600_000_000 })
    }
    #expect(summary.truth.dataThrough != nil)
  }

  @Test(arguments: ["408 Request Timeout", "429 Too Many Requests", "503 Service Unavailable", "500 Oops"])
  func `what asks for later is tried again`(status: String) throws {
    let collector = try StubCollector { request, number in
      number < 3 ? answer(status, headers: "Retry-After: 0\r\n") : accepted(request)
    }
    let summary = try send(exampleWorld(sessions: 2), to: collector, connections: 1)
    #expect(summary.delivery?.retries == 3)
    #expect(summary.delivery?.accepted == summary.events)
  }

  @Test func `Retry-After is waited for`() throws {
    let collector = try StubCollector { request, number in
      number == 0 ? answer("503 Service Unavailable", headers: "Retry-After: 1\r\n") : accepted(request)
    }
    let summary = try send(exampleWorld(sessions: 1), to: collector, connections: 1)
    #expect(try #require(summary.delivery).seconds >= 1)
  }

  @Test func `a connection closed without an answer is opened again`() throws {
    let collector = try StubCollector { request, number in number % 3 == 0 ? nil : accepted(request) }
    let summary = try send(exampleWorld(sessions: 10), to: collector, connections: 2)
    #expect(summary.delivery?.accepted == summary.events)
    #expect(try #require(summary.delivery).retries >= 4)
  }

  @Test func `an answer that closes the connection, and one in chunks, are understood`() throws {
    let collector = try StubCollector { request, number in
      let body = #"{"accepted":\#(request.eventCount),"rejected":0}"#
      if number % 2 == 0 { return answer("202 Accepted", body, headers: "Connection: close\r\n") }
      return "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5\r\n\(body.prefix(5))\r\n\(String(body.utf8.count - 5, radix: 16));x=y\r\n\(body.dropFirst(5))\r\n0\r\nA: b\r\n\r\n"
    }
    let summary = try send(exampleWorld(sessions: 12), to: collector, connections: 1)
    #expect(summary.delivery?.accepted == summary.events)
  }

  @Test func `rejected events are counted, and the first are told`() throws {
    let body = #"{"accepted":0,"rejected":4,"errors":[{"index":0,"code":"invalid_seq","message":"no"}]}"#
    let collector = try StubCollector { _, _ in answer("422 Unprocessable Content", body) }
    let summary = try send(exampleWorld(sessions: 9), to: collector)
    #expect(summary.delivery?.rejected == 36)
    #expect(summary.delivery?.firstErrors == Array(repeating: "invalid_seq: no", count: 5))
  }

  @Test func `a batch that is too large is halved until it fits, and a single event is dropped`() throws {
    let collector = try StubCollector { request, _ in
      request.eventCount > 3 || request.body.range(of: Data("\"finish\"".utf8)) != nil
        ? answer("413 Content Too Large") : accepted(request)
    }
    var configuration = try exampleWorld(sessions: 40)
    configuration.batching = .packed(eventCount: 50)
    let summary = try send(configuration, to: collector)
    let delivery = try #require(summary.delivery)
    #expect(delivery.accepted + delivery.dropped == summary.events)
    #expect(delivery.dropped > 10)
    let taken = collector.received.filter { $0.eventCount <= 3 && $0.eventCount > 0 }
    #expect(taken.allSatisfy { $0.batch["context"] != nil && $0.batch["sent_at"] != nil })
  }

  @Test(arguments: [
    ("401 Unauthorized", "give a write key"), ("403 Forbidden", "right to ingest"), ("404 Not Found", "without a path"),
    ("400 Bad Request", "400 Bad Request"), ("415 Unsupported Media Type", "415"),
    ("301 Moved Permanently", "points to"),
  ]) func `what trying again does not help stops with a message, and without the key`(
    status: String, words: String
  ) throws {
    let collector = try StubCollector { _, _ in answer(status) }
    do {
      _ = try send(exampleWorld(sessions: 500), to: collector)
      Issue.record("went on")
    } catch SimulationError.refused(let text) {
      #expect(text.contains(words) && !text.contains("pfw_test") && !text.contains("\n"))
    }
    #expect(collector.received.count < 50)
  }

  @Test func `patience has an end, where nobody listens and where nobody takes`() throws {
    let gone = try StubCollector { _, _ in nil }
    gone.stop()
    #expect(throws: SimulationError.self) { try send(exampleWorld(sessions: 2), to: gone, patience: 0.2) }
    let full = try StubCollector { _, _ in answer("503 Service Unavailable") }
    do {
      _ = try send(exampleWorld(sessions: 2), to: full, patience: 0.2)
      Issue.record("went on")
    } catch SimulationError.unreachable(let text) {
      #expect(text.contains("503 Service Unavailable"))
    }
  }

  @Test func `what is not HTTP is an answer that does not count`() throws {
    let collector = try StubCollector { request, number in number == 0 ? "SSH-2.0\r\n\r\n" : accepted(request) }
    let summary = try send(exampleWorld(sessions: 1), to: collector, connections: 1)
    #expect(summary.delivery?.retries == 1)
  }

  @Test func `a rate is kept`() throws {
    let collector = try StubCollector { request, _ in accepted(request) }
    var configuration = try exampleWorld(sessions: 20)
    configuration.batching = .packed(eventCount: 10)
    let summary = try send(configuration, to: collector, rate: 200)
    let expected = Double(summary.events - 10) / 200
    #expect((expected * 0.8...expected + 2).contains(try #require(summary.delivery).seconds))
  }

  @Test(arguments: ["https://x", "ftp://x", "x", "", "http://", "http://x?y", "127.0.0.1:8787"])
  func `an address that is none is refused before anything is made`(address: String) throws {
    let simulator = try Simulator(exampleWorld(sessions: 1))
    do {
      _ = try simulator.run(output: .http(SenderConfiguration(baseURL: address, key: nil)))
      Issue.record("was taken")
    } catch SimulationError.invalidConfiguration(let text) {
      #expect(!text.isEmpty)
    }
  }

  @Test func `a key cannot smuggle a header in`() throws {
    let simulator = try Simulator(exampleWorld(sessions: 1))
    #expect(throws: SimulationError.invalidConfiguration("the key holds a character that no key has")) {
      try simulator.run(output: .http(SenderConfiguration(baseURL: "http://127.0.0.1:1", key: "a\r\nX: y")))
    }
  }
}
