// FunnelDocument: the funnel as a value, and its JSON form (metrics §5).
//
// Two independent programs produce a funnel: the report, from the sessions that are stored, and the simulator, from what
// its viewers did. Both fill in a `FunnelCounts`; everything that is a quotient is derived here, once, so that the two can
// only differ in what they counted.
//
//   FunnelReport     what was asked (`FunnelScope`), the counts of the total, and those of each group
//   FunnelCounts     the counts of one set of sessions: its `PageCounts`, its `Completeness`; two of them add up
//   FunnelRates      the rates of a `FunnelCounts`, each a `Rate` with its Wilson interval
//   DeviceCounts     the devices among presentations, where they were asked for
//   Surfaces/        what is counted of rich media (`RichMediaReport`) and of answers to notifications
//   Comparing/       the same rate of two groups (`RateComparison`): difference, interval, p-value; Holm's adjustment
//   JSONValue        ordered JSON: the documented order of keys is part of the form; JSONObjectReader reads it back

/// Why a text is not a funnel in JSON.
public enum FunnelDocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not JSON (RFC 8259).
  ///
  /// - Parameters:
  ///   - offset: where the fault is, in bytes from the start.
  ///   - expected: what would have been right there.
  case notJSON(offset: Int, expected: String)
  /// A key is absent or holds another type than metrics §5 says.
  ///
  /// - Parameters:
  ///   - path: the key's place, such as `pages[1].departures.next`.
  ///   - expected: what should be there.
  case unexpectedValue(path: String, expected: String)

  /// One line that says what was found to be wrong and what is expected.
  public var description: String {
    switch self {
    case .notJSON(let offset, let expected): "not JSON: expected \(expected) at byte \(offset)"
    case .unexpectedValue(let path, let expected): "not a funnel: \(path) should be \(expected)"
    }
  }
}
