import Testing

@testable import Collector

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The engine alone: what HTTP asks for, whoever the endpoint is.
@Suite struct EngineTests {
  @Test func `a request gets its answer and the connection stays`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    for _ in 0..<3 {
      client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try #require(client.answer())
      #expect(answer.status == 200)
      #expect(answer.text == "hello")
    }
  }

  @Test func `HEAD has the headers of GET and no body`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = try #require(client.answer(toHead: true))
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == "5")
    #expect(try #require(client.answer()).text == "hello")
  }

  @Test func `HTTP 1.0 is answered and closed, or kept where it asks`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("GET /hello HTTP/1.0\r\n\r\n")
    #expect(try #require(client.answer()).text == "hello")
    #expect(client.isClosed())
    let keeping = engine.connect()
    keeping.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(try #require(keeping.answer()).text == "hello")
    keeping.send("GET /hello HTTP/1.0\r\n\r\n")
    #expect(try #require(keeping.answer()).text == "hello")
  }

  @Test(arguments: ["/commit", "/worker", "/echo", "/lookup"])
  func `pipelined requests are answered in order`(path: String) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    let bodies = (1...20).map { String(repeating: "x", count: $0) }
    client.send(
      bodies.map { "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined())
    for body in bodies {
      let answer = try #require(client.answer())
      #expect(answer.status == (path == "/echo" || path == "/lookup" ? 200 : 202))
      #expect(answer.text.contains("\(body.utf8.count)"))
    }
  }

  @Test func `a body may come byte by byte`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    for byte in Array("POST /commit HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nhello, world".utf8) {
      client.send([byte])
    }
    #expect(try #require(client.answer()).text == #"{"bytes":12}"#)
  }

  @Test(arguments: [1, 4095, 4096, 4097, 65_536, 1_000_000, 2_097_151, 2_097_152])
  func `a body arrives whole, declared or chunked`(size: Int) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    let body = [UInt8](repeating: 65, count: size)
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
    client.send(body)
    #expect(try #require(client.answer()).text == "\(size)")
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    for start in stride(from: 0, to: size, by: 10_000) {
      let chunk = body[start..<min(start + 10_000, size)]
      client.send(String(chunk.count, radix: 16) + "\r\n")
      client.send(Array(chunk) + [13, 10])
    }
    client.send("0\r\n\r\n")
    #expect(try #require(client.answer()).text == "\(size)")
    // The answer is given back a moment after it was sent.
    for _ in 0..<200 where engine.budget.usedBytes > 0 { usleep(5000) }
    #expect(engine.budget.usedBytes == 0)
  }

  @Test func `a body over the limit is refused, and the connection still serves`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2097153\r\n\r\n")
    client.send([UInt8](repeating: 65, count: 2_097_153))
    let answer = try #require(client.answer())
    #expect(answer.status == 413)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(answer.text.contains(#""limit":{"name":"body_bytes","value":2097152}"#))
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n200001\r\n")
    client.send([UInt8](repeating: 65, count: 2_097_153))
    client.send("\r\n0\r\n\r\n")
    #expect(try #require(client.answer()).status == 413)
    client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try #require(client.answer()).status == 200)
  }

  @Test func `a body without end is cut off`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n")
    let piece = [UInt8](repeating: 65, count: 1_048_576)
    var sent = 0
    while sent < 64, client.send(piece) { sent += 1 }
    #expect(sent < 64)
  }

  @Test func `a declared body beyond reading on is refused at once`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n")
    #expect(try #require(client.answer()).status == 413)
    #expect(client.isClosed())
  }

  @Test(arguments: ["/echo", "/lookup"])
  func `a sender that asks first is told to go on`(path: String) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try #require(client.answer()).status == 100)
    client.send("abc")
    #expect(try #require(client.answer()).text == "3")
  }

  @Test(arguments: [
    ("POST /lookup", "Authorization: no\r\nContent-Length: 3", 401), ("POST /echo", "Content-Length: 3000000", 413),
    ("POST /nothing", "Content-Length: 3", 404),
  ])
  func `a sender that asks first is refused before it sends`(line: String, headers: String, status: Int) throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("\(line) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(headers)\r\n\r\n")
    #expect(try #require(client.answer()).status == status)
  }

  @Test func `a refusal found by another thread keeps the connection`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("POST /lookup HTTP/1.1\r\nHost: a\r\nAuthorization: no\r\nContent-Length: 3\r\n\r\nabc")
    #expect(try #require(client.answer()).status == 401)
    client.send("POST /lookup HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
    #expect(try #require(client.answer()).text == "3")
  }

  @Test func `unknown paths and methods are named`() throws {
    let engine = try EngineHarness()
    let client = engine.connect()
    client.send("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n")
    let missing = try #require(client.answer())
    #expect(missing.status == 404)
    #expect(missing.text.contains(#""status":404"#))
    client.send("DELETE /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    let method = try #require(client.answer())
    #expect(method.status == 405)
    #expect(method.headers["allow"] == "GET, HEAD")
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try #require(client.answer()).headers["allow"] == "POST")
  }

  @Test func `a failed commit acknowledges nothing`() throws {
    let engine = try EngineHarness(commitsFail: true)
    let client = engine.connect()
    client.send("POST /commit HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
    let answer = try #require(client.answer())
    #expect(answer.status == 503)
    #expect(answer.headers["retry-after"] == "1")
  }
}
