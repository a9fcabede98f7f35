/// `GET /healthz`: the process lives (contract §4).
final class HealthEndpoint: HTTPEndpoint {
  let path: StaticString = "/healthz"
  let method = HTTPEndpointMethod.get
  private let answers: AnswerShelf

  init(_ parts: CollectorParts) { answers = parts.answers }

  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    answers.writer.removeAll()
    answers.writer.raw(#"{"status":"ok"}"#)
    return .answer(answers.json(status: 200))
  }
}
