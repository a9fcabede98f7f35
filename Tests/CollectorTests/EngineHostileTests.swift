import Testing

@testable import Collector

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What an attacker, or a broken sender, would try on the engine.
@Suite struct EngineHostileTests {
  @Test(arguments: [
    ("two lengths", "Content-Length: 3\r\nContent-Length: 3", "content_length_twice"),
    ("two different lengths", "Content-Length: 3\r\nContent-Length: 4", "content_length_twice"),
    (
      "length beside chunked", "Content-Length: 3\r\nTransfer-Encoding: chunked",
      "content_length_beside_transfer_encoding"
    ),
    (
      "chunked beside length", "Transfer-Encoding: chunked\r\nContent-Length: 3",
      "content_length_beside_transfer_encoding"
    ),
    ("unknown transfer encoding", "Transfer-Encoding: gzip, chunked", "unsupported_transfer_encoding"),
    ("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "unsupported_transfer_encoding"),
    ("blank before colon", "Content-Length : 3", "malformed_header"),
    ("control character", "X: a\u{1}b\r\nContent-Length: 3", "malformed_header"),
    ("delete character", "Authorization: Bearer a\u{7F}b\r\nContent-Length: 3", "malformed_header"),
    ("two hosts", "Host: b\r\nContent-Length: 3", "host_not_once"),
  ])
  func `a request whose end is not certain is refused and closed`(name: String, headers: String, code: String) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\nabcGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = try #require(client.answer())
    #expect(answer.status == 400)
    #expect(answer.text.contains(code))
    #expect(client.everything().isEmpty)
  }

  @Test(arguments: ["Content-Length: -1", "Content-Length: 3x", "Content-Length: ", "Content-Length: 0x3"])
  func `a length that is none is refused`(header: String) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\nabc")
    #expect(client.everything().hasPrefix("HTTP/1.1 400"))
  }

  @Test(arguments: ["9223372036854775807", "9223372036854775808", "18446744073709551614"])
  func `a length beyond all limits is refused at once`(length: String) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.setReceiveTimeout(milliseconds: 3_000)
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\nabc")
    let answer = try #require(client.answer())
    #expect(answer.status == 413)
  }

  @Test(arguments: ["zz\r\nabc\r\n0\r\n\r\n", "3\r\nabcdef\r\n0\r\n\r\n", "-3\r\nabc\r\n0\r\n\r\n"])
  func `broken chunks are refused`(body: String) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
    let text = client.everything()
    #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400"))
  }

  @Test func `HTTP without host, of another version, or not HTTP at all`() throws {
    let engine = try EngineHarness()
    for (text, status) in [
      ("GET /hello HTTP/1.1\r\n\r\n", "400"), ("GET /hello HTTP/2.0\r\nHost: a\r\n\r\n", "505"),
      ("GET /hello HTTP/0.9\r\n\r\n", "505"), ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n", ""), ("GET\r\n\r\n", ""),
    ] {
      let client = engine.connect()
      client.send(text)
      client.closeSending()
      let answer = client.everything()
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(status)"), "\(text)")
    }
  }

  @Test func `huge headers are refused`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("GET /hello HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n")
    #expect(client.everything().hasPrefix("HTTP/1.1 431"))
    let fitting = engine.connect()
    fitting.send("GET /hello HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 7_000))\r\n\r\n")
    #expect(try #require(fitting.answer()).status == 200)
  }

  @Test func `the bytes of all requests together are bounded`() throws {
    let engine = try EngineHarness(budgetBytes: 1_000_000)
    var clients: [RawClient] = []
    for _ in 0..<9 {
      let client = engine.connect()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n")
      client.send([UInt8](repeating: 65, count: 100_000))
      clients.append(client)
    }
    for _ in 0..<200 where engine.budget.usedBytes < 900_009 { usleep(5000) }
    #expect(engine.budget.usedBytes == 900_009)
    let late = engine.connect()
    late.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 150000\r\n\r\n")
    late.send([UInt8](repeating: 65, count: 150_000))
    let answer = try #require(late.answer())
    #expect(answer.status == 503)
    #expect(answer.text.contains(#""code":"too_much_in_flight""#))
    #expect(answer.headers["retry-after"] == "1")
    for client in clients {
      client.send("x")
      #expect(try #require(client.answer()).text == "100001")
    }
    for _ in 0..<200 where engine.budget.usedBytes > 0 { usleep(5000) }
    #expect(engine.budget.usedBytes == 0)
  }

  @Test func `a promise of many bytes takes no room`() throws {
    let engine = try EngineHarness(budgetBytes: 1_000_000)
    let clients = (0..<50).map { _ in engine.connect() }
    for client in clients { client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nx") }
    for _ in 0..<200 where engine.budget.usedBytes < 50 * 4096 { usleep(5000) }
    #expect(engine.budget.usedBytes == 50 * 4096)
  }

  @Test func `a sender that goes away takes its bytes with it`() throws {
    let engine = try EngineHarness()
    do {
      let client = engine.connect()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nxxx")
      for _ in 0..<200 where engine.budget.usedBytes == 0 { usleep(5000) }
      #expect(engine.budget.usedBytes > 0)
    }
    for _ in 0..<400 where engine.budget.usedBytes > 0 { usleep(5000) }
    #expect(engine.budget.usedBytes == 0)
  }

  @Test func `senders that go away while they wait for the sync break nothing`() throws {
    let engine = try EngineHarness()
    for _ in 0..<50 {
      let client = engine.connect()
      client.send("POST /commit HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
      client.send("POST /worker HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
    }
    let client = engine.connect()
    client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try #require(client.answer()).status == 200)
  }

  @Test func `too many connections are told so`() throws {
    var limits = HTTPLimits()
    limits.maximumConnections = 8
    let engine = try EngineHarness(limits)
    var clients = (0..<8).map { _ in engine.connect() }
    for client in clients {
      client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try #require(client.answer()).status == 200)
    }
    for _ in 0..<100 {
      let answer = engine.connect().everything()
      #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("Retry-After: 1"))
    }
    clients.removeLast()
    var status = 0
    for _ in 0..<100 where status != 200 {
      let client = engine.connect()
      client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
      status = client.answer()?.status ?? 0
      if status != 200 { usleep(5000) }
    }
    #expect(status == 200)
  }
}
