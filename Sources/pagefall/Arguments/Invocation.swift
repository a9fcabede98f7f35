import PrintedText

/// A command as it was called: its options after flags, environment and configuration file were laid over each other.
///
/// A flag wins over `PAGEFALL_NAME`, which wins over a line `name = value` of the configuration file.
struct Invocation: Sendable {
  let command: Command
  let arguments: ParsedArguments
  let settings: SettingsFile
  let environment: CommandEnvironment

  var operands: [String] { arguments.operands }

  /// Whether a flag is set. From the environment or the file, `1`, `true`, `yes` and `on` set it.
  func flag(_ option: Option) throws(CommandError) -> Bool {
    if arguments.values[option.name] != nil { return true }
    guard let (text, source) = configured(option) else { return false }
    switch text.lowercased() {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off", "": return false
    default: throw .usage("\(source) is \(quoted(text)); write true or false")
    }
  }

  /// The option's value, or nil where nobody gave one. An empty environment variable counts as absent.
  func value(_ option: Option) -> String? {
    if let given = arguments.values[option.name]?.last { return given }
    return configured(option)?.text
  }

  /// All values of a repeatable option; the environment and the file separate them with commas.
  func list(_ option: Option) -> [String] {
    if let given = arguments.values[option.name] { return given }
    guard let text = configured(option)?.text else { return [] }
    return text.split(separator: ",").map { trimmed(String($0)) }
  }

  /// The option's value read by `parse`; nil from `parse` is a usage error that says what was expected.
  func value<Value>(
    _ option: Option, as expected: String, _ parse: (String) -> Value?
  ) throws(CommandError) -> Value? {
    let text: String
    let source: String
    if let given = arguments.values[option.name]?.last {
      (text, source) = (given, "--\(option.name)")
    } else if let found = configured(option) {
      (text, source) = found
    } else {
      return nil
    }
    guard let value = parse(text) else { throw .usage("\(source) is \(quoted(text)); expected \(expected)") }
    return value
  }

  private func configured(_ option: Option) -> (text: String, source: String)? {
    if let name = option.environmentName, let text = environment.variables[name], !text.isEmpty {
      return (text, name)
    }
    if option.isConfigurable, let text = settings.values[option.name] {
      return (text, "`\(option.name)` in \(settings.path)")
    }
    return nil
  }
}

/// A text as messages show it: in quotes, nothing in it obeyed, cut to what fits a line.
func quoted(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars.prefix(80) {
    let isControl = scalar.properties.generalCategory == .control
    shown += isControl ? scalar.escaped(asASCII: true) : DisplayText.escaped(String(scalar))
  }
  return "'\(shown)\(text.unicodeScalars.count > 80 ? "…" : "")'"
}

/// The text without blanks at its ends.
func trimmed(_ text: String) -> String {
  var text = text[...]
  while text.first?.isWhitespace == true { text.removeFirst() }
  while text.last?.isWhitespace == true { text.removeLast() }
  return String(text)
}
