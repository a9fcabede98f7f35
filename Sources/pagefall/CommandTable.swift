/// Every subcommand, in the order in which the help lists them. A new one is a file in Commands/ and a line here.
enum CommandTable {
  static let all: [Command] = [
    ServeCommand.command,
    IngestCommand.command,
    SimulateCommand.command,
    StoryRegisterCommand.command,
    CategoryImportCommand.command,
    CategoryListCommand.command,
    LintCommand.command,
    MessageAPNSCommand.command,
    ReportFunnelCommand.command,
    ReportStoriesCommand.command,
    ReportRichMediaCommand.command,
    ReportButtonsCommand.command,
    ReportCompareCommand.command,
    ReportSessionsCommand.command,
    ReportSessionCommand.command,
    ReportQualityCommand.command,
    ReportChangesCommand.command,
    TailCommand.command,
    ExportCommand.command,
    RejectedListCommand.command,
    RejectedShowCommand.command,
    RejectedReplayCommand.command,
    KeyCreateCommand.command,
    KeyListCommand.command,
    KeyRevokeCommand.command,
    DatabaseMigrateCommand.command,
    DatabaseStatusCommand.command,
    DatabaseStartCommand.command,
    DatabaseStopCommand.command,
    DatabasePsqlCommand.command,
  ]

  /// The commands of a group, such as those that begin with `key`; empty where there is none.
  static func group(_ first: String) -> [Command] { all.filter { $0.path.count > 1 && $0.path[0] == first } }

  /// The command that these words begin with; an error names what there is.
  static func command(for words: [String]) throws(CommandError) -> Command {
    if let match = all.first(where: { words.starts(with: $0.path) }) { return match }
    let first = words.first ?? ""
    let group = group(first)
    if !group.isEmpty {
      let names = group.map { $0.path.dropFirst().joined(separator: " ") }
      guard words.count > 1, !words[1].hasPrefix("-") else {
        throw .usage("pagefall \(first) needs one of: \(names.joined(separator: ", "))")
      }
      throw .usage("unknown command \(quoted("\(first) \(words[1])")); there is: \(names.joined(separator: ", "))")
    }
    if let longer = all.first(where: { $0.path.last == first }) {
      throw .usage(
        "unknown command \(quoted(first)); did you mean \(longer.path.joined(separator: " "))? (see pagefall --help)")
    }
    let known = Array(Set(all.map { $0.path[0] })).sorted()
    let hint = Suggestion.nearest(to: first, in: known).map { "; did you mean \($0)?" } ?? ""
    throw .usage("unknown command \(quoted(first))\(hint) (see pagefall --help)")
  }
}
