import Foundation

/// Names local days (metrics §1), by Foundation's calendar: another way than the one by which reports find them.
package struct DayNaming: Sendable {
  private let calendar: Calendar
  private let zone: TimeZone

  /// Clocks are set back by less than this, in seconds.
  private static let longestStep = 3 * 3_600

  /// Begins with a zone.
  package init(_ zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
    self.zone = zone
  }

  /// The day that holds an instant, such as `2026-11-29`.
  package func name(atMicroseconds microseconds: Int64) -> String {
    let seconds = Int(microseconds / 1_000_000)
    let name = date(seconds)
    guard offset(seconds) < offset(seconds - Self.longestStep) else { return name }
    // The clocks were set back. A day that had begun before stays the day.
    var (before, after) = (seconds - Self.longestStep, seconds)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if offset(middle) == offset(seconds) { after = middle } else { before = middle }
    }
    return max(name, date(before))
  }

  /// The hour that the local clock shows at an instant, such as `09`.
  package func hour(atMicroseconds microseconds: Int64) -> String {
    padded(calendar.component(.hour, from: Date(timeIntervalSince1970: Double(microseconds / 1_000_000))), 2)
  }

  private func offset(_ seconds: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
  }

  private func date(_ seconds: Int) -> String {
    let parts = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
    return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
  }

  private func padded(_ number: Int?, _ digits: Int) -> String {
    let text = String(number ?? 0)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
