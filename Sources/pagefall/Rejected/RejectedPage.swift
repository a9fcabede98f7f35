import EventStore
import LocalTime
import PrintedText

/// What `pagefall rejected show` prints: a line for each thing that is known, then the body.
enum RejectedPage {
  static func text(_ entry: RejectedEntry, body: [UInt8]) -> String {
    let lines: [(String, String)] = [
      ("handle", entry.handle),
      ("sha256", entry.sha256Text),
      ("app", DisplayText.escaped(entry.app)),
      ("code", DisplayText.escaped(entry.reason.code)),
      ("field", entry.reason.field.map(DisplayText.escaped) ?? "none"),
      ("message", DisplayText.escaped(entry.reason.message)),
      ("times", String(entry.count)),
      ("first received", instant(entry.firstReceivedAtMicroseconds)),
      ("last received", instant(entry.lastReceivedAtMicroseconds)),
      ("sent_at", entry.sentAtMicroseconds.map(instant) ?? "none (of the first time)"),
      ("place", entry.place.map { "\($0) (index in its request from 0, or line of its file)" } ?? "not known"),
      ("kept since", instant(entry.keptSinceMicroseconds)),
      ("body", "\(body.count) bytes, escaped; --raw prints them as they are"),
    ]
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { DisplayWidth.pad($0.0, to: width) + "  \($0.1)\n" }.joined() + "\n" + EscapedBytes.text(body)
      + "\n"
  }

  private static func instant(_ microseconds: Int64) -> String { TimestampText.rfc3339(microseconds, in: .utc) }
}
