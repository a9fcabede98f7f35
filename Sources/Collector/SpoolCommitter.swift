import ServiceLog
import Spool

/// Syncs the spool for a group of requests, and measures it.
final class SpoolCommitter: GroupCommitter {
  private let spool: Spool
  private let metrics: HTTPMetrics
  private let log: ServiceLog

  init(spool: Spool, metrics: HTTPMetrics, log: ServiceLog) {
    self.spool = spool
    self.metrics = metrics
    self.log = log
  }

  func commit(requests: Int) -> Bool {
    let start = MonotonicClock.nanoseconds
    do {
      try spool.commit()
    } catch {
      metrics.commitsFailed += 1
      log.error(
        "spool commit failed; nothing of it is acknowledged",
        ["error": .string(error.description), "requests": .int(Int64(requests))])
      return false
    }
    metrics.commitRequests.observe(Double(requests))
    metrics.commitSeconds.observe(Double(MonotonicClock.nanoseconds - start) / 1e9)
    return true
  }
}
