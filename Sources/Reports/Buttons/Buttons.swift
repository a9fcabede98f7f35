// Answers to interactive notifications: `pagefall report buttons` (docs/buttons.md).
//
//   ButtonsReporter     the way in: one read-only snapshot
//   ButtonsReading      reads the responses of a scope and counts them
//   ResponseKeys        categories and buttons as they come, numbered, and bounded
//   ResponseGroups      the counts of each group
//   CategoryDirectory   what buttons say, from what was imported
//   ButtonsOrder        the order of the lines
//   Buttons…            a file for each format
//
// The report's value, its JSON form and its check of itself are `ButtonsReport`, which the simulator's truth shares.

import FunnelDocument

/// A report of answers to interactive notifications, with what its forms for people say beside.
public struct Buttons: Sendable {
  /// The report.
  public var report: ButtonsReport
  /// The field that groups are made by; nil without groups.
  public var groupedBy: String?
  /// Whether all apps were asked for, rather than those that the scope names.
  public var coversAllApps: Bool
  /// When the first and the last response was; nil where there is none.
  public var observed: ObservedRange?
  /// A sentence on why the report is empty; nil where it is not.
  public var explanation: String?
}
