import FunnelDocument

/// A comparison for spreadsheets (RFC 4180): a line a rate, first those of the sessions, then those of each page.
struct ComparisonCSV {
  private(set) var text = ""
  private let csv: CSVLine

  /// Makes the text.
  ///
  /// - Parameter isSafe: whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  init(_ comparison: Comparison, isSafe: Bool) {
    csv = CSVLine(isSafe: isSafe)
    let sides = [comparison.a, comparison.b].map { csv.text($0.label) }
    var lines = [Self.columns]
    lines += comparison.rates.map { sides + ["", "", ""] + cells($0) }
    for page in comparison.pages {
      let titles = [page.titleOfA, page.titleOfB].map { csv.text($0) }
      lines += page.rates.map { sides + [String(page.index)] + titles + cells($0) }
    }
    text = lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static let columns = [
    "a", "b", "page_index", "a_page_title", "b_page_title", "rate", "a_numerator", "a_denominator", "a_value", "a_low",
    "a_high", "b_numerator", "b_denominator", "b_value", "b_low", "b_high", "difference", "difference_low",
    "difference_high", "p_value", "p_value_adjusted",
  ]

  private func cells(_ rate: ComparedRate) -> [String] {
    let compared = rate.comparison
    let interval = compared.differenceInterval
    return [rate.name.rawValue] + cells(compared.a) + cells(compared.b) + [
      csv.number(compared.difference), csv.number(interval?.lower), csv.number(interval?.upper),
      csv.number(compared.pValue), csv.number(rate.adjustedPValue),
    ]
  }

  private func cells(_ rate: Rate) -> [String] {
    [
      String(rate.numerator), String(rate.denominator), csv.number(rate.value),
      csv.number(rate.wilsonInterval?.lower), csv.number(rate.wilsonInterval?.upper),
    ]
  }
}
