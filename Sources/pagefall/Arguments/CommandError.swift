/// Why a command stops: one line for stderr that says what to do, and the exit code.
struct CommandError: Error, Equatable {
  let exitCode: ExitCode
  let message: String

  /// Whoever read the output (`head`, a pager) wants no more: nothing is wrong, and nobody is left to be told.
  static let closedPipe = CommandError(exitCode: .success, message: "")

  static func usage(_ message: String) -> CommandError { CommandError(exitCode: .usage, message: message) }
  static func environment(_ message: String) -> CommandError { CommandError(exitCode: .environment, message: message) }
  static func dataFault(_ message: String) -> CommandError { CommandError(exitCode: .dataFault, message: message) }
}
