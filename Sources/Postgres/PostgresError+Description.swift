extension PostgresError: CustomStringConvertible {
  /// One line, fit for logs and for people: what went wrong, SQLSTATE, and the names of table, column and constraint.
  ///
  /// It never holds values of rows, statements or passwords. So the server's message is only in it where the class of
  /// the SQLSTATE speaks of objects and states, not of values.
  public var description: String {
    var text = summary
    if let state = sqlState {
      text = text.isEmpty ? state.description : "\(state): \(text)"
      if let serverMessage, state.messageIsFreeOfValues { text += ": \(serverMessage.onOneLine)" }
    }
    let names = [("table", tableName), ("column", columnName), ("constraint", constraintName)]
      .compactMap { label, name in name.map { "\(label) \($0.onOneLine)" } }
    if !names.isEmpty { text += " [\(names.joined(separator: ", "))]" }
    if commitOutcomeUnknown { text += "; whether the transaction was committed is not known" }
    return text
  }
}

extension PostgresError: CustomDebugStringConvertible {
  /// Everything that is known, over several lines: also the server's message, DETAIL, HINT, CONTEXT and the statement.
  /// These can hold values of rows: for a developer's eyes, not for logs. A statement that mentions a password is left
  /// out.
  public var debugDescription: String {
    var lines = [description]
    if let severity { lines.append("SEVERITY: \(severity.rawValue)") }
    for (label, text) in [
      ("SCHEMA", schemaName), ("MESSAGE", serverMessage), ("DETAIL", detail), ("HINT", hint), ("CONTEXT", context),
      ("STATEMENT", statement),
    ] {
      guard let text else { continue }
      lines.append("\(label): \(text.lowercased().contains("password") ? "(mentions a password: left out)" : text)")
    }
    return lines.joined(separator: "\n")
  }
}

extension SQLState {
  /// Whether messages of this class name objects and states only.
  ///
  /// Left out are, besides what is unknown: 22 (they quote the value), 21, P0 and 38 (texts of functions), XX
  /// (anything), 42601 (quotes a piece of the statement).
  fileprivate var messageIsFreeOfValues: Bool {
    self != .syntaxError
      && ["08", "0A", "23", "25", "26", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58"].contains(classCode)
  }
}

extension String {
  /// Without line breaks and control characters, so that one message stays one line of a log and cannot colour it.
  var onOneLine: String {
    var result = ""
    var pendingSpace = false
    for scalar in unicodeScalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        pendingSpace = !result.isEmpty
      } else {
        if pendingSpace { result.unicodeScalars.append(" ") }
        pendingSpace = false
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
