import Foundation

/// A line on the terminal that is drawn over; nothing where standard error is no terminal.
///
/// Draws at most ten times a second, so that it costs nothing.
struct TerminalLine: ~Copyable {
  private let begin = ContinuousClock.now
  private var drawn: ContinuousClock.Instant?
  private let isShown = Console.isTerminal(STDERR_FILENO)

  /// Draws the line, where it is time; `text` gets the time since the beginning.
  mutating func draw(_ text: (Duration) -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let drawn, now - drawn < .milliseconds(100) { return }
    drawn = now
    // Back to the line's start, the text, and the rest of the line erased.
    Console.noteWithoutNewline("\r\(text(now - begin))\u{1B}[K")
  }

  /// Takes the line away.
  mutating func erase() {
    if drawn != nil { Console.noteWithoutNewline("\r\u{1B}[K") }
    drawn = nil
  }

  /// `█████░░░░░░░░░░░░░░░ 25 %`.
  static func bar(_ share: Double) -> String {
    let filled = Int(share * 20)
    return String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled) + " \(Int(share * 100)) %"
  }

  /// `, 12 s left`, once that can be told.
  static func timeLeft(_ share: Double, elapsed: Duration) -> String {
    guard share > 0.01 else { return "" }
    let seconds = Int((Self.seconds(elapsed) / share * (1 - share)).rounded(.up))
    return seconds < 60 ? ", \(seconds) s left" : ", \(seconds / 60) min \(seconds % 60) s left"
  }

  /// The length in seconds.
  static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
