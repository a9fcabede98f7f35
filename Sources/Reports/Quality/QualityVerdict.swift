import FunnelDocument

/// What makes the numbers of a report doubtful, worst first, with what to do. The thresholds are those of docs/quality.md §7.
struct QualityVerdict {
  let report: QualityReport
  let text: QualityText
  private(set) var findings: [QualityFinding] = []

  /// From this share on something is worth a sentence.
  static let notableShare = 0.01
  /// The same for events that a sender or a setting has spoiled: these never come back by themselves.
  static let notableEventShare = 0.001
  /// How many versions or days of a kind are named.
  static let mostNamed = 3
  /// Fewer sessions than this say nothing about a version or a day.
  static let leastSessions = 20

  /// Looks at everything.
  ///
  /// - Parameters:
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  ///   - endMicroseconds: where the range ends; nil where it does not.
  ///   - dataThroughMicroseconds: the newest arrival among the apps of the scope.
  init(_ report: QualityReport, nowMicroseconds: Int64, endMicroseconds: Int64?, _ dataThroughMicroseconds: Int64?) {
    self.report = report
    text = QualityText(report)
    judgeArrivals(nowMicroseconds: nowMicroseconds, endMicroseconds: endMicroseconds, dataThroughMicroseconds)
    judgeNumbering()
    judgeMissingEvents()
    judgeSessions()
    judgeClocks()
    judgeFates()
    judgeRefusals()
    findings.sort { left, right in
      if left.severity != right.severity { return left.severity == .serious }
      return left.weight > right.weight
    }
  }

  /// Notes something.
  ///
  /// - Parameters:
  ///   - weight: the share of the numbers that it touches.
  ///   - serious: from this share on it is serious.
  mutating func note(
    _ code: QualityCode, weight: Double, serious: Double, _ sentence: String, _ advice: String, command: [String] = []
  ) {
    findings.append(
      QualityFinding(
        code: code, severity: weight >= serious ? .serious : .notable, sentence: sentence, advice: advice,
        command: command, weight: weight))
  }

  // MARK: Missing events

  private mutating func judgeMissingEvents() {
    let versions = report.versions.compactMap { version in version.name.map { (name: $0, faults: version.faults) } }
    let bad = Self.outliers(versions.map(\.faults), of: report.total)
    for place in bad.places.prefix(Self.mostNamed) {
      let (name, faults) = versions[place]
      note(
        .missingEventsOfVersion, weight: faults.missingRate.value ?? 0, serious: 0.05,
        "\(text.version(name)) loses \(text.share(faults.missingRate, of: "its events"))"
          + (bad.rest.expectedEvents > 0 ? "; all others \(FigureText.percent(bad.rest.missingRate.value))." : "."),
        "Look at how it sends, and leave it out of reports:", command: text.condition(without: name))
    }
    if bad.places.count > Self.mostNamed {
      findings[findings.count - 1].sentence +=
        " So do \(FigureText.count(bad.places.count - Self.mostNamed, "more version")); see the table."
    }
    if let rate = bad.rest.missingRate.value, rate >= Self.notableShare {
      let others = bad.places.isEmpty ? "" : " of the other versions"
      note(
        .missingEvents, weight: rate, serious: 0.05,
        "\(text.share(bad.rest.missingRate, of: "the events\(others)")) never arrived.",
        "Departures after a gap are unknown, and reach and taps are too low by up to as much.")
    }
    judgeDays(without: bad.places.map { versions[$0].name })
  }

  /// Looks for days that lose more than others; what bad versions lost on them is told already.
  private mutating func judgeDays(without badVersions: [VersionName]) {
    var total = report.total
    var days = report.days.compactMap { day in day.day.map { (name: $0, faults: day.faults) } }
    for cell in report.cells {
      guard let name = cell.place?.name, badVersions.contains(name), let day = cell.place?.day,
        let place = days.firstIndex(where: { $0.name == day })
      else { continue }
      days[place].faults = days[place].faults.without(cell.faults)
      total = total.without(cell.faults)
    }
    let badDays = Self.outliers(days.map(\.faults), of: total)
    for place in badDays.places.prefix(Self.mostNamed) {
      let (day, faults) = days[place]
      note(
        .missingEventsOfDay, weight: faults.missingRate.value ?? 0, serious: 0.05,
        "\(day) lost \(text.share(faults.missingRate, of: "its events")); the other days "
          + "\(FigureText.percent(badDays.rest.missingRate.value)).",
        "Ask what happened that day to the app, the network and the collector.")
    }
  }

  /// The parts that lose at least 1 % and three times as much as all that are not among them, the worst first.
  static func outliers(_ parts: [SessionFaults], of total: SessionFaults) -> (places: [Int], rest: SessionFaults) {
    func rate(_ faults: SessionFaults) -> Double { faults.missingRate.value ?? 0 }
    let candidates = parts.indices
      .filter { parts[$0].sessions >= leastSessions && rate(parts[$0]) >= notableShare }
      .sorted { rate(parts[$0]) != rate(parts[$1]) ? rate(parts[$0]) > rate(parts[$1]) : $0 < $1 }
    // Two bad ones must not hide each other: so the worst are taken away until what remains is alike.
    var best = (places: [Int](), rest: total)
    var rest = total
    for (number, place) in candidates.enumerated() {
      rest = rest.without(parts[place])
      guard rest.expectedEvents > 0 else { break }
      if rate(parts[place]) >= 3 * rate(rest) { best = (Array(candidates[...number]), rest) }
    }
    return best
  }

  /// The contract's warning `no_sequence`, as it shows in what is stored.
  private mutating func judgeNumbering() {
    let silent = report.versions.filter { version in
      version.faults.sessions >= Self.leastSessions
        && version.faults.singleEventSessions * 10 >= version.faults.sessions * 9
    }
    for version in silent.prefix(Self.mostNamed) {
      let share = Rate(version.faults.singleEventSessions, of: version.faults.sessions)
      note(
        .noSequence, weight: Rate(version.faults.sessions, of: report.total.sessions).value ?? 0, serious: 0,
        "no_sequence: \(text.share(share, of: "the sessions of \(text.version(version.name))")) are one event "
          + "numbered 0.",
        "Its funnels are wrong and its losses cannot be seen: send all events of a shown story with one session_id, "
          + "numbered from 0.")
    }
  }
}
