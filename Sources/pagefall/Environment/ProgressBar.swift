import Foundation

/// A line on the terminal that shows how far a long command is; nothing where standard error is no terminal.
///
/// Draws at most ten times a second, so that it costs nothing.
struct ProgressBar: ~Copyable {
  private let totalBytes: Int64?
  private let begin: ContinuousClock.Instant
  private var drawn: ContinuousClock.Instant?
  private let isShown: Bool

  /// - Parameter totalBytes: how much there is to do, where that is known (a pipe's end is not).
  init(totalBytes: Int64?) {
    self.totalBytes = totalBytes
    begin = .now
    isShown = Console.isTerminal(STDERR_FILENO)
  }

  /// Shows how far it is: bytes read, events judged.
  mutating func update(bytes: Int64, events: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let drawn, now - drawn < .milliseconds(100) { return }
    drawn = now
    let line = Self.line(bytes: bytes, totalBytes: totalBytes, events: events, elapsed: now - begin)
    // Back to the line's start, the text, and the rest of the line erased.
    Console.noteWithoutNewline("\r\(line)\u{1B}[K")
  }

  /// Takes the line away.
  mutating func finish() {
    if drawn != nil { Console.noteWithoutNewline("\r\u{1B}[K") }
    drawn = nil
  }

  /// The text: a bar and the time left where the end is known.
  static func line(bytes: Int64, totalBytes: Int64?, events: Int, elapsed: Duration) -> String {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    let rate = seconds > 0 ? Int(Double(events) / seconds) : 0
    let counts = "\(size(bytes)), \(events) events, \(rate)/s"
    guard let totalBytes, totalBytes > 0 else { return counts }
    let share = min(1, Double(bytes) / Double(totalBytes))
    let filled = Int(share * 20)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    let left = share > 0.01 ? seconds / share * (1 - share) : nil
    let leftText = left.map { ", \(span($0)) left" } ?? ""
    return "\(bar) \(Int(share * 100)) %  \(counts)\(leftText)"
  }

  private static func size(_ bytes: Int64) -> String {
    bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }

  private static func span(_ seconds: Double) -> String {
    let seconds = Int(seconds.rounded(.up))
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
