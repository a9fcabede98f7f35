import FunnelDocument
import LocalTime
import PrintedText

/// A session for people: its heading, its events, how it counts. Fits 80 columns and grows with the terminal.
struct SessionTimelineText {
  private let timeline: SessionTimeline
  private let ink: Ink
  private let columns: Int

  private static let usefulColumns = 64...160

  init(_ timeline: SessionTimeline, _ style: TextStyle) {
    self.timeline = timeline
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
  }

  /// The whole text, with a newline at its end.
  var text: String {
    let blocks = [heading, eventLines, countingLines, rejectedLines, timeline.remarks.flatMap { wrapped($0) }]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  // MARK: Heading

  private var heading: [String] {
    let line = timeline.line
    let zone = timeline.timeZone
    var facts = [
      ("app", DisplayText.escaped(line.app)), ("story", line.story.map(DisplayText.escaped) ?? StorySelection.noneText),
      ("started", "\(ClockText.milliseconds(line.startedAtMicroseconds, in: zone)) \(zone.name)"),
      ("arrived", ClockText.milliseconds(line.arrivedAtMicroseconds, in: zone)), ("clock", clock),
    ]
    facts += timeline.context.filter { $0.name != "story_id" }.map { ($0.name, DisplayText.escaped($0.text)) }
    if let properties = timeline.properties { facts.append(("properties", DisplayText.escaped(properties))) }
    let width = facts.map(\.0.count).max() ?? 0
    return [ink.strong("Session \(line.id)")]
      + facts.flatMap { indented($0.1, "  \(DisplayWidth.pad($0.0, to: width))  ") }
  }

  private var clock: String {
    let offset = timeline.clockOffsetMicroseconds
    let correction =
      offset == 0 ? "the device's, not corrected" : "corrected by \(ClockText.length(offset)) (see arrived)"
    guard timeline.line.facts.contains(.hasSuspectClock) else { return correction }
    return correction + "; not believable, so the session counts at its arrival"
  }

  // MARK: Events

  private var eventLines: [String] {
    let width = max(3, "\(timeline.events.last?.seq ?? 0)".count)
    let after = timeline.events.map { ClockText.length($0.afterMicroseconds).count }.max() ?? 0
    let afterWidth = max(after, 5)
    let front = width + 2 + 23 + 2 + afterWidth + 2
    var lines = [
      ink.faint(
        right("seq", width) + "  " + DisplayWidth.pad("device clock", to: 23) + "  " + right("after", afterWidth)
          + "  event")
    ]
    var gaps = timeline.gaps[...]
    for event in timeline.events {
      while let gap = gaps.first, gap.upperBound < event.seq {
        lines += gapLines(gap, width, front)
        gaps.removeFirst()
      }
      let place = [
        right("\(event.seq)", width), ClockText.milliseconds(event.atMicroseconds, in: timeline.timeZone),
        right(ClockText.length(event.afterMicroseconds), afterWidth),
      ].joined(separator: "  ")
      lines += indented(words(event), place + "  ")
      for remark in remarks(event) {
        lines += indented(remark, String(repeating: " ", count: width + 2) + "└ ").map(ink.faint)
      }
    }
    if timeline.unlistedEvents > 0 {
      lines.append("\(FigureText.count(timeline.unlistedEvents, "further event")), judged but not listed.")
    }
    return lines
  }

  private func gapLines(_ gap: ClosedRange<Int>, _ width: Int, _ front: Int) -> [String] {
    let name = gap.count == 1 ? right("\(gap.lowerBound)", width) : "\(gap.lowerBound)–\(gap.upperBound)"
    let words = gap.count == 1 ? "missing: never arrived" : "\(FigureText.count(gap.count)) missing: never arrived"
    return [ink.caution(DisplayWidth.pad(name, to: front) + words)]
  }

  private func words(_ event: TimelineEvent) -> String {
    var words = event.type
    if let page = event.page { words += " \(page)" }
    if let count = event.pageCount { words += ", \(FigureText.count(count, "page"))" }
    if let title = event.title { words += " “\(DisplayText.escaped(title))”" }
    for detail in event.details { words += ", \(detail.name) \(DisplayText.escaped(detail.text))" }
    return words
  }

  private func remarks(_ event: TimelineEvent) -> [String] {
    var remarks: [String] = []
    if let impression = event.impression {
      let dwell =
        impression.dwellMicroseconds.map { "shown for \(ClockText.length($0))" }
        ?? "no dwell (\(impression.dwellReason ?? ""))"
      remarks.append("\(impression.departure): \(impression.reason); \(dwell)")
    }
    if let remark = event.remark { remarks.append(remark) }
    return remarks
  }

  // MARK: Counting

  private var countingLines: [String] {
    var lines = [ink.strong("How it counts")]
    for step in timeline.steps { lines += stepLines(step, indent: 2) }
    var place = 0
    while place < timeline.pages.count {
      let page = timeline.pages[place]
      guard page.impressions > 0 || page.taps > 0 else {
        let end = timeline.pages[place...].firstIndex { $0.impressions > 0 || $0.taps > 0 } ?? timeline.pages.count
        let name = end - place == 1 ? "page \(place)" : "pages \(place) to \(end - 1)"
        let reason = page.steps.first?.reason ?? ""
        lines += indented(reason, "  \(name)  ")
        place = end
        continue
      }
      let title = page.title.map { "  “\(DisplayText.escaped($0))”" } ?? ""
      lines.append(DisplayWidth.cut("  page \(page.page)\(title)", to: columns))
      for step in page.steps { lines += stepLines(step, indent: 4) }
      place += 1
    }
    return lines
  }

  private func stepLines(_ step: CountingStep, indent: Int) -> [String] {
    let name = step.name.replacing("_", with: " ")
    let lead = String(repeating: " ", count: indent) + DisplayWidth.pad(name, to: 16 - indent)
    return indented(step.reason, "\(lead)\(step.counts ? "yes" : "no ")  ")
  }

  // MARK: Rejected events

  private var rejectedLines: [String] {
    let rejected = timeline.rejected
    let days = "from a day before its arrival to \(RejectedLook.daysAfter) days after"
    let extent = rejected.isCutShort ? "the first \(FigureText.count(rejected.lookedAt))" : "all"
    let looked =
      rejected.lookedAt == 0
      ? "No event of the app was rejected \(days)."
      : "Looked at \(extent) rejected events of the app \(days): \(FigureText.count(rejected.found)) "
        + "\(rejected.found == 1 ? "names" : "name") this session\(rejected.found == 0 ? "." : ":")"
    var lines = wrapped(looked)
    for event in rejected.events {
      let field = event.field.map { " \(DisplayText.escaped($0))" } ?? ""
      let times = event.count == 1 ? "" : " (\(event.count) times)"
      lines += indented(
        "\(DisplayText.escaped(event.code))\(field): \(DisplayText.escaped(event.message))\(times)",
        "  \(event.handle)  ")
    }
    if rejected.found > rejected.events.count { lines.append("  and \(rejected.found - rejected.events.count) more") }
    return lines
  }

  // MARK: Pieces

  private func right(_ text: String, _ width: Int) -> String { DisplayWidth.pad(text, to: width, isRightAligned: true) }

  private func wrapped(_ text: String) -> [String] { indented(text, "") }

  /// Breaks a text between words behind a lead, whose width the further lines keep free. Nothing of a value is left out.
  private func indented(_ text: String, _ lead: String) -> [String] {
    let used = DisplayWidth.columns(of: lead)
    let lines = WrappedText.lines(text, columns: max(16, columns - used), wideWords: .broken)
    return (lines.isEmpty ? [""] : lines).enumerated().map {
      $0 == 0 ? lead + $1 : String(repeating: " ", count: used) + $1
    }
  }
}
