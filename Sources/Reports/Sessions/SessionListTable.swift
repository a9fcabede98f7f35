import PrintedText

/// A list of sessions for people: fits 80 columns and grows with the terminal.
struct SessionListTable {
  private let list: SessionList
  private let ink: Ink
  private let columns: Int
  /// The year stands below the table then, and not in each line.
  private let isOneYear: Bool
  /// As much of the ids as tells those of the list apart.
  private let idCharacters: Int

  private static let allHeads = ["session", "started", "story", "version", "device", "events", "pages", "did"]
  /// Those that may be cut where there is no room, and how much of them has to stay.
  private static let flexible = [2: 6, 3: 5, 4: 5, 7: 8]
  private static let usefulColumns = 80...200

  init(_ list: SessionList, _ style: TextStyle) {
    self.list = list
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
    // Once, and not in each line: there may be ten thousand.
    isOneYear = Set(list.sessions.map { Self.started($0, in: list).prefix(4) }).count == 1
    let ids = Set(list.sessions.map(\.id))
    idCharacters =
      [SessionReference.leastCharacters, 23].first { length in Set(ids.map { $0.prefix(length) }).count == ids.count }
      ?? 36
  }

  /// The whole table, with a newline at its end.
  var text: String {
    if let explanation = list.explanation { return explanation + "\n" }
    let all = list.sessions.map(cells)
    // A column in which nobody has a value says nothing.
    let shown = Self.allHeads.indices.filter { column in
      Self.flexible[column] == nil || all.contains { $0[column] != FigureText.none }
    }
    let rows = ([Self.allHeads] + all).map { row in shown.map { row[$0] } }
    let gap = columns < 100 ? 1 : 2
    let widths = fitting(
      shown.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }, shown, gap: gap)
    let lines = rows.map { line($0, shown, widths, gap) }
    return ([ink.faint(lines[0])] + lines.dropFirst() + [""] + remarks.map(ink.faint)).joined(separator: "\n") + "\n"
  }

  private var remarks: [String] {
    let count = FigureText.count(list.sessions.count, "session")
    let order = list.isOldestFirst ? "the oldest start first" : "the newest start first"
    let more = list.hasMore ? "; there are more (--limit)" : ""
    let year = isOneYear ? list.sessions.first.map { ", \(Self.started($0, in: list).prefix(4))" } ?? "" : ""
    let first = list.sessions.first?.id.prefix(idCharacters) ?? ""
    return [
      "\(count), \(order)\(more).", "Times are of \(list.timeZone.name)\(year).",
      "One as a timeline: pagefall report session \(first)",
    ]
  }

  private func cells(_ session: SessionLine) -> [String] {
    let events = FigureText.count(session.events)
    let start = Self.started(session, in: list)
    return [
      String(session.id.prefix(idCharacters)), isOneYear ? String(start.dropFirst(5)) : start,
      shown(session.story), shown(session.appVersion), shown(session.deviceModel ?? session.deviceID),
      session.missingEvents == 0 ? events : "\(events)/\(FigureText.count(session.events + session.missingEvents))",
      "\(session.pagesReached)/\(session.pageCount.map(String.init) ?? "?")", session.summary,
    ]
  }

  private func shown(_ text: String?) -> String { text.map(DisplayText.escaped) ?? FigureText.none }

  private static func started(_ session: SessionLine, in list: SessionList) -> String {
    ClockText.seconds(session.startedAtMicroseconds, in: list.timeZone)
  }

  /// Takes from the widest of the flexible columns until the line fits.
  private func fitting(_ natural: [Int], _ shown: [Int], gap: Int) -> [Int] {
    var widths = natural
    while widths.reduce(0, +) + gap * (widths.count - 1) > columns {
      let candidates = shown.indices.filter { place in Self.flexible[shown[place]].map { widths[place] > $0 } ?? false }
      guard let widest = candidates.max(by: { (widths[$0], $0) < (widths[$1], $1) }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  private func line(_ cells: [String], _ shown: [Int], _ widths: [Int], _ gap: Int) -> String {
    var line = ""
    for (place, cell) in cells.enumerated() {
      let isNumber = shown[place] == 5 || shown[place] == 6
      line += DisplayWidth.pad(DisplayWidth.cut(cell, to: widths[place]), to: widths[place], isRightAligned: isNumber)
      line += String(repeating: " ", count: gap)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
