extension Completeness {
  /// The object under `completeness` (metrics §5).
  package var json: JSONValue {
    let reasons = rejectedEvents.sorted { $0.key < $1.key }.map { JSONMember($0.key, .count($0.value)) }
    return .object([
      JSONMember("expected_events", .count(expectedEvents)),
      JSONMember("missing_events", .count(missingEvents)),
      JSONMember("sessions_without_start", .count(sessionsWithoutStart)),
      JSONMember("orphan_taps", .count(orphanTaps)),
      JSONMember("negative_dwells", .count(negativeDwells)),
      JSONMember("suspect_clock_sessions", .count(suspectClockSessions)),
      JSONMember("dropped_by_devices", .count(droppedByDevices)),
      JSONMember("rejected_events", .object(reasons)),
    ])
  }
}

extension Completeness {
  /// Reads the object under `completeness` (metrics §5).
  package init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    let reasons = try reader.child("rejected_events")
    var rejected: [String: Int] = [:]
    for member in reasons.value.objectValue ?? [] { rejected[member.key] = try reasons.count(member.key) }
    self.init(
      expectedEvents: try reader.count("expected_events"), missingEvents: try reader.count("missing_events"),
      sessionsWithoutStart: try reader.count("sessions_without_start"), orphanTaps: try reader.count("orphan_taps"),
      negativeDwells: try reader.count("negative_dwells"),
      suspectClockSessions: try reader.count("suspect_clock_sessions"),
      droppedByDevices: try reader.count("dropped_by_devices"), rejectedEvents: rejected)
  }
}
