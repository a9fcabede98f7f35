import PrintedText

/// What `--help` prints.
enum Help {
  /// The whole command: what it is for, and a line a subcommand.
  static func overview(of commands: [Command]) -> String {
    let width = commands.map { $0.path.joined(separator: " ").count }.max() ?? 0
    let lines = commands.map { command in
      let name = command.path.joined(separator: " ")
      return "  \(name)\(String(repeating: " ", count: width - name.count))  \(command.summary)"
    }
    return """
      Pagefall: per-page funnels for push stories.

      Usage: pagefall COMMAND [OPTIONS]

      Commands:
      \(lines.joined(separator: "\n"))

      `pagefall COMMAND --help` tells more of each, `pagefall --version` the version.
      A setting comes from its flag, else from PAGEFALL_NAME, else from the file that
      --config or PAGEFALL_CONFIG names. Exit codes: 0 good, 1 the data had faults,
      2 wrong usage, 3 something is missing (such as a database), 75 another run is
      at work.

      """
  }

  /// One command: usage, discussion, options, examples.
  static func page(of command: Command) -> String {
    var text = "\(command.summary)\n\nUsage: \(command.name) [OPTIONS]"
    text += command.operands.isEmpty ? "\n" : " \(command.operands)\n"
    if !command.discussion.isEmpty {
      text += "\n" + wrap(command.discussion, width: 80).joined(separator: "\n") + "\n"
    }
    if !command.options.isEmpty { text += "\nOptions:\n\(table(of: command.options))" }
    text += "\nCommon options:\n\(table(of: CommonOptions.all))"
    if !command.examples.isEmpty {
      text += "\nExamples:\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  /// Options in two columns that fit 80; a long synopsis gets a line of its own.
  private static func table(of options: [Option]) -> String {
    let column = 26
    var text = ""
    for option in options {
      var line = "  " + option.synopsis
      if line.count > column - 2 {
        text += line + "\n"
        line = ""
      }
      for (index, part) in wrap(option.help, width: 80 - column).enumerated() {
        let lead = index == 0 ? line : ""
        text += lead + String(repeating: " ", count: column - lead.count) + part + "\n"
      }
    }
    return text
  }

  /// Breaks at blanks so that no line is wider, where the words allow it.
  private static func wrap(_ text: String, width: Int) -> [String] {
    WrappedText.lines(text.replacing("\n", with: " "), columns: width, wideWords: .whole)
  }
}
