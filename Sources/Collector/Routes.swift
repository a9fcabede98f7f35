/// All routes, in the order in which they are compared. A new endpoint is its file and its line here.
enum Routes {
  /// - Parameter events: made before, because workers and the key thread come back to it.
  static func all(_ parts: CollectorParts, events: EventsEndpoint) -> [any HTTPEndpoint] {
    [
      events,
      HealthEndpoint(parts),
      ReadyEndpoint(parts),
      MetricsEndpoint(parts),
    ]
  }
}
