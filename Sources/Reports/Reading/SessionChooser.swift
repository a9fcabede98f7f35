import SessionMetrics

/// Decides the conditions that the database cannot: what a session did, and the calendar of the report's zone.
struct SessionChooser {
  /// A condition by numbers: naming the value of each session would cost more than judging it.
  private struct NumberedCondition {
    var grouping: SessionGrouping
    let numbers: [Int64]
    let isNegated: Bool
  }

  private var conditions: [NumberedCondition]

  init(_ scope: ReportScope) {
    conditions = scope.conditions.compactMap { condition in
      // Whether a clock is believable the database knows.
      guard condition.field != .fact(.hasSuspectClock) else { return nil }
      let numbers = condition.values.compactMap { condition.field.number(ofValue: $0) }
      guard !numbers.isEmpty else { return nil }
      return NumberedCondition(
        grouping: SessionGrouping(condition.field, in: scope.timeZone), numbers: numbers,
        isNegated: condition.isNegated)
    }
  }

  /// Whether the database decides all conditions of the scope.
  var isIdle: Bool { conditions.isEmpty }

  /// Whether all conditions hold of a session.
  mutating func accepts(_ session: borrowing JudgedSession, startedAtMicroseconds: Int64) -> Bool {
    for place in conditions.indices {
      guard
        let number = conditions[place].grouping.number(
          of: session, startedAtMicroseconds: startedAtMicroseconds, hasSuspectClock: false)
      else { continue }
      if conditions[place].numbers.contains(number) == conditions[place].isNegated { return false }
    }
    return true
  }
}

extension JudgedSession {
  /// Whether a fact is so; a suspect clock is no matter of events, and never is.
  func holds(_ fact: SessionFact) -> Bool {
    switch fact {
    case .fallback: isFallback
    case .finished: isFinished
    case .reachedLast: hasReachedLast
    case .tapped: isTapped
    case .started: hasStart
    case .hasMissingEvents: missingEvents > 0
    case .hasOrphanTap: orphanTaps > 0
    case .hasSuspectClock: false
    }
  }
}
