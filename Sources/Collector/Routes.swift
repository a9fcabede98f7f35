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
