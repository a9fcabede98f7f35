import FunnelDocument
import PrintedText

extension QualityTable {
  private static let mostReasons = 12

  /// What became of accepted events, by app.
  var fateLines: [String] {
    let fates = report.fates
    guard fates.total.accepted > 0 else { return [] }
    let widths = [12, 11, 13, 9, 9, 9]
    let names = fates.apps.map { words.shown($0.app) }
    let width = nameWidth(names + ["all apps"], least: 16, beside: widths.reduce(0, +))
    let titles = ["accepted", "duplicate", "conflicting", "foreign", "expired", "refused"]
    var lines = [ink.faint(left("events of app", width) + cells(zip(titles, widths).map { ($0, $1) }))]
    func line(_ name: String, _ numbers: FateNumbers) -> String {
      let counts = [
        numbers.duplicates, numbers.conflictingDuplicates, numbers.foreignSessions, numbers.expired,
        numbers.refusedByDatabase,
      ]
      let rates = counts.map { $0 == 0 ? "·" : FigureText.percent(Rate($0, of: numbers.accepted).value) }
      return left(name, width) + cells(zip([FigureText.count(numbers.accepted)] + rates, widths).map { ($0, $1) })
    }
    for (app, name) in zip(fates.apps, names) { lines.append(line(name, app.numbers)) }
    if fates.apps.count > 1 { lines.append(line("all apps", fates.total)) }
    return lines
      + wrapped("By day of receipt in UTC\(days), of apps and not of stories; shares of the accepted events.")
      .map(ink.faint)
  }

  private var days: String {
    switch (report.fates.firstDay, report.fates.lastDay) {
    case (nil, nil): ""
    case (let first?, nil): ", from \(first)"
    case (nil, let last?): ", up to \(last)"
    case (let first?, let last?): first == last ? ", \(first)" : ", \(first) through \(last)"
    }
  }

  /// Rejected events by reason and app, and the command that shows them.
  var rejectionLines: [String] {
    let rejected = report.rejected
    let removed =
      report.removedRejections == 0
      ? []
      : wrapped(
        "\(FigureText.count(report.removedRejections, "rejected event")) of any time, removed because of age or number, "
          + "cannot be shown any more."
      ).map(ink.faint)
    guard !rejected.isEmpty else { return ["No event was rejected."] + removed }
    var lines = [ink.faint(left("rejected as", 26) + left("of app", 26) + cells([("events", 12), ("came", 12)]))]
    for reason in rejected.prefix(Self.mostReasons) {
      lines.append(
        left(words.shown(reason.code), 26) + left(words.shown(reason.app), 26)
          + cells([(FigureText.count(reason.events), 12), (FigureText.count(reason.times), 12)]))
    }
    let rest = rejected.dropFirst(Self.mostReasons)
    if !rest.isEmpty {
      let events = rest.reduce(0) { $0 + $1.events }
      let times = rest.reduce(0) { $0 + $1.times }
      lines.append(
        left(FunnelGroup.otherName, 52) + cells([(FigureText.count(events), 12), (FigureText.count(times), 12)]))
    }
    return lines + removed + ["See them:"] + command(words.rejectedCommand(nil), indent: 2)
  }

  var fallbackLines: [String] {
    let fallbacks = report.fallbacks
    guard !fallbacks.isEmpty else { return report.presentations > 0 ? ["No presentation fell back."] : [] }
    var lines = [ink.faint(left("fell back because of", 46) + cells([("presentations", 15), ("share", 15)]))]
    for fallback in fallbacks {
      let share = Rate(fallback.presentations, of: report.presentations).value
      lines.append(
        left(fallback.reason.map { $0.isEmpty ? "\"\"" : DisplayText.escaped($0) } ?? FunnelGroup.otherName, 46)
          + cells([(FigureText.count(fallback.presentations), 15), (FigureText.percent(share), 15)]))
    }
    return lines
  }

  var remarks: [String] {
    let dropped = report.dropped
    var lines =
      dropped.isEmpty
      ? []
      : wrapped(
        "Devices say that they gave up, ever: "
          + dropped.prefix(Self.mostReasons)
          .map { "\(FigureText.count($0.events, "event")) of \(words.shown($0.app))" }.joined(separator: ", ")
          + (dropped.count > Self.mostReasons
            ? ", \(FigureText.count(dropped.dropFirst(Self.mostReasons).reduce(0) { $0 + $1.events })) of others."
            : "."))
    if let freshness = ScopeText(quality: report).freshness {
      lines += wrapped("\(freshness) What each number means: docs/quality.md.").map(ink.faint)
    }
    return lines
  }
}
