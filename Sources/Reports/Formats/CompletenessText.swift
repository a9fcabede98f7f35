import FunnelDocument
import PrintedText

/// What is missing from a funnel, and what that means for its numbers, in plain sentences (metrics §4).
package enum CompletenessText {
  /// The sentences; one that says all is there where it is.
  package static func sentences(_ counts: FunnelCounts) -> [String] {
    let facts = counts.completeness
    var sentences: [String] = []
    if facts.missingEvents > 0 {
      let unknown = counts.pages.reduce(0) { $0 + $1.departures.unknown }
      let share = FigureText.percent(Rate(facts.missingEvents, of: facts.expectedEvents).value)
      sentences.append(
        "At least \(FigureText.count(facts.missingEvents)) of \(FigureText.count(facts.expectedEvents, "event")) (\(share)) "
          + "never arrived" + (unknown > 0 ? ", so \(departures(unknown)) unknown." : "."))
    } else if facts.expectedEvents > 0 {
      sentences.append("Complete: all \(FigureText.count(facts.expectedEvents, "event")) arrived.")
    }
    add(facts.sessionsWithoutStart, &sentences) { count in
      "\(FigureText.count(count, "session")) without a start: page count unknown, so not counted as reached last."
    }
    add(facts.orphanTaps, &sentences) { count in
      "\(FigureText.count(count, "tap")) on pages that were never shown in their session."
    }
    add(facts.negativeDwells, &sentences) { count in
      "\(FigureText.count(count, "dwell")) left out, because a device's clock was set back."
    }
    add(facts.suspectClockSessions, &sentences) { count in
      "\(FigureText.count(count, "session")) with an unbelievable clock, counted when they arrived."
    }
    add(facts.droppedByDevices, &sentences) { count in
      "Devices say they had to give up \(FigureText.count(count, "event"))."
    }
    if !facts.rejectedEvents.isEmpty {
      let reasons = facts.rejectedEvents.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        .map { "\(DisplayText.escaped($0.key)) \(FigureText.count($0.value))" }
      sentences.append("Rejected events: \(reasons.joined(separator: ", ")).")
    }
    return sentences
  }

  /// The same of a surface other than stories: of so many events those that are missing, and what else is known to be lost.
  static func sentences(expected: Int, missing: Int, _ losses: SurfaceLosses) -> [String] {
    sentences(
      FunnelCounts(
        completeness: Completeness(
          expectedEvents: expected, missingEvents: missing, suspectClockSessions: losses.suspectClockSessions,
          droppedByDevices: losses.droppedByDevices, rejectedEvents: losses.rejectedEvents)))
  }

  private static func departures(_ count: Int) -> String {
    count == 1 ? "1 departure is" : "\(FigureText.count(count)) departures are"
  }

  private static func add(_ count: Int, _ sentences: inout [String], _ sentence: (Int) -> String) {
    if count > 0 { sentences.append(sentence(count)) }
  }
}
