/// One option of a command: how it is written, what it takes, and where else its value may come from.
struct Option: Hashable, Sendable {
  /// Written `--name`.
  let name: String
  /// Written `-c`, where there is one.
  let short: Character?
  /// What the value is called in the help; nil for a flag, which takes none.
  let placeholder: String?
  /// One sentence for the help, with the default where there is one.
  let help: String
  /// Whether it may be given several times.
  let isRepeatable: Bool
  /// Whether `PAGEFALL_NAME` and the configuration file may set it too.
  let isConfigurable: Bool

  init(
    _ name: String, short: Character? = nil, takes placeholder: String? = nil, help: String,
    repeatable: Bool = false, configurable: Bool = false
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.help = help
    isRepeatable = repeatable
    isConfigurable = configurable
  }

  /// The environment variable that sets it: `--data-dir` is `PAGEFALL_DATA_DIR`.
  var environmentName: String? {
    guard isConfigurable else { return nil }
    return "PAGEFALL_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
  }

  /// As the help writes it: `-o, --output FILE`.
  var synopsis: String {
    let dashes = short.map { "-\($0), --\(name)" } ?? "--\(name)"
    return placeholder.map { "\(dashes) \($0)" } ?? dashes
  }
}
