/// The line on the terminal that shows how far a file is read.
struct ProgressBar: ~Copyable {
  private let totalBytes: Int64?
  private var line = TerminalLine()

  /// - Parameter totalBytes: how much there is to do, where that is known (a pipe's end is not).
  init(totalBytes: Int64?) {
    self.totalBytes = totalBytes
  }

  /// Shows how far it is: bytes read, events judged.
  mutating func update(bytes: Int64, events: Int) {
    let totalBytes = totalBytes
    line.draw { elapsed in Self.line(bytes: bytes, totalBytes: totalBytes, events: events, elapsed: elapsed) }
  }

  /// Takes the line away.
  mutating func finish() { line.erase() }

  /// The text: a bar and the time left where the end is known.
  static func line(bytes: Int64, totalBytes: Int64?, events: Int, elapsed: Duration) -> String {
    let seconds = TerminalLine.seconds(elapsed)
    let rate = seconds > 0 ? Int(Double(events) / seconds) : 0
    let counts = "\(size(bytes)), \(events) events, \(rate)/s"
    guard let totalBytes, totalBytes > 0 else { return counts }
    let share = min(1, Double(bytes) / Double(totalBytes))
    return "\(TerminalLine.bar(share))  \(counts)\(TerminalLine.timeLeft(share, elapsed: elapsed))"
  }

  private static func size(_ bytes: Int64) -> String {
    bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }
}
