import Exports

/// The line on the terminal that shows how far an export is.
struct ExportProgressBar: ~Copyable {
  private var line = TerminalLine()

  /// Shows how far it is.
  mutating func update(_ progress: ExportProgress) {
    line.draw { elapsed in Self.text(progress, elapsed: elapsed) }
  }

  /// Takes the line away.
  mutating func finish() { line.erase() }

  /// The text: a bar over all events, and the day under way.
  static func text(_ progress: ExportProgress, elapsed: Duration) -> String {
    let share = progress.eventCount > 0 ? min(1, Double(progress.events) / Double(progress.eventCount)) : 0
    return "\(TerminalLine.bar(share))  day \(progress.day) of \(progress.dayCount), \(progress.events) events"
      + TerminalLine.timeLeft(share, elapsed: elapsed)
  }
}
