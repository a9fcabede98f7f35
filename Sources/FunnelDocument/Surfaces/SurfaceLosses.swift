/// What is known about lost events beside the `seq` of the sessions that are counted (metrics §4).
public struct SurfaceLosses: Equatable, Sendable {
  /// Sessions whose clock cannot be right, counted when they arrived (contract §3).
  public var suspectClockSessions: Int
  /// Events that devices say they had to give up: the highest total of each device, summed.
  public var droppedByDevices: Int
  /// Rejected events of the report's apps and time by reason, whatever they were of.
  public var rejectedEvents: [String: Int]

  /// Makes losses; none unless said otherwise.
  public init(suspectClockSessions: Int = 0, droppedByDevices: Int = 0, rejectedEvents: [String: Int] = [:]) {
    self.suspectClockSessions = suspectClockSessions
    self.droppedByDevices = droppedByDevices
    self.rejectedEvents = rejectedEvents
  }
}

extension SurfaceLosses {
  /// The object under `completeness`.
  package func json(expected: Int, missing: Int) -> JSONValue {
    .object([
      JSONMember("expected_events", .count(expected)),
      JSONMember("missing_events", .count(missing)),
      JSONMember("suspect_clock_sessions", .count(suspectClockSessions)),
      JSONMember("dropped_by_devices", .count(droppedByDevices)),
      JSONMember("rejected_events", .counts(rejectedEvents)),
    ])
  }
}

extension SurfaceLosses {
  /// Reads the object under `completeness`.
  package init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      suspectClockSessions: try reader.count("suspect_clock_sessions"),
      droppedByDevices: try reader.count("dropped_by_devices"),
      rejectedEvents: try reader.child("rejected_events").counts())
  }
}
