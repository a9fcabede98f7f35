import Foundation
import TestSupport
import Testing

/// The help of the whole command and of each, as whole text: `Tests/Fixtures/command/help.txt`.
@Suite struct HelpTests {
  @Test func `the help reads as the golden file does`() throws {
    let overview = try help([])
    var text = "$ pagefall --help\n" + overview
    for name in Self.commandNames(in: overview) {
      text += "\n$ pagefall \(name) --help\n" + (try help(name.split(separator: " ").map(String.init)))
    }
    let path = IntegrationTests.projectFolder + "/Tests/Fixtures/command/help.txt"
    let golden = try String(contentsOfFile: path, encoding: .utf8)
    // Not #expect(text == golden), which would print all of both.
    let lines = zip(text.components(separatedBy: "\n"), golden.components(separatedBy: "\n"))
    let difference = lines.enumerated().first { $0.element.0 != $0.element.1 }
    #expect(difference == nil, "line \((difference?.offset ?? 0) + 1); if it is meant: scripts/update-goldens")
    #expect(text.count == golden.count, "if it is meant: scripts/update-goldens")
  }

  @Test(arguments: [["help"], ["-h"], ["--help"]]) func `help is found however one asks`(words: [String]) throws {
    let run = try PagefallProcess.run(words)
    #expect(run.exitCode == 0)
    #expect(run.standardOutput == (try help([])))
  }

  @Test(arguments: [["help", "key", "create"], ["key", "create", "-h"], ["key", "create", "--app", "x", "--help"]])
  func `help of one command is found however one asks`(words: [String]) throws {
    let run = try PagefallProcess.run(words)
    #expect(run.exitCode == 0)
    #expect(run.standardOutput == (try help(["key", "create"])))
  }

  @Test func `without a command the help is printed, and the exit code says that it was no use`() throws {
    let run = try PagefallProcess.run([])
    #expect(run.exitCode == 2)
    #expect(run.standardOutput == (try help([])))
  }

  @Test func `every command of the overview has an example that can be pasted, or needs none`() throws {
    for name in Self.commandNames(in: try help([])) {
      let page = try help(name.split(separator: " ").map(String.init))
      let examples = page.components(separatedBy: "\nExamples:\n").dropFirst().first ?? ""
      for line in examples.split(separator: "\n") { #expect(line.contains("pagefall \(name)"), "\(line)") }
    }
  }

  @Test func `no line is wider than a terminal`() throws {
    let overview = try help([])
    let pages = try Self.commandNames(in: overview).map { try help($0.split(separator: " ").map(String.init)) }
    for line in ([overview] + pages).joined(separator: "\n").split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  private func help(_ words: [String]) throws -> String {
    let run = try PagefallProcess.run(words + ["--help"])
    try #require(run.exitCode == 0)
    #expect(run.standardError == "")
    return run.standardOutput
  }

  /// The names between `Commands:` and the next blank line.
  static func commandNames(in overview: String) -> [String] {
    let lines = overview.components(separatedBy: "\n")
    let table = lines.drop { $0 != "Commands:" }.dropFirst().prefix { !$0.isEmpty }
    return table.map { line in
      line.dropFirst(2).components(separatedBy: "  ").first ?? ""
    }
  }
}
