import FunnelDocument

/// The order of the categories of a report of buttons (`--sort`).
public struct ButtonsOrder: Sendable, Equatable {
  /// A column of the report, by its key in JSON.
  public enum Column: String, Sendable, CaseIterable {
    case responses, app
    case category = "category_id"
    case buttonResponses = "button_responses"
    case buttonRate = "button_rate"
    case opens
    case openRate = "open_rate"
    case dismissals
    case dismissalRate = "dismissal_rate"
  }

  /// What is looked at first. Equal lines stand by responses, then by app and category.
  public var column: Column
  /// Whether the order is turned round. It is from the largest to the smallest, names from A.
  public var isReversed: Bool

  /// By responses, the most first, unless said otherwise.
  public init(_ column: Column = .responses, isReversed: Bool = false) {
    self.column = column
    self.isReversed = isReversed
  }

  /// Reads the value of `--sort`: a column, with `-` in front the other way round.
  ///
  /// - Throws: `.usage` with the columns that there are.
  public init(argument: String) throws(ReportError) {
    let order: (column: Column, isReversed: Bool) = try LineOrder.read(argument, of: "categories")
    self.init(order.column, isReversed: order.isReversed)
  }

  /// The lines in this order. A rate that is not there stands last, whichever way round.
  func sorted(_ lines: [CategoryLine], minimumCount: Int) -> [CategoryLine] {
    LineOrder.sorted(
      lines, isReversed: isReversed, name: name, number: { number($0, minimumCount: minimumCount) },
      precedes: CategoryLine.precedes)
  }

  /// What lines are ordered by where it is a text.
  private func name(_ line: CategoryLine) -> String {
    switch column {
    case .app: line.app ?? ""
    case .category: line.categoryID ?? StorySelection.noneText
    case .responses, .buttonResponses, .buttonRate, .opens, .openRate, .dismissals, .dismissalRate: ""
    }
  }

  /// What lines are ordered by where it is a number.
  private func number(_ line: CategoryLine, minimumCount: Int) -> Double? {
    let rates = ResponseRates(line.counts, minimumCount: minimumCount)
    switch column {
    case .responses: return Double(line.counts.responses)
    case .buttonResponses: return Double(line.counts.buttonResponses)
    case .buttonRate: return rates.buttons.value
    case .opens: return Double(line.counts.opens)
    case .openRate: return rates.opens.value
    case .dismissals: return Double(line.counts.dismissals)
    case .dismissalRate: return rates.dismissals.value
    case .app, .category: return nil
    }
  }
}
