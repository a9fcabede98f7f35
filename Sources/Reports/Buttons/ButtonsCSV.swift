import FunnelDocument

/// A report of buttons for spreadsheets (RFC 4180): a line a category and a line a button of each set of responses, behind a line
/// with the set's total.
///
/// The first set is `(total)`; with groups each follows. The line of a set's total has no app and no category, that of a category
/// no button. Responses that name no category are those of the category `(none)`. Keys are those of the JSON form; `share` is
/// that of a button in its category; intervals have a column for each bound; null is empty, an empty text `""`.
struct ButtonsCSV {
  private(set) var text = ""
  private let cells: CSVLine
  private let report: ButtonsReport

  /// - Parameter isSafe: whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  init(_ buttons: Buttons, isSafe: Bool) {
    cells = CSVLine(isSafe: isSafe)
    report = buttons.report
    var lines = [Self.columns.joined(separator: ",")]
    lines += set("(total)", nil, report.total, report.categories)
    for group in report.groups ?? [] {
      lines += set(group.name, group.mergedGroups, group.counts, group.categories)
    }
    text = lines.map { $0 + "\r\n" }.joined()
  }

  private static let columns = [
    "group", "app", "category_id", "known", "button_id", "label", "opens_app", "destructive", "current", "responses",
    "share", "share_low", "share_high", "button_responses", "button_rate", "button_low", "button_high", "opens",
    "open_rate", "open_low", "open_high", "dismissals", "dismissal_rate", "dismissal_low", "dismissal_high",
    "expected_events", "missing_events", "from", "to", "timezone", "filters",
    "merged_groups",
  ]

  private func set(
    _ group: String, _ mergedGroups: Int?, _ counts: ResponseCounts, _ categories: [CategoryLine]
  ) -> [String] {
    let head = [cells.text(group)]
    var lines = [line(head + ["", "", "", "", "", "", "", ""] + figures(counts), mergedGroups)]
    for category in categories {
      let names =
        head + [
          cells.text(category.app), cells.text(category.categoryID ?? StorySelection.noneText),
          String(category.isKnown),
        ]
      lines.append(line(names + ["", "", "", "", ""] + figures(category.counts), mergedGroups))
      let rates = report.rates(of: category.counts)
      for button in category.buttons {
        let traits: [String] = [
          cells.text(button.buttonID), cells.text(button.label), button.opensApp.map { String($0) } ?? "",
          button.isDestructive.map { String($0) } ?? "", String(button.isCurrent),
        ]
        lines.append(
          line(
            names + traits + cells.rate(rates.share(button.responses)) + [String](repeating: "", count: 14),
            mergedGroups))
      }
    }
    return lines
  }

  /// From `responses` to `missing_events`.
  private func figures(_ counts: ResponseCounts) -> [String] {
    let rates = report.rates(of: counts)
    return [String(counts.responses), "", "", ""] + cells.rate(rates.buttons) + cells.rate(rates.opens)
      + cells.rate(rates.dismissals) + [String(counts.expectedEvents), String(counts.missingEvents)]
  }

  private func line(_ fields: [String], _ mergedGroups: Int?) -> String {
    let scope = report.scope
    let asked = [scope.from, scope.to, scope.timeZone, scope.filterText].map(cells.text)
    return (fields + asked + [cells.count(mergedGroups)]).joined(separator: ",")
  }
}
