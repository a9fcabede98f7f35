import LocalTime

/// Instants as people write and read them.
enum InstantText {
  /// `2026-11-30T03:00:00Z`: whole seconds, UTC.
  static func text(microseconds: Int64) -> String { TimestampText.wholeSeconds(microseconds, in: .utc) }

  /// Reads `2026-11-30` (midnight UTC) or RFC 3339; microseconds since 1970.
  static func microseconds(_ text: String) -> Int64? {
    switch (try? TimeExpression(text))?.meaning {
    case .day(let date): date.dayNumber * 86_400_000_000
    case .instant(let microseconds): microseconds
    case .daysAgo, nil: nil
    }
  }
}
