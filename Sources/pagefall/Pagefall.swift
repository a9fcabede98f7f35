// pagefall: the command, and all that only a command needs.
//
//   CommandTable   every subcommand
//   Commands/      a file for each group of them
//   Arguments/     from words to options: command line, environment, settings file, help, exit codes
//   Database/      which PostgreSQL a command uses
//   Ingest/        files into PostgreSQL
//   Reports/       the options that all reports share, and comparisons
//   Rejected/      what was refused: listed, shown, replayed
//   Tail/          events as they are stored
//   Export/        what an export says of itself
//   Environment/   terminal, files, signals, clock

import Foundation
import PrintedText

/// The command `pagefall`. It finds the subcommand, lays flags over environment over configuration file, and is the one
/// place where an error becomes a line and an exit code.
@main
struct Pagefall {
  /// The version that `--version` prints and the collector reports in its metrics.
  static let version = "0.1.0"

  static func main() {
    // A closed pipe (`pagefall report funnel | head`) is an error of write(2), not a signal.
    signal(SIGPIPE, SIG_IGN)
    let words = CommandLine.arguments.dropFirst()
    do {
      exit(try run(Array(words), environment: .process).rawValue)
    } catch {
      if !error.message.isEmpty { Console.note("pagefall: \(line(error.message))") }
      exit(error.exitCode.rawValue)
    }
  }

  /// A message as one line of bounded length, in which nothing is obeyed: files and arguments are quoted in it.
  private static func line(_ message: String) -> String {
    let scalars = message.unicodeScalars
    let beginning = String(String.UnicodeScalarView(scalars.prefix(mostMessageScalars)))
    return DisplayText.escaped(beginning) + (scalars.count > mostMessageScalars ? "…" : "")
  }

  private static let mostMessageScalars = 3_000

  /// Runs one command line.
  static func run(_ words: [String], environment: CommandEnvironment) throws(CommandError) -> ExitCode {
    guard let first = words.first, first != "--help", first != "-h", first != "help" || words.count > 1 else {
      try Console.print(Help.overview(of: CommandTable.all))
      return words.isEmpty ? .usage : .success
    }
    if first == "--version" || first == "version" {
      try Console.print("pagefall \(version)\n")
      return .success
    }
    if first == "help" { return try run(Array(words.dropFirst()) + ["--help"], environment: environment) }
    if words.count == 2, words[1] == "--help" || words[1] == "-h", !CommandTable.group(first).isEmpty {
      try Console.print(Help.overview(of: CommandTable.group(first)))
      return .success
    }
    let command = try CommandTable.command(for: words)
    let arguments: ParsedArguments
    do {
      arguments = try ParsedArguments(words.dropFirst(command.path.count), options: command.allOptions)
    } catch {
      throw .usage("\(error.message) (see \(command.name) --help)")
    }
    if arguments.values[CommonOptions.help.name] != nil {
      try Console.print(Help.page(of: command))
      return .success
    }
    if command.operands.isEmpty, let surplus = arguments.operands.first {
      throw .usage("\(command.name) takes no operands, found \(quoted(surplus)) (see \(command.name) --help)")
    }
    let settings = try settingsFile(arguments, environment)
    let invocation = Invocation(
      command: command, arguments: arguments, settings: settings, environment: environment)
    return try command.run(invocation)
  }

  private static func settingsFile(
    _ arguments: ParsedArguments, _ environment: CommandEnvironment
  ) throws(CommandError) -> SettingsFile {
    let given = arguments.values[CommonOptions.configurationFile.name]?.last
    guard let path = given ?? environment.variables["PAGEFALL_CONFIG"], !path.isEmpty else { return SettingsFile() }
    let options = CommandTable.all.flatMap(\.allOptions)
    return try SettingsFile(path: path, knownNames: Set(options.filter(\.isConfigurable).map(\.name)))
  }
}
