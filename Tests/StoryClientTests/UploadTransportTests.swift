import Foundation
import Testing

@testable import StoryClient

struct UploadTransportTests {
  private static func send(
    to server: OneAnswerServer, seconds: Double = 5, bytes: Int = 1_000
  ) async throws -> UploadOutcome {
    let transport = URLSessionTransport(longestSeconds: seconds)
    let request = UploadRequest(
      address: try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/events")),
      headers: ["Authorization": "Bearer k", "User-Agent": "pagefall", "Accept-Language": "*"],
      body: [UInt8](repeating: 7, count: bytes))
    return await withCheckedContinuation { done in transport.send(request) { done.resume(returning: $0) } }
  }

  /// How long the outcome takes to come: not how long this test then waits for its turn among others.
  private static func seconds(until server: OneAnswerServer, longest: Double) async throws -> (UploadOutcome, Double) {
    let transport = URLSessionTransport(longestSeconds: longest)
    let address = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/events"))
    return await withCheckedContinuation { done in
      let begin = Date()
      transport.send(UploadRequest(address: address, headers: [:], body: [7])) {
        done.resume(returning: ($0, Date().timeIntervalSince(begin)))
      }
    }
  }

  @Test func `an answer comes whole, with the headers that count`() async throws {
    let server = try OneAnswerServer(
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nDate: Sun, 29 Nov 2026 10:00:30 GMT\r\nContent-Length: 4\r\n\r\nbody"
    )
    #expect(
      try await Self.send(to: server)
        == .answer(
          UploadAnswer(status: 503, retryAfter: "7", date: "Sun, 29 Nov 2026 10:00:30 GMT", body: Array("body".utf8))))
    let head = server.received.lowercased()
    #expect(head.hasPrefix("post /v1/events http/1.1\r\n") && head.contains("\r\ncontent-length: 1000\r\n"))
    #expect(head.contains("\r\nuser-agent: pagefall\r\n") && !head.contains("cookie"))
  }

  @Test(arguments: [301, 302, 307, 308]) func `a redirect is an answer and is not followed`(_ status: Int) async throws
  {
    let other = try OneAnswerServer("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
    let server = try OneAnswerServer(
      "HTTP/1.1 \(status) Elsewhere\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n")
    guard case .answer(let answer) = try await Self.send(to: server) else {
      Issue.record("no answer")
      return
    }
    #expect(answer.status == status && other.received.isEmpty)
  }

  @Test(
    arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"n\"", "Bearer", "Negotiate", "NTLM"], [401, 407])
  func `who asks for a password has answered, and is not asked again`(_ scheme: String, _ status: Int) async throws {
    let name = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
    let server = try OneAnswerServer("HTTP/1.1 \(status) No\r\n\(name): \(scheme)\r\nContent-Length: 0\r\n\r\n")
    let outcome = try await Self.send(to: server, seconds: 60)
    guard case .answer(let answer) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(answer.status == status)
    #expect(server.received.components(separatedBy: "POST ").count == 2)
  }

  @Test(arguments: [
    "", "HTTP/1.1 202 Acc", "HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\n{\"acc",
    "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
  ])
  func `an answer that is cut is none`(_ text: String) async throws {
    let outcome = try await Self.send(to: try OneAnswerServer(text))
    guard case .noAnswer = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `silence ends in time, and so does an answer that drips in`() async throws {
    for dripping in [false, true] {
      let server = try OneAnswerServer(
        "HTTP/1.1 202 Accepted\r\nContent-Length: 9999\r\n\r\n", dripping: dripping, isSilent: true)
      let (outcome, seconds) = try await Self.seconds(until: server, longest: 1)
      guard case .noAnswer = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(seconds < 60, "\(seconds)")
    }
  }

  @Test func `of a huge answer only the beginning is kept`() async throws {
    let body = String(repeating: "x", count: 3_000_000)
    let server = try OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    guard case .answer(let answer) = try await Self.send(to: server) else {
      Issue.record("no answer")
      return
    }
    #expect(answer.body.count == UploadAnswer.longestBodyBytes)
  }

  @Test func `an answer without end is ended as soon as more has come than is kept`() async throws {
    let body = String(repeating: "x", count: 300_000)
    let server = try OneAnswerServer("HTTP/1.1 202 Accepted\r\nContent-Length: 99999999\r\n\r\n" + body, isSilent: true)
    let (outcome, seconds) = try await Self.seconds(until: server, longest: 120)
    guard case .answer(let answer) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(answer.status == 202 && answer.body.count == UploadAnswer.longestBodyBytes)
    #expect(seconds < 60, "\(seconds)")
  }

  @Test func `nobody there is no answer`() async throws {
    let server = try OneAnswerServer("")
    server.stop()
    guard case .noAnswer = try await Self.send(to: server) else {
      Issue.record("an answer from nobody")
      return
    }
  }
}
