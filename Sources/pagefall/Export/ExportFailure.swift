import Exports

/// Turns what Exports throws into one line and an exit code.
enum ExportFailure {
  static func commandError(_ error: ExportError) -> CommandError {
    switch error.kind {
    case .usage: .usage(error.description)
    case .busy: CommandError(exitCode: .busy, message: error.description)
    case .file: .environment(error.description)
    case .database: error.cause.map { DatabaseFailure.commandError($0) } ?? .environment(error.description)
    case .conservation: .dataFault(error.description)
    }
  }
}
