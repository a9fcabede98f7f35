import Spool
import StoryEvents

/// `GET /metrics`: figures in Prometheus' text format 0.0.4 (contract §4). Labels come from fixed lists only.
final class MetricsEndpoint: HTTPEndpoint {
  let path: StaticString = "/metrics"
  let method = HTTPEndpointMethod.get
  let listeners: Set<HTTPListenerKind>
  private let parts: CollectorParts

  init(_ parts: CollectorParts) {
    self.parts = parts
    listeners = parts.hasMetricsAddress ? [.metrics] : [.main]
  }

  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    var text = MetricsText()
    writeRequests(&text)
    writeEvents(&text)
    writeSpool(&text, parts.spool.statistics)
    writeLoading(&text, parts.loading())
    text.begin("pagefall_build_info", .gauge, "1; the label says which version answers.")
    text.sample("pagefall_build_info", "version", parts.version, 1)
    text.gauge(
      "process_start_time_seconds", "When the process started, in seconds since 1970.",
      Double(parts.startedAtMicroseconds) / 1e6)
    return .answer(
      parts.answers.text(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", text.text))
  }

  private func writeRequests(_ text: inout MetricsText) {
    let metrics = parts.metrics
    text.begin("pagefall_http_responses_total", .counter, "Answers by status.")
    for (status, count) in metrics.responses.enumerated() where count > 0 {
      text.sample("pagefall_http_responses_total", "status", "\(status)", Double(count))
    }
    text.counter("pagefall_http_body_bytes_total", "Bytes of bodies, as they were sent.", metrics.bodyBytes)
    text.counter("pagefall_http_connections_total", "Connections accepted.", metrics.connectionsOpened)
    text.counter(
      "pagefall_http_connections_refused_total", "Connections over the limit.", metrics.connectionsRefused)
    text.gauge("pagefall_http_connections", "Connections now.", Double(metrics.openConnections))
    text.gauge(
      "pagefall_http_in_flight_bytes", "Bytes that requests hold now.", Double(parts.budget.usedBytes))
    text.gauge(
      "pagefall_http_in_flight_limit_bytes", "Bytes that requests may hold together.",
      Double(parts.budget.limitBytes))
    text.counter(
      "pagefall_bodies_to_workers_total", "Bodies too long to judge on the HTTP thread.", metrics.bodiesToWorkers)
    text.begin("pagefall_key_checks_total", .counter, "Requests by how their key was judged.")
    for outcome in KeyCheckOutcome.allCases {
      text.sample(
        "pagefall_key_checks_total", "outcome", outcome.name.description,
        Double(metrics.keyChecks[outcome.rawValue]))
    }
    text.histogram(
      "pagefall_commit_requests", "Requests that one sync has served.", metrics.commitRequests)
    text.histogram("pagefall_commit_seconds", "How long a sync took.", metrics.commitSeconds)
    text.counter("pagefall_commits_failed_total", "Syncs that failed.", metrics.commitsFailed)
  }

  private func writeEvents(_ text: inout MetricsText) {
    let metrics = parts.metrics
    text.counter("pagefall_events_accepted_total", "Events accepted, repeats included.", metrics.eventsAccepted)
    text.begin("pagefall_events_rejected_total", .counter, "Events rejected in answers, by code.")
    for code in RejectionCode.allCases where metrics.eventsRejected[Int(code.rawValue)] > 0 {
      text.sample(
        "pagefall_events_rejected_total", "code", code.name.description,
        Double(metrics.eventsRejected[Int(code.rawValue)]))
    }
    text.counter("pagefall_bodies_unreadable_total", "Bodies answered 400 and kept.", metrics.bodiesUnreadable)
  }

  private func writeSpool(_ text: inout MetricsText, _ spool: SpoolStatistics) {
    text.gauge("pagefall_spool_bytes", "Bytes of the spool on disk.", Double(spool.usedBytes))
    text.gauge("pagefall_spool_unloaded_bytes", "Bytes that wait to be loaded.", Double(spool.unloadedBytes))
    text.gauge("pagefall_spool_free_bytes", "Bytes that still fit.", Double(spool.freeBytes))
    text.gauge("pagefall_spool_full", "1 where nothing can be accepted.", spool.full == nil ? 0 : 1)
    text.gauge("pagefall_spool_segments", "Files of the spool.", Double(spool.segments))
    text.counter("pagefall_spool_records_total", "Records made durable.", Int(spool.appendedRecords))
    text.counter("pagefall_spool_appended_bytes_total", "Bytes made durable.", Int(spool.appendedBytes))
    text.counter("pagefall_spool_damaged_records_total", "Records found damaged.", spool.damagedRecords)
  }

  private func writeLoading(_ text: inout MetricsText, _ loading: LoadingFigures) {
    text.begin("pagefall_events_loaded_total", .counter, "Events that have reached PostgreSQL, by fate.")
    for fate in EventFate.allCases {
      text.sample("pagefall_events_loaded_total", "fate", fate.rawValue, Double(loading.fates[fate]))
    }
    text.counter("pagefall_batches_loaded_total", "Batches committed to PostgreSQL.", Int(loading.batches))
    text.counter(
      "pagefall_records_unreadable_total", "Records of the spool set aside.", Int(loading.unreadableRecords))
    text.gauge(
      "pagefall_loader_lag_seconds", "How long the oldest record read has waited to be stored.", loading.lagSeconds)
    if let isDatabaseUp = loading.isDatabaseUp {
      text.gauge("pagefall_database_up", "1 where PostgreSQL took the last batch.", isDatabaseUp ? 1 : 0)
    }
  }
}
