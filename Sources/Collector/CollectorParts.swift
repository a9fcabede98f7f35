import ServiceLog
import Spool

/// What endpoints are made of: the parts of one collector. Lives on the HTTP thread.
struct CollectorParts {
  let answers: AnswerShelf
  let metrics: HTTPMetrics
  let keys: KeyGate
  let spool: Spool
  let workers: BodyWorkers
  let budget: ByteBudget
  let mailbox: HTTPMailbox
  /// What the loader says of itself now.
  let loading: @Sendable () -> LoadingFigures
  /// Whether `/metrics` has an address of its own.
  let hasMetricsAddress: Bool
  let startedAtMicroseconds: Int64
  /// The program's.
  let version: String
  let log: ServiceLog
}
