/// One subcommand: what it is called, what it takes, what it says in its help, and what it does.
struct Command: Sendable {
  /// The words that call it: `["key", "create"]`.
  let path: [String]
  /// One line for the list of commands.
  let summary: String
  /// The operands as the usage line writes them: `FILE…`; empty where it takes none.
  let operands: String
  /// Its own options; the common ones come in addition.
  let options: [Option]
  /// What the help says below the usage: one paragraph, which the help wraps.
  let discussion: String
  /// Lines that can be pasted.
  let examples: [String]
  /// Does the work. What it throws is told in one line and sets the exit code.
  let run: @Sendable (Invocation) throws(CommandError) -> ExitCode

  init(
    _ path: String..., summary: String, operands: String = "", options: [Option] = [], discussion: String = "",
    examples: [String] = [], run: @escaping @Sendable (Invocation) throws(CommandError) -> ExitCode
  ) {
    self.path = path
    self.summary = summary
    self.operands = operands
    self.options = options
    self.discussion = discussion
    self.examples = examples
    self.run = run
  }

  /// As it is typed: `pagefall key create`.
  var name: String { (["pagefall"] + path).joined(separator: " ") }

  /// Its own options and the common ones.
  var allOptions: [Option] { options + CommonOptions.all }
}
