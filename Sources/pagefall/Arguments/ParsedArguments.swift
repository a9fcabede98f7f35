/// A command line taken apart: options with their values, operands in order, and what stood after `--`.
struct ParsedArguments: Equatable, Sendable {
  /// Values by option name, in the order given; a flag has one empty value an occurrence.
  var values: [String: [String]] = [:]
  /// Everything that is no option, before `--`.
  var operands: [String] = []
  /// Everything after `--`, untouched.
  var passedThrough: [String] = []
}

extension ParsedArguments {
  /// Takes the words apart by the options that the command knows.
  ///
  /// Accepts `--name value`, `--name=value`, `-n value`, `-nvalue`, flags, and `--` as the end of options. `-` is an
  /// operand (standard input). Options and operands may be mixed.
  init(_ words: some Sequence<String>, options: [Option]) throws(UsageError) {
    var remaining = Array(words)[...]
    while let word = remaining.popFirst() {
      if word == "--" {
        passedThrough = Array(remaining)
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      var (name, attached) = Self.split(word)
      let option: Option
      if name.hasPrefix("--") {
        option = try Self.long(name, options)
      } else {
        option = try Self.short(name, options)
        if word.count > 2 { attached = String(word.dropFirst(word.dropFirst(2).first == "=" ? 3 : 2)) }
      }
      try store(option, written: name, attached: attached, &remaining)
    }
  }

  private mutating func store(
    _ option: Option, written: String, attached: String?, _ remaining: inout ArraySlice<String>
  ) throws(UsageError) {
    if !option.isRepeatable, values[option.name] != nil {
      throw UsageError(message: "\(written) is given twice; give it once")
    }
    guard let placeholder = option.placeholder else {
      if attached != nil { throw UsageError(message: "\(written) takes no value; write it alone") }
      values[option.name, default: []].append("")
      return
    }
    guard let value = attached ?? remaining.popFirst() else {
      throw UsageError(message: "\(written) needs a value: \(written) \(placeholder)")
    }
    values[option.name, default: []].append(value)
  }

  /// `--name=value` into its two parts; `-o` stays whole.
  private static func split(_ word: String) -> (name: String, attached: String?) {
    guard word.hasPrefix("--") else { return (String(word.prefix(2)), nil) }
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private static func long(_ written: String, _ options: [Option]) throws(UsageError) -> Option {
    let name = String(written.dropFirst(2))
    if let option = options.first(where: { $0.name == name }) { return option }
    let hint = Suggestion.nearest(to: name, in: options.map(\.name)).map { "; did you mean --\($0)?" }
    throw UsageError(message: "unknown option --\(name)\(hint ?? "")")
  }

  private static func short(_ written: String, _ options: [Option]) throws(UsageError) -> Option {
    guard let option = options.first(where: { $0.short == written.last }) else {
      throw UsageError(message: "unknown option \(written)")
    }
    return option
  }
}
