extension Completeness {
  /// The object under `completeness` (metrics §5).
  package var json: JSONValue {
    .object([
      JSONMember("expected_events", .count(expectedEvents)),
      JSONMember("missing_events", .count(missingEvents)),
      JSONMember("sessions_without_start", .count(sessionsWithoutStart)),
      JSONMember("orphan_taps", .count(orphanTaps)),
      JSONMember("negative_dwells", .count(negativeDwells)),
      JSONMember("suspect_clock_sessions", .count(suspectClockSessions)),
      JSONMember("dropped_by_devices", .count(droppedByDevices)),
      JSONMember("rejected_events", .counts(rejectedEvents)),
    ])
  }
}

extension Completeness {
  /// Reads the object under `completeness` (metrics §5).
  package init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      expectedEvents: try reader.count("expected_events"), missingEvents: try reader.count("missing_events"),
      sessionsWithoutStart: try reader.count("sessions_without_start"), orphanTaps: try reader.count("orphan_taps"),
      negativeDwells: try reader.count("negative_dwells"),
      suspectClockSessions: try reader.count("suspect_clock_sessions"),
      droppedByDevices: try reader.count("dropped_by_devices"),
      rejectedEvents: try reader.child("rejected_events").counts())
  }
}

extension JSONValue {
  /// An object with a count a name, in the order of names.
  static func counts(_ counts: [String: Int]) -> JSONValue {
    .object(counts.sorted { $0.key < $1.key }.map { JSONMember($0.key, .count($0.value)) })
  }
}

extension JSONObjectReader {
  /// All members of the object, each an integer.
  func counts() throws(FunnelDocumentError) -> [String: Int] {
    var counts: [String: Int] = [:]
    for member in value.objectValue ?? [] { counts[member.key] = try count(member.key) }
    return counts
  }
}
