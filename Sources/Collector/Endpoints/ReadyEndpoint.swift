import Spool

/// `GET /readyz`: whether events are accepted; 503 with the reason where they are not (contract §4).
///
/// The database's being away is no reason: the spool takes events without it.
final class ReadyEndpoint: HTTPEndpoint {
  let path: StaticString = "/readyz"
  let method = HTTPEndpointMethod.get
  private let answers: AnswerShelf
  private let spool: Spool
  private let budget: ByteBudget

  init(_ parts: CollectorParts) {
    answers = parts.answers
    spool = parts.spool
    budget = parts.budget
  }

  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    let reason: StaticString? =
      switch spool.statistics.full {
      case .maximumBytes: "The spool has reached its largest size; events are taken again when some are loaded."
      case .diskReserve: "The disk of the spool is nearly full; free some space."
      case .deviceFull: "The disk of the spool is full; free some space."
      case nil where budget.usedBytes >= budget.limitBytes: "Too much is being received at once."
      case nil: nil
      }
    if let reason {
      return .answer(
        answers.problem(
          .notReady, detail: reason.description, headers: [("Retry-After", "1")]))
    }
    answers.writer.removeAll()
    answers.writer.raw(#"{"status":"ready"}"#)
    return .answer(answers.json(status: 200))
  }
}
