import FunnelDocument

/// The order of the lines of a report of rich media (`--sort`).
public struct RichMediaOrder: Sendable, Equatable {
  /// A column of the report, by its key in JSON.
  public enum Column: String, Sendable, CaseIterable {
    case app
    case contentCode = "content_code"
    case presentations, deferred
    case deferredRate = "deferred_rate"
    case shown
    case shownRate = "shown_rate"
    case failed
    case failedRate = "failed_rate"
    case closed
    case closedByTimer = "closed_by_timer"
    case closedByTimerRate = "closed_by_timer_rate"
    case openOrLost = "open_or_lost"
    case waitingOrLost = "waiting_or_lost"
    case wait = "wait_ms"
    case open = "open_ms"
  }

  /// What is looked at first. Equal lines stand by presentations, then by app and content code.
  public var column: Column
  /// Whether the order is turned round. It is from the largest to the smallest, names from A.
  public var isReversed: Bool

  /// By presentations, the most first, unless said otherwise.
  public init(_ column: Column = .presentations, isReversed: Bool = false) {
    self.column = column
    self.isReversed = isReversed
  }

  /// Reads the value of `--sort`: a column, with `-` in front the other way round.
  ///
  /// - Throws: `.usage` with the columns that there are.
  public init(argument: String) throws(ReportError) {
    let order: (column: Column, isReversed: Bool) = try LineOrder.read(argument, of: "rich media")
    self.init(order.column, isReversed: order.isReversed)
  }

  /// The lines in this order. A number that is not there stands last, whichever way round.
  func sorted(_ lines: [RichMediaLine], minimumCount: Int) -> [RichMediaLine] {
    LineOrder.sorted(
      lines, isReversed: isReversed, name: name, number: { number($0, minimumCount: minimumCount) },
      precedes: RichMediaLine.precedes)
  }

  /// What lines are ordered by where it is a text.
  private func name(_ line: RichMediaLine) -> String {
    switch column {
    case .app: line.app ?? ""
    case .contentCode: line.contentCode
    case .presentations, .deferred, .deferredRate, .shown, .shownRate, .failed, .failedRate, .closed, .closedByTimer,
      .closedByTimerRate, .openOrLost, .waitingOrLost, .wait, .open:
      ""
    }
  }

  /// What lines are ordered by where it is a number.
  private func number(_ line: RichMediaLine, minimumCount: Int) -> Double? {
    let counts = line.counts
    let rates = RichMediaRates(counts, minimumCount: minimumCount)
    switch column {
    case .app, .contentCode: return nil
    case .presentations: return Double(counts.presentations)
    case .deferred: return Double(counts.deferred)
    case .deferredRate: return rates.deferred.value
    case .shown: return Double(counts.shown)
    case .shownRate: return rates.shown.value
    case .failed: return Double(counts.failed)
    case .failedRate: return rates.failed.value
    case .closed: return Double(counts.closed)
    case .closedByTimer: return counts.closedByTimer.map(Double.init)
    case .closedByTimerRate: return rates.closedByTimer.value
    case .openOrLost: return Double(counts.openOrLost)
    case .waitingOrLost: return Double(counts.waitingOrLost)
    case .wait: return counts.wait.medianMilliseconds
    case .open: return counts.open.medianMilliseconds
    }
  }
}
