import Foundation
import StoryPlayback

/// The forms of values that several options share.
extension SimulateCommand {
  static func shareValue(_ option: Option, _ invocation: Invocation) throws(CommandError) -> Double? {
    try invocation.value(option, as: "a share from 0 to 1", share)
  }

  static let shareAndSpanForm = "a share from 0 to 1, or a share and a span such as 0.1:2d"

  static func share(_ text: String) -> Double? {
    guard let share = Double(text), (0...1).contains(share) else { return nil }
    return share
  }

  static func shareAndSpan(_ text: String) -> (Double, Int64?)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let share = share(parts[0]) else { return nil }
    guard parts.count == 2 else { return (share, nil) }
    return microseconds(parts[1]).map { (share, $0) }
  }

  static func microseconds(_ text: String) -> Int64? {
    guard let span = ValueParser.duration(text)?.components else { return nil }
    let (product, overflows) = span.seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflows ? nil : product + span.attoseconds / 1_000_000_000_000
  }

  /// `VALUE` or `VALUE=WEIGHT`; what stands behind the last `=` and is no weight belongs to the value.
  static func weighted(_ text: String) -> Weighted<String> {
    guard let sign = text.lastIndex(of: "="), let weight = weight(String(text[text.index(after: sign)...])) else {
      return Weighted(text)
    }
    return Weighted(String(text[..<sign]), weight: weight)
  }

  static func weight(_ text: String) -> Double? {
    guard let weight = Double(text), (0...1_000_000).contains(weight) else { return nil }
    return weight
  }
}
