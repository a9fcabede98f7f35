import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ready-made answers, and the making of others. Belongs to the HTTP thread.
///
/// A response of the library may be sent any number of times, so what is common is made once and kept for good; only
/// what is rare is made for one answer.
final class AnswerShelf {
  private var problems: [OpaquePointer] = []
  private var kept: [Kept?] = Array(repeating: nil, count: AnswerShelf.keptPlaces)
  /// The body that is being written; reused.
  var writer = JSONWriter()

  /// A JSON body that was answered before.
  private struct Kept {
    let body: ContiguousArray<UInt8>
    let response: OpaquePointer
  }

  /// How many bodies are kept, at most, and how long they may be.
  private static let keptPlaces = 1024
  private static let keptBytes = 512

  init() throws(CollectorError) {
    for problem in Problem.allCases {
      writeProblem(problem)
      guard let response = makeResponse(contentType: Self.problemType, headers: problem.headers) else {
        throw CollectorError.system(operation: "prepare answers", code: ENOMEM)
      }
      problems.append(response)
    }
  }

  deinit {
    for problem in problems { Self.release(problem) }
    for case .some(let kept) in kept { Self.release(kept.response) }
  }

  /// Gives a reference back.
  static func release(_ response: OpaquePointer) { MHD_destroy_response(response) }

  static let problemType = "application/problem+json"
  static let jsonType = "application/json"

  /// An error answer (RFC 9457).
  func problem(_ problem: Problem) -> HTTPAnswer {
    HTTPAnswer(status: problem.status, response: problems[Int(problem.rawValue)])
  }

  /// An error answer with words of its own.
  func problem(
    _ problem: ToldProblem, detail: String, headers: [(name: String, value: String)] = []
  ) -> HTTPAnswer {
    beginProblem(status: problem.status, code: problem.code)
    writer.string(detail)
    writer.raw("}")
    return made(problem.status, Self.problemType, headers)
  }

  /// What `writer` holds, as JSON. Common bodies are found again instead of made again.
  func json(status: UInt16) -> HTTPAnswer {
    guard writer.bytes.count <= Self.keptBytes else {
      return made(status, Self.jsonType, [])
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in writer.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let place = Int(truncatingIfNeeded: (hash ^ hash >> 32) % UInt64(Self.keptPlaces))
    if let known = kept[place] {
      if known.body == writer.bytes { return HTTPAnswer(status: status, response: known.response) }
    } else if let response = makeResponse(contentType: Self.jsonType, headers: []) {
      // Never replaced: a request may wait with a kept response that the library does not hold yet.
      kept[place] = Kept(body: ContiguousArray(writer.bytes), response: response)
      return HTTPAnswer(status: status, response: response)
    }
    return made(status, Self.jsonType, [])
  }

  /// A JSON body that was written elsewhere.
  func json(status: UInt16, body: ContiguousArray<UInt8>) -> HTTPAnswer {
    writer.removeAll()
    writer.raw(body)
    return json(status: status)
  }

  /// A text.
  func text(status: UInt16, contentType: String, _ text: String, headers: [(name: String, value: String)] = [])
    -> HTTPAnswer
  {
    writer.removeAll()
    writer.raw(text)
    return made(status, contentType, headers)
  }

  /// What `writer` holds, for one answer.
  private func made(
    _ status: UInt16, _ contentType: String, _ headers: [(name: String, value: String)]
  ) -> HTTPAnswer {
    HTTPAnswer(
      status: status, response: makeResponse(contentType: contentType, headers: headers), isOwned: true,
      bytes: writer.bytes.count)
  }

  /// A whole HTTP answer as bytes, for a connection that is ended past the library.
  func rawAnswer(_ problem: Problem) -> ContiguousArray<UInt8> {
    writeProblem(problem)
    let body = writer.bytes
    writer.removeAll()
    writer.raw("HTTP/1.1 ")
    writer.integer(Int(problem.status))
    writer.raw(" ")
    writer.raw(StatusPhrase.of(problem.status))
    for (name, value) in [("Content-Type", Self.problemType), ("Connection", "close")] + problem.headers {
      writer.raw("\r\n\(name): \(value)")
    }
    writer.raw("\r\nContent-Length: \(body.count)\r\n\r\n")
    return writer.bytes + body
  }

  private func beginProblem(status: UInt16, code: StaticString) {
    writer.removeAll()
    writer.raw(#"{"type":"about:blank","title":"#)
    writer.string(StatusPhrase.of(status))
    writer.raw(#","status":"#)
    writer.integer(Int(status))
    writer.raw(#","code":""#)
    writer.raw(code)
    writer.raw(#"","detail":"#)
  }

  private func writeProblem(_ problem: Problem) {
    beginProblem(status: problem.status, code: problem.code)
    writer.string(problem.detail)
    if let limit = problem.limit {
      writer.raw(#","limit":{"name":""#)
      writer.raw(limit.name)
      writer.raw(#"","value":"#)
      writer.integer(limit.value)
      writer.raw("}")
    }
    writer.raw("}")
  }

  /// nil without memory; the connection is then closed without an answer.
  private func makeResponse(contentType: String, headers: [(name: String, value: String)]) -> OpaquePointer? {
    let response = writer.bytes.withUnsafeBytes { pagefall_mhd_response($0.count, $0.baseAddress) }
    guard let response else { return nil }
    _ = MHD_add_response_header(response, "Content-Type", contentType)
    _ = MHD_add_response_header(response, "Cache-Control", "no-store")
    for (name, value) in headers { _ = MHD_add_response_header(response, name, value) }
    return response
  }
}
