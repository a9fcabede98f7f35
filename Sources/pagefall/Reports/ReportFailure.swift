import Reports

/// Turns what the reports throw into one line and an exit code.
enum ReportFailure {
  static func commandError(_ error: ReportError) -> CommandError {
    switch error.kind {
    case .usage: .usage(error.description)
    case .database: error.cause.map { DatabaseFailure.commandError($0) } ?? .environment(error.description)
    case .conservation: .dataFault(error.description)
    }
  }
}
