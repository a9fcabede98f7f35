import Postgres

extension SessionCondition {
  /// The condition over `pagefall.sessions s`; nil for one that only the judge or a calendar can decide.
  func sql() throws(PostgresError) -> String? {
    let column: SessionColumn
    switch field {
    case .context(let field): column = .context(field)
    case .property(let name): column = .property(name)
    case .fallbackReason: column = .fallbackReason
    case .fact(.hasSuspectClock):
      let isWanted = values.contains(SessionField.yes)
      guard isWanted != values.contains(SessionField.no) else { return isNegated ? "false" : "true" }
      return (isWanted != isNegated ? "" : "NOT ") + (try SessionColumn.hasSuspectClock.sql())
    case .app, .time, .fact: return nil
    }
    let expression = try column.sql()
    let canBeNull = column != .fallbackReason
    var literals: [String] = []
    // A sender's text `(none)` counts with what was not said, as in groups.
    for value in values { literals.append(try SQLText.literal(value)) }
    var parts = ["coalesce(\(expression) IN (\(literals.joined(separator: ", "))), false)"]
    if canBeNull, values.contains(StorySelection.noneText) { parts.append("\(expression) IS NULL") }
    return (isNegated ? "NOT " : "") + "(\(parts.joined(separator: " OR ")))"
  }
}
