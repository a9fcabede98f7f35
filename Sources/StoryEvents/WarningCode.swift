/// What a sender is told about events that were taken but look wrong (contract §2, `warnings`).
public enum WarningCode: UInt8, CaseIterable, Sendable {
  /// An integer `at` that lies in 1970 as milliseconds but is recent when read as seconds.
  case timestampLooksLikeSeconds = 0
  /// Every session of the request has one event, with `seq` 0.
  case noSequence = 1
  /// Session ids without a time in them: version 7 stores twice as fast.
  case randomSessionIDs = 2
  /// The device's clock is more than five minutes away from the collector's.
  case clockOffset = 3

  /// The code as it is answered.
  public var name: String {
    switch self {
    case .timestampLooksLikeSeconds: "timestamp_looks_like_seconds"
    case .noSequence: "no_sequence"
    case .randomSessionIDs: "random_session_ids"
    case .clockOffset: "clock_offset"
    }
  }
}
