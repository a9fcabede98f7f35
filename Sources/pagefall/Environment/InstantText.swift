import Foundation

/// Instants as people write and read them.
enum InstantText {
  /// `2026-11-30T03:00:00Z`: whole seconds, UTC.
  static func text(microseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).formatted(.iso8601)
  }

  /// Reads `2026-11-30` (midnight UTC) or RFC 3339; microseconds since 1970.
  static func microseconds(_ text: String) -> Int64? {
    let whole = text.contains("T") || text.contains("t") ? text.uppercased() : text + "T00:00:00Z"
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      if let date = try? style.parse(whole) { return Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }
    }
    return nil
  }
}
