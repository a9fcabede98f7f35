import Compression
import Foundation
import StoryEvents
import Testing

@testable import Collector

/// `POST /v1/events`, and that what is acknowledged is in the spool.
@Suite struct EventsTests {
  @Test func `one event, an array and a batch are accepted and durable`() throws {
    let collector = try CollectorHarness()
    for body in [
      SampleEvents.event(1), "[\(SampleEvents.event(2)),\(SampleEvents.event(3))]",
      SampleEvents.batch([SampleEvents.event(4)]),
    ] {
      let answer = try #require(collector.post(body))
      #expect(answer.status == 202)
      #expect(answer.headers["content-type"] == "application/json")
      #expect(answer.text.hasPrefix(#"{"accepted":\#(body.hasPrefix("[") ? 2 : 1),"rejected":0,"errors":[],"#))
    }
    collector.stop()
    let spooled = try collector.spooled()
    #expect(spooled.apps == ["demo"])
    #expect(spooled.events.count == 4)
  }

  @Test func `lines of NDJSON are accepted`() throws {
    let collector = try CollectorHarness()
    let answer = try #require(
      collector.post(
        SampleEvents.event(1) + "\r\n\n" + SampleEvents.event(2) + "\nnot json",
        headers: ["Content-Type: Application/X-NDJSON ; charset=\"UTF-8\""]))
    #expect(answer.status == 202)
    #expect(answer.text.hasPrefix(#"{"accepted":2,"rejected":1,"errors":[{"index":2,"code":"invalid_json","#))
  }

  @Test func `an answer names each rejected event and keeps it`() throws {
    let collector = try CollectorHarness()
    let bad = #"{"type":"nonsense","session_id":"01a226bf-4900-7cc1-9d2e-000000000001","seq":0,"at":1}"#
    let answer = try #require(collector.post("[\(bad)]"))
    #expect(answer.status == 422)
    struct Body: Decodable {
      struct Fault: Decodable {
        var index: Int
        var code: String
        var field: String?
        var message: String
      }
      var accepted: Int
      var rejected: Int
      var errors: [Fault]
    }
    let body = try JSONDecoder().decode(Body.self, from: Data(answer.body))
    #expect(body.accepted == 0 && body.rejected == 1)
    #expect(body.errors.first?.code == "unknown_type")
    collector.stop()
    let rejected = try collector.spooled().rejected
    #expect(rejected.count == 1 && rejected[0].code == "unknown_type" && rejected[0].bytes == Array(bad.utf8))
  }

  @Test(arguments: [CompressionFormat.gzip, .zstd], [1, 500, 9_000])
  func `compressed bodies are judged, small and large`(format: CompressionFormat, events: Int) throws {
    let collector = try CollectorHarness()
    let body = Array(SampleEvents.batch((0..<events).map { SampleEvents.event($0) }).utf8)
    let answer = try #require(
      collector.post(
        try compressed(body, format),
        headers: ["content-type: application/json", "CONTENT-ENCODING: \(format.rawValue.uppercased())"]))
    #expect(answer.status == 202)
    #expect(answer.text.hasPrefix(#"{"accepted":\#(events),"rejected":0,"#))
    collector.stop()
    #expect(try collector.spooled().events.count == events)
  }

  @Test func `large plain bodies go to a worker and come back`() throws {
    let collector = try CollectorHarness()
    let body = SampleEvents.batch((0..<5_000).map { SampleEvents.event($0) })
    #expect(body.utf8.count > EventsEndpoint.bytesOnHTTPThread)
    let answer = try #require(collector.post(body))
    #expect(answer.text.hasPrefix(#"{"accepted":5000,"#))
    #expect(try #require(collector.get("/metrics")).text.contains("\npagefall_bodies_to_workers_total 1\n"))
    collector.stop()
    #expect(try collector.spooled().events.count == 5_000)
  }

  @Test(arguments: [
    ("not json", 400), (#"{"events":[]}"#, 400), ("[]", 400), ("", 400), (#"{"events":7}"#, 400), ("[1,,2]", 400),
  ])
  func `what cannot be read is 400 and kept`(body: String, status: Int) throws {
    let collector = try CollectorHarness()
    let answer = try #require(collector.post(body))
    #expect(answer.status == status)
    #expect(answer.headers["content-type"] == "application/problem+json")
    collector.stop()
    let rejected = try collector.spooled().rejected
    #expect(rejected.count == 1 && rejected[0].code == "unreadable" && rejected[0].bytes == Array(body.utf8))
  }

  @Test(arguments: [CompressionFormat.gzip, .zstd])
  func `compression that breaks off is 400 and kept`(format: CompressionFormat) throws {
    let collector = try CollectorHarness()
    let whole = try compressed(Array(SampleEvents.event(1).utf8), format)
    let torn = Array(whole.dropLast(5))
    let headers = ["Content-Type: application/json", "Content-Encoding: \(format.rawValue)"]
    let answer = try #require(collector.post(torn, headers: headers))
    #expect(answer.status == 400)
    #expect(answer.text.contains("breaks off"))
    collector.stop()
    #expect(try collector.spooled().rejected.map(\.bytes) == [torn])
  }

  @Test(arguments: [CompressionFormat.gzip, .zstd], [1_000, 16 << 20])
  func `a compressed body that cannot be read is kept as it was sent`(format: CompressionFormat, size: Int) throws {
    let collector = try CollectorHarness()
    let body = try compressed([UInt8](repeating: 0x5B, count: size), format)
    let headers = ["Content-Type: application/json", "Content-Encoding: \(format.rawValue)"]
    #expect(try #require(collector.post(body, headers: headers)).status == 400)
    collector.stop()
    #expect(try collector.spooled().rejected.map(\.bytes) == [body])
  }

  @Test(arguments: [
    ("application/x-ndjson", String(repeating: "x\n", count: 9_999), 1),
    ("application/x-ndjson", #"{"events":[1"# + String(repeating: ",1", count: 9_998) + "]}", 1),
    ("application/json", "[{}" + String(repeating: ",{}", count: 9_998) + "]", 1),
    ("application/json", "[1" + String(repeating: ",1", count: 9_998) + "]", 1),
    ("application/x-ndjson", String(repeating: "x\n", count: 900), 0),
    ("application/json", "[{}" + String(repeating: ",{}", count: 900) + "]", 0),
  ])
  func `a small body of very many events is a worker's`(mediaType: String, body: String, workers: Int) throws {
    let collector = try CollectorHarness()
    #expect(body.utf8.count < EventsEndpoint.bytesOnHTTPThread)
    for encoding in [CompressionFormat?.none, .gzip] {
      var headers = ["Content-Type: \(mediaType)"]
      var bytes = Array(body.utf8)
      if let encoding {
        headers.append("Content-Encoding: \(encoding.rawValue)")
        bytes = try compressed(bytes, encoding)
      }
      #expect(try #require(collector.post(bytes, headers: headers)).status == 422)
    }
    let metrics = try #require(collector.get("/metrics")).text
    #expect(metrics.contains("\npagefall_bodies_to_workers_total \(2 * workers)\n"), "\(metrics)")
  }

  @Test(arguments: [CompressionFormat.gzip, .zstd])
  func `a bomb is 413 and costs no more than the limit`(format: CompressionFormat) throws {
    let collector = try CollectorHarness()
    let bomb = try compressed([UInt8](repeating: 32, count: 200 * 1024 * 1024), format)
    #expect(bomb.count < ContractLimits.bodyBytes)
    let headers = ["Content-Type: application/json", "Content-Encoding: \(format.rawValue)"]
    let answer = try #require(collector.post(bomb, headers: headers))
    #expect(answer.status == 413)
    #expect(answer.text.contains(#""name":"decompressed_body_bytes""#))
    #expect(try #require(collector.get("/metrics")).text.contains("\npagefall_http_in_flight_bytes 0\n"))
    collector.stop()
    #expect(try collector.spooled().rejected.isEmpty)
  }

  @Test(arguments: [(16_777_216, 202), (16_777_217, 413)])
  func `the limit after decompression is exact`(size: Int, status: Int) throws {
    let collector = try CollectorHarness()
    let event = Array(SampleEvents.event(1).utf8)
    let body = event + [UInt8](repeating: 32, count: size - event.count)
    let headers = ["Content-Type: application/json", "Content-Encoding: zstd"]
    let answer = try #require(collector.post(try compressed(body, .zstd), headers: headers))
    #expect(answer.status == status, "\(answer.text)")
  }

  @Test(arguments: [(2_097_152, 202), (2_097_153, 413)])
  func `the limit of a body as sent is exact`(size: Int, status: Int) throws {
    let collector = try CollectorHarness()
    let event = Array(SampleEvents.event(1).utf8)
    let answer = try #require(collector.post(event + [UInt8](repeating: 32, count: size - event.count)))
    #expect(answer.status == status)
  }

  @Test(arguments: [(10_000, 202), (10_001, 413)])
  func `the limit of events is exact`(count: Int, status: Int) throws {
    let collector = try CollectorHarness()
    let body = SampleEvents.batch((0..<count).map { SampleEvents.event($0) })
    let answer = try #require(collector.post(body))
    #expect(answer.status == status)
    #expect(status == 202 || answer.text.contains(#""limit":{"name":"events_per_request","value":10000}"#))
  }

  @Test(arguments: [
    [], ["Content-Type: text/plain"], ["Content-Type: application/jsonx"],
    ["Content-Type: application/json; charset=latin1"], ["Content-Type: application/json", "Content-Encoding: br"],
    ["Content-Type: application/json", "Content-Encoding: gzip, gzip"],
    ["Content-Type: application/json", "Content-Encoding: gzip", "Content-Encoding: gzip"],
    ["Content-Type: application/json", "Content-Type: application/json"],
  ])
  func `other media types and encodings are 415`(headers: [String]) throws {
    let collector = try CollectorHarness()
    let answer = try #require(collector.post(SampleEvents.event(1), headers: headers))
    #expect(answer.status == 415)
  }

  @Test func `received is when the last byte was read`() throws {
    let collector = try CollectorHarness()
    let client = collector.connect()
    let body = SampleEvents.event(1)
    client.send(
      "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    )
    client.send(String(body.dropLast()))
    usleep(300_000)
    let before = WallClock.microseconds
    client.send("}")
    #expect(try #require(client.answer()).status == 202)
    let after = WallClock.microseconds
    collector.stop()
    let received = try #require(try collector.spooled().received.first)
    #expect(received >= before && received <= after)
  }

  private func compressed(_ bytes: [UInt8], _ format: CompressionFormat) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try compress($0, format) }
  }
}
