import LocalTime
import SessionMetrics

/// Which group a session belongs to where its start or what it did decides it, and not a text that it carries.
struct SessionGrouping {
  let field: SessionField?
  private var days: LocalDays

  init(_ scope: ReportScope) {
    self.init(scope.groupBy, in: scope.timeZone)
  }

  init(_ field: SessionField?, in zone: ReportTimeZone) {
    self.field = field
    days = LocalDays(zone)
  }

  /// Whether groups are texts, the same for all sessions of a cohort; else each session has to be asked.
  var isByText: Bool {
    switch field {
    case .app, .context, .property, .fallbackReason: true
    case .time, .fact, nil: false
    }
  }

  /// The number of the group, by which groups stand in their order; nil where groups are texts, or none are asked for.
  mutating func number(
    of session: borrowing JudgedSession, startedAtMicroseconds: Int64, hasSuspectClock: Bool
  ) -> Int64? {
    switch field {
    case .time(let period): return period.number(ofMicroseconds: startedAtMicroseconds, in: &days)
    case .fact(let fact):
      let isSo = fact == .hasSuspectClock ? hasSuspectClock : session.holds(fact)
      return SessionField.number(ofFact: isSo)
    case .app, .context, .property, .fallbackReason, nil: return nil
    }
  }

  /// The name of the group of a number.
  func name(of number: Int64) -> String {
    switch field {
    case .time(let period): period.name(of: number)
    case .fact: number == SessionField.number(ofFact: true) ? SessionField.yes : SessionField.no
    case .app, .context, .property, .fallbackReason, nil: ""
    }
  }
}
