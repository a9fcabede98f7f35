import FunnelDocument
import PrintedText

/// Cells of CSV for spreadsheets (RFC 4180): null is empty, an empty text `""`, intervals have a column for each bound.
struct CSVLine {
  /// Whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  let isSafe: Bool

  func text(_ text: String?) -> String { CSVText.cell(text, isSafe: isSafe) }

  func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }

  func count(_ value: Int?) -> String { value.map(String.init) ?? "" }

  /// Numerator, rate, and the interval's bounds.
  func rate(_ rate: Rate) -> [String] {
    [
      String(rate.numerator), number(rate.value), number(rate.wilsonInterval?.lower),
      number(rate.wilsonInterval?.upper),
    ]
  }

  /// Distinct devices, presentations with one, and their share; empty where they were not asked for.
  func devices(_ devices: DeviceCounts?, _ rates: FunnelRates) -> [String] {
    let share = devices?.share(ofPresentations: rates.counts.presentations, isHidden: rates.areHidden)
    return [count(devices?.distinct), count(devices?.presentationsWithDevice), number(share?.value)]
  }

  /// The columns of `devices`.
  static let deviceColumns = ["devices", "presentations_with_device", "device_share"]
}
