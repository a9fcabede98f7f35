/// How grave a message of the server is.
public enum Severity: String, Sendable, CaseIterable {
  /// Details for developers (all of `DEBUG1` … `DEBUG5`).
  case debug = "DEBUG"
  /// For administrators.
  case log = "LOG"
  /// What the user asked to be told.
  case info = "INFO"
  /// Worth knowing, such as a name that was cut.
  case notice = "NOTICE"
  /// Likely trouble, such as COMMIT outside a transaction.
  case warning = "WARNING"
  /// The statement failed.
  case error = "ERROR"
  /// The session is over.
  case fatal = "FATAL"
  /// All sessions of the server are over.
  case panic = "PANIC"

  /// From the field `V` of a message, which is the same in every language; unknown words count as an error.
  init(serverWord: String) {
    self = serverWord.hasPrefix("DEBUG") ? .debug : Severity(rawValue: serverWord) ?? .error
  }

  /// Whether the server closes the connection after it.
  var endsSession: Bool {
    switch self {
    case .fatal, .panic: true
    case .debug, .log, .info, .notice, .warning, .error: false
    }
  }
}
