import Foundation

/// The optional configuration file: lines of `name = value`, named as the options are; `#` begins a comment line.
struct SettingsFile: Equatable, Sendable {
  /// Where it was read from; for messages.
  var path = ""
  /// Values by option name.
  var values: [String: String] = [:]
}

extension SettingsFile {
  /// Reads a file; every name must be a configurable option of some command.
  init(path: String, knownNames: Set<String>) throws(CommandError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .environment("cannot read the configuration file \(quoted(path)); check --config or PAGEFALL_CONFIG")
    }
    try self.init(text: String(decoding: data, as: UTF8.self), path: path, knownNames: knownNames)
  }

  /// Reads the file's text; see `init(path:knownNames:)`.
  init(text: String, path: String, knownNames: Set<String>) throws(CommandError) {
    self.path = path
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(String(line))
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else {
        throw .usage("\(path), line \(index + 1): expected `name = value`, found \(quoted(line))")
      }
      let name = trimmed(String(line[..<equals]))
      guard knownNames.contains(name) else {
        let hint = Suggestion.nearest(to: name, in: knownNames.sorted()).map { "; did you mean \($0)?" } ?? ""
        throw .usage("\(path), line \(index + 1): unknown setting \(quoted(name))\(hint)")
      }
      values[name] = trimmed(String(line[line.index(after: equals)...]))
    }
  }
}
