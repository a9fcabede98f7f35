import FunnelDocument
import PrintedText

extension QualityTable {
  /// The most versions, days and cells that are printed; the rest is one line.
  private static let mostVersions = 12
  private static let mostDays = 31
  private static let mostCells = 6

  /// A line a version.
  var versionLines: [String] {
    let versions = VersionQuality.bounded(report.versions, to: Self.mostVersions)
    let names = versions.map { words.version($0.name) }
    let width = nameWidth(names, least: 19, beside: 61)
    var lines = [
      ink.faint(
        left("app version", width)
          + cells(
            [
              ("sessions", 9), ("expected", 10), ("missing", 8), ("rate", 7), ("no start", 9), ("orphan", 8),
              ("set back", 10),
            ]))
    ]
    for (version, name) in zip(versions, names) {
      let faults = version.faults
      lines.append(
        left(name, width) + counts(faults)
          + cells([
            (number(faults.sessionsWithoutStart), 9), (number(faults.orphanTaps), 8),
            (number(faults.negativeDwells), 10),
          ]))
    }
    return lines
      + wrapped(
        "No start: sessions without one. Orphan: taps on pages that were never shown. Set back: dwells left out because "
          + "the clock went back."
      ).map(ink.faint)
  }

  /// A line a day, with how long its first events took to arrive.
  var dayLines: [String] {
    let named = report.days.filter { $0.day != nil }
    let shown = named.suffix(Self.mostDays)
    var other = SessionFaults()
    for day in report.days where day.day == nil { other += day.faults }
    for day in named.dropLast(Self.mostDays) { other += day.faults }
    var lines = [
      ink.faint(
        left("day", 14)
          + cells(
            [("sessions", 9), ("expected", 10), ("missing", 8), ("rate", 7), ("delay", 10), ("90%", 10), ("99%", 10)]))
    ]
    if other.sessions > 0 { lines.append(left(FunnelGroup.otherName, 14) + counts(other)) }
    for day in shown {
      let delays = [
        day.delay.medianSeconds, day.delay.ninetiethPercentileSeconds, day.delay.ninetyNinthPercentileSeconds,
      ]
      lines.append(
        left(day.day ?? "", 14) + counts(day.faults) + cells(delays.map { (words.length($0), 10) }))
    }
    return lines
  }

  /// Nothing where there is only one cell, or none is bad.
  var cellLines: [String] {
    let worst = report.cells.filter { $0.place != nil }.prefix(Self.mostCells)
    guard !worst.isEmpty, report.versions.count > 1, report.days.count > 1 else { return [] }
    var rest = report.total
    for cell in worst { rest = rest.without(cell.faults) }
    let names = worst.map { words.version($0.place?.name) }
    let width = nameWidth(names, least: 19, beside: 12 + 34)
    var lines = [
      ink.faint(
        left("most missing of", width) + left("day", 12)
          + cells([("sessions", 9), ("expected", 10), ("missing", 8), ("rate", 7)]))
    ]
    for (cell, name) in zip(worst, names) {
      lines.append(left(name, width) + left(cell.place?.day ?? FunnelGroup.otherName, 12) + counts(cell.faults))
    }
    if rest.sessions > 0 { lines.append(left(FunnelGroup.otherName, width + 12) + counts(rest)) }
    return lines
  }

  /// Sessions, expected and missing events and their rate: what all these lines have alike.
  private func counts(_ faults: SessionFaults) -> String {
    cells([
      (FigureText.count(faults.sessions), 9), (FigureText.count(faults.expectedEvents), 10),
      (number(faults.missingEvents), 8),
    ]) + (faults.missingEvents > 0 ? ink.caution : ink.faint)(right(FigureText.percent(faults.missingRate.value), 7))
  }
}
