import FunnelDocument
import PrintedText

/// A report of buttons for issues, pages and chats: GitHub's Markdown.
struct ButtonsMarkdown {
  let text: String

  init(_ buttons: Buttons) {
    let report = buttons.report
    var blocks = [Self.categories(report), ButtonsText.hidden(report.hiddenCategories)].compactMap { $0 }
    if let groups = report.groups {
      blocks.append(Self.groups(buttons, groups))
      if let others = ScopeText.others(groups.last?.mergedGroups) { blocks.append(others) }
    }
    text = MarkdownText.document(
      "Answers to notifications", ScopeText(buttons: buttons), explanation: buttons.explanation, blocks: blocks,
      remarks: ButtonsText.legend(report) + ButtonsText.completeness(report), definitions: ButtonsReport.definitions)
  }

  private static func categories(_ report: ButtonsReport) -> String {
    var rows: [[String]] = []
    for category in report.categories {
      let rates = report.rates(of: category.counts)
      let note = ButtonsText.note(category).map { " (\($0))" } ?? ""
      let names = [
        escaped(DisplayText.escaped(category.app ?? "")), escaped(ButtonsText.category(category) + note),
      ]
      for button in category.buttons {
        rows.append(
          names + [escaped(ButtonsText.button(button)), ButtonsText.traits(button)]
            + figures(button.responses, rates.share(button.responses)))
      }
      rows += ends(rates).map { names + $0 }
    }
    if report.categories.count + report.hiddenCategories > 1 {
      let rates = report.rates(of: report.total)
      let names = ["", ButtonsText.total(report)]
      rows.append(names + ["by a button", ""] + figures(report.total.buttonResponses, rates.buttons))
      rows += ends(rates).map { names + $0 }
    }
    return MarkdownText.table(["app", "category", "answer", "", "responses", "share", "95%"], textColumns: 4, rows)
  }

  private static func groups(_ buttons: Buttons, _ groups: [ButtonsGroup]) -> String {
    let rows = groups.map { group in
      let rates = buttons.report.rates(of: group.counts)
      return [escaped(ButtonsText.group(group)), FigureText.count(group.counts.responses)]
        + [rates.buttons, rates.opens, rates.dismissals].flatMap {
          [FigureText.percent($0.value), FigureText.interval($0.wilsonInterval)]
        }
    }
    let header = [
      escaped(DisplayText.escaped(buttons.groupedBy ?? "group")), "responses", "by a button", "95%", "opens", "95%",
      "dismissals", "95%",
    ]
    return MarkdownText.table(header, textColumns: 1, rows)
  }

  private static func ends(_ rates: ResponseRates) -> [[String]] {
    [
      ["plain opens", ""] + figures(rates.counts.opens, rates.opens),
      ["dismissals", ""] + figures(rates.counts.dismissals, rates.dismissals),
    ]
  }

  private static func figures(_ responses: Int, _ share: Rate) -> [String] {
    [FigureText.count(responses), FigureText.percent(share.value), FigureText.interval(share.wilsonInterval)]
  }

  private static func escaped(_ text: String) -> String { MarkdownText.escaped(text) }
}
