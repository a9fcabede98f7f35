import FunnelDocument

// RichMedia: presentations of rich media, a line a content code, by the definitions of docs/rich-media.md.
//
//   RichMediaReporter, RichMediaReading   reads the sessions that an index finds, and counts them
//   RichMediaPresentation                 what one session counts for: a pure value
//   RichMediaTally, RichMediaCells        running counts of a set of sessions, and of each content code and group
//   RichMediaOrder                        the order of lines
//   RichMediaTable, RichMediaLayout       how they are printed for people, with the words of RichMediaText
//   RichMediaCSV, RichMediaMarkdown       the other forms; FunnelFormat+RichMedia chooses among them

/// A report of rich media, and what its heading says beside the numbers (`pagefall report rich-media`).
public struct RichMedia: Sendable, Equatable {
  /// The numbers.
  public var report: RichMediaReport
  /// The field that groups are made by, as it was asked for.
  public var groupedBy: String?
  /// Whether all apps were asked for, rather than those that the scope names.
  public var coversAllApps: Bool
  /// The first and the last start among the presentations, as RFC 3339 in the report's zone.
  public var observed: ObservedRange?
  /// A sentence on why the report is empty; nil where it is not.
  public var explanation: String?

  /// Whether there is no presentation in the scope.
  public var isEmpty: Bool { report.total.presentations == 0 }

  init(
    report: RichMediaReport, groupedBy: String? = nil, coversAllApps: Bool = true, observed: ObservedRange? = nil,
    explanation: String? = nil
  ) {
    self.report = report
    self.groupedBy = groupedBy
    self.coversAllApps = coversAllApps
    self.observed = observed
    self.explanation = explanation
  }
}
