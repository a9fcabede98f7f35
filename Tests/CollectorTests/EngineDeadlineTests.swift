import Testing

@testable import Collector

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Deadlines, shortened: the whole request counts, not the pause between its bytes.
@Suite struct EngineDeadlineTests {
  private static var quick: HTTPLimits {
    var limits = HTTPLimits()
    limits.requestMilliseconds = 400
    limits.idleMilliseconds = 700
    limits.sweepMilliseconds = 50
    limits.drainMilliseconds = 400
    return limits
  }

  /// Sends a byte every 50 ms until the other side has closed; says what came and how long it took.
  private func trickle(_ client: RawClient, _ text: String) -> (answer: String, milliseconds: Int64) {
    let start = MonotonicClock.milliseconds
    client.setReceiveTimeout(milliseconds: 1)
    for byte in text.utf8 {
      guard client.send([byte]) else { break }
      usleep(50_000)
      if MonotonicClock.milliseconds - start > 5000 { break }
    }
    client.setReceiveTimeout(milliseconds: 2000)
    return (client.everything(), MonotonicClock.milliseconds - start)
  }

  @Test(arguments: [
    "GET /hello HTTP/1.1\r\nHost: a\r\nX-Slow: \(String(repeating: "x", count: 200))",
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n\(String(repeating: "x", count: 200))",
  ])
  func `a request that trickles is cut off with 408`(text: String) throws {
    let engine = try EngineHarness(Self.quick)
    let client = engine.connect()
    // The beginning at once, the rest slowly.
    let beginning = text.prefix(text.count - 200)
    client.send(String(beginning))
    let (answer, milliseconds) = trickle(client, String(text.dropFirst(beginning.count)))
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
    #expect(milliseconds >= 350 && milliseconds < 2500)
  }

  @Test func `a silent half of a request gets its 408`() throws {
    let engine = try EngineHarness(Self.quick)
    for text in ["GET /hello HT", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc"] {
      let client = engine.connect()
      client.send(text)
      let answer = try #require(client.answer())
      #expect(answer.status == 408)
      #expect(answer.headers["content-type"] == "application/problem+json")
      #expect(client.isClosed())
    }
  }

  @Test func `a later request on the same connection has its own deadline`() throws {
    let engine = try EngineHarness(Self.quick)
    let client = engine.connect()
    for _ in 0..<4 {
      client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try #require(client.answer()).status == 200)
      usleep(250_000)
    }
    client.send("GET /hel")
    #expect(try #require(client.answer()).status == 408)
  }

  @Test(arguments: [
    "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
    "GET /hello HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 7_000))\r\n\r\n",
    "POST /commit HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n\(String(repeating: "x", count: 9_000))",
  ])
  func `half a head right behind a request does not get the idle time as well`(request: String) throws {
    let engine = try EngineHarness(Self.quick)
    let client = engine.connect()
    client.send(request + request + "GET /hel")
    for _ in 0..<2 { #expect(try #require(client.answer()).status < 300) }
    let start = MonotonicClock.milliseconds
    #expect(try #require(client.answer()).status == 408)
    let milliseconds = MonotonicClock.milliseconds - start
    #expect(milliseconds >= 350 && milliseconds < 2500)
  }

  @Test(arguments: ["", "GET /hel"])
  func `behind a chunked body a request must come in the time of one head`(beginning: String) throws {
    var limits = Self.quick
    limits.idleMilliseconds = 10_000
    let engine = try EngineHarness(limits)
    let client = engine.connect()
    client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + beginning)
    #expect(try #require(client.answer()).text == "3")
    let start = MonotonicClock.milliseconds
    #expect(client.everything().isEmpty)
    let milliseconds = MonotonicClock.milliseconds - start
    #expect(milliseconds >= 350 && milliseconds < 2500)
  }

  @Test func `between requests of every size a connection may be idle`() throws {
    let engine = try EngineHarness(Self.quick)
    let client = engine.connect()
    for count in [0, 1, 5_000, 100_000] {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
      client.send([UInt8](repeating: 65, count: count))
      #expect(try #require(client.answer()).text == "\(count)")
      usleep(550_000)
    }
    #expect(client.everything().isEmpty)
  }

  @Test func `an idle connection is closed without a word`() throws {
    let engine = try EngineHarness(Self.quick)
    let client = engine.connect()
    let start = MonotonicClock.milliseconds
    #expect(client.everything().isEmpty)
    let milliseconds = MonotonicClock.milliseconds - start
    #expect(milliseconds >= 650 && milliseconds < 2500)
  }

  @Test func `slow connections by the hundred leave the others served`() throws {
    let engine = try EngineHarness(Self.quick)
    let slow = (0..<300).map { _ in engine.connect() }
    for client in slow { client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Le") }
    let client = engine.connect()
    client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try #require(client.answer()).status == 200)
    for client in slow { #expect(client.answer()?.status == 408) }
  }

  @Test func `a stop lets what is in flight end, and takes nothing new`() throws {
    var limits = Self.quick
    limits.requestMilliseconds = 5_000
    limits.drainMilliseconds = 5_000
    let engine = try EngineHarness(limits)
    let idle = engine.connect()
    idle.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try #require(idle.answer()).status == 200)
    let running = engine.connect()
    running.send("POST /commit HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
    for _ in 0..<200 where engine.budget.usedBytes < 6 { usleep(5000) }
    engine.mailbox.stop()
    #expect(idle.isClosed())
    running.send("def")
    #expect(try #require(running.answer()).text == #"{"bytes":6}"#)
    engine.stop()
    #expect(engine.connect().everything().isEmpty)
  }

  @Test func `a stop does not wait for the slow`() throws {
    let engine = try EngineHarness(Self.quick)
    let slow = engine.connect()
    slow.send("POST /commit HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
    for _ in 0..<200 where engine.budget.usedBytes < 6 { usleep(5000) }
    let start = MonotonicClock.milliseconds
    engine.stop()
    #expect(MonotonicClock.milliseconds - start < 2500)
    #expect(slow.everything().hasPrefix("HTTP/1.1 408"))
  }
}
