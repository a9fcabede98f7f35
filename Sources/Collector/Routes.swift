import StoryEvents

/// All routes, in the order in which they are compared. A new endpoint is its file and its line here.
enum Routes {
  static func all(_ parts: CollectorParts) -> [any HTTPEndpoint] {
    [
      EventsEndpoint(parts),
      HealthEndpoint(parts),
      ReadyEndpoint(parts),
      MetricsEndpoint(parts),
    ]
  }
}

/// The limits of `POST /v1/events` (contract §1), and where its work is done.
enum EventsLimits {
  static let bodyBytes = ContractLimits.bodyBytes
  static let decompressedBodyBytes = ContractLimits.decompressedBodyBytes
  static let eventsPerRequest = ContractLimits.eventsPerRequest
  /// Bodies up to this size, before and after decompression, are judged on the HTTP thread; larger ones by a worker.
  static let bytesOnHTTPThread = 64 * 1024
}
