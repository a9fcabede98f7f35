import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall lint` as a user runs it.
@Suite struct LintTests {
  private static let example = "\(IntegrationTests.projectFolder)/Examples/seed-message.json"
  private static let fixtures = "\(IntegrationTests.projectFolder)/Tests/Fixtures/lint"

  @Test func `the documented example is fit to be sent`() throws {
    let run = try PagefallProcess.run(
      ["lint", "Examples/seed-message.json"], directory: IntegrationTests.projectFolder)
    #expect(run.exitCode == 0)
    #expect(run.standardError == "")
    #expect(run.standardOutput.hasPrefix("Examples/seed-message.json, notification 0: plays 2 pages in 9 s; "))
    #expect(run.standardOutput.hasSuffix("1 file: 0 errors, 1 warning, 0 notes\n"))
  }

  @Test func `text and JSON are those of the golden files`() throws {
    for name in ["spring-sale", "hostile", "fallback"] {
      for (format, golden) in [("text", "\(name).txt"), ("json", "\(name).lint.json")] {
        let run = try PagefallProcess.run(["lint", "\(name).json", "--format", format], directory: Self.fixtures)
        #expect(run.exitCode == 1)
        #expect(run.standardOutput == (try String(contentsOfFile: "\(Self.fixtures)/\(golden)", encoding: .utf8)))
      }
    }
  }

  @Test func `every payload case plays as it says, all in one run`() throws {
    let folder = "\(IntegrationTests.projectFolder)/Tests/Fixtures"
    let cases = try JSONValue(text: String(contentsOfFile: "\(folder)/payload-cases.json", encoding: .utf8))
    let payloads = try #require(cases.arrayValue)
    let directory = try TemporaryDirectory()
    var names: [String] = []
    for (index, payload) in payloads.enumerated() {
      names.append("case-\(index).json")
      let text = try #require(payload["userInfo"]).text()
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory.path)/case-\(index).json"))
    }
    let run = try PagefallProcess.run(["lint", "--format", "json"] + names, directory: directory.path)
    #expect(run.exitCode == 1)  // No case names a category.
    let files = try #require(try JSONValue(text: run.standardOutput)["files"]?.arrayValue)
    #expect(files.map { $0["file"]?.stringValue } == names)
    for (file, payload) in zip(files, payloads) {
      let notification = try #require(file["notifications"]?.arrayValue?.first)
      #expect(notification["fallback"] == payload["fallback"], "\(payload["name"] as Any)")
      #expect(
        notification["pages"]?.arrayValue?.map { $0["duration"]?.doubleValue }
          == payload["pages"]?.arrayValue?.map { $0["duration"]?.doubleValue }, "\(payload["name"] as Any)")
    }
  }

  @Test func `a file that is no message stops no other, and neither does one that cannot be read`() throws {
    let directory = try TemporaryDirectory()
    try Data("not json".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/bad.json"))
    let first = try PagefallProcess.run(["lint", "bad.json", Self.example], directory: directory.path)
    #expect(first.exitCode == 1)
    #expect(first.standardOutput.contains("error   not_json\n"))
    #expect(first.standardOutput.contains("plays 2 pages"))
    let second = try PagefallProcess.run(["lint", "gone.json", ".", Self.example], directory: directory.path)
    #expect(second.exitCode == 3)
    #expect(
      second.standardError == """
        pagefall: cannot read 'gone.json': No such file or directory
        pagefall: cannot read '.': Is a directory

        """)
    #expect(second.standardOutput.contains("plays 2 pages"))
    let third = try PagefallProcess.run(["lint", "gone.json"], directory: directory.path)
    #expect(third.exitCode == 3)
    #expect(third.standardOutput == "")
  }

  @Test func `standard input is a file like others`() throws {
    let run = try PagefallProcess.run(["lint", "-", "--format", "json"], input: Array(#"{"pages":[]}"#.utf8))
    #expect(run.exitCode == 1)
    let file = try JSONValue(text: run.standardOutput)["files"]?.arrayValue?.first
    #expect(file?["file"] == .string("-"))
    #expect(file?["form"] == .string("block"))
    #expect(file?["notifications"]?.arrayValue?.first?["fallback"] == .string("no_usable_page"))
  }

  @Test func `an endless file and one that nests without end are told in a line`() throws {
    let endless = try PagefallProcess.run(["lint", "/dev/zero"])
    #expect(endless.exitCode == 1)
    #expect(endless.standardOutput.contains("error   file_too_large"))
    let deep = try PagefallProcess.run(["lint", "-"], input: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
    #expect(deep.exitCode == 1)
    #expect(deep.standardOutput.contains("error   not_json"))
  }

  @Test func `the extension's property list is looked at beside the message`() throws {
    let directory = try TemporaryDirectory()
    let attributes: [String: Any] = [
      "UNNotificationExtensionCategory": ["OTHER"], "UNNotificationExtensionUserInteractionEnabled": true,
      "UNNotificationExtensionDefaultContentHidden": true, "UNNotificationExtensionInitialContentSizeRatio": 1.2,
    ]
    let root: [String: Any] = ["NSExtension": ["NSExtensionAttributes": attributes]]
    let path = "\(directory.path)/Info.plist"
    try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
      .write(to: URL(fileURLWithPath: path))
    let run = try PagefallProcess.run(["lint", Self.example, "--info-plist", path, "--format", "json"])
    #expect(run.exitCode == 1)
    let report = try JSONValue(text: run.standardOutput)
    #expect(report["info_plist"]?["findings"]?.arrayValue?.map { $0["code"] } == [.string("extension_ratio_differs")])
    let found = report["files"]?.arrayValue?.first?["notifications"]?.arrayValue?.first?["findings"]?.arrayValue
    #expect(found?.first?["code"] == .string("extension_category_differs"))
    let same = try PagefallProcess.run(
      ["lint", Self.example, "--info-plist", path, "--aspect-ratio", "1.2", "--format", "json"])
    #expect(try JSONValue(text: same.standardOutput)["info_plist"]?["findings"] == .array([]))

    let wrong = try PagefallProcess.run(["lint", Self.example, "--info-plist", Self.example])
    #expect(wrong.exitCode == 3)
    #expect(
      wrong.standardError.hasSuffix("is no property list; give the Info.plist of the notification content extension\n"))
    let gone = try PagefallProcess.run(["lint", Self.example, "--info-plist", "\(directory.path)/gone"])
    #expect(gone.exitCode == 3)
  }

  /// A wrong command line, and the line that it is answered with.
  static let mistakes: [(words: [String], message: String)] = [
    (["lint"], "say what to look at: lint FILE… (or - for standard input)"),
    (["lint", "-", "-"], "standard input can be read once; give - once"),
    (["lint", "-", "--categories", "-"], "standard input can be read once; give - once"),
    (["lint", "--categories", "-", "--info-plist", "-", "x"], "standard input can be read once; give - once"),
    (["lint", "x", "--format", "xml"], "--format is 'xml'; expected text or json"),
    (
      ["lint", "x", "--info-plist", "y", "--aspect-ratio", "0"],
      "--aspect-ratio is '0'; expected height by width, a number from 0.1 to 10"
    ),
    (
      ["lint", "x", "--info-plist", "y", "--aspect-ratio", "nan"],
      "--aspect-ratio is 'nan'; expected height by width, a number from 0.1 to 10"
    ),
    (
      ["lint", "x", "--app", "shop", "--categories", "y"],
      "--app and --categories both say which categories there are; give one"
    ),
    (["lint", "x", "--aspect-ratio", "1.5"], "--aspect-ratio is compared with --info-plist; give both"),
  ]

  @Test(arguments: mistakes.indices) func `a wrong command line is answered in one line and exit code 2`(
    index: Int
  ) throws {
    let (words, message) = Self.mistakes[index]
    let run = try PagefallProcess.run(words)
    #expect(run.exitCode == 2)
    #expect(run.standardOutput == "")
    #expect(run.standardError == "pagefall: \(message)\n")
  }

  @Test func `the blocks of its document run as they stand`() throws {
    let directory = try TemporaryDirectory()
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: "\(directory.path)/pagefall", withDestinationPath: PagefallProcess.binaryPath)
    try files.createSymbolicLink(
      atPath: "\(directory.path)/Examples", withDestinationPath: "\(IntegrationTests.projectFolder)/Examples")
    let blocks = try ReadmeBlock.all(of: "docs/lint.md").filter { $0.language == "sh" }
    #expect(blocks.count == 3)
    let script = blocks.map(\.text).joined(separator: "\n")
    let run = try PagefallProcess.run(
      ["-euo", "pipefail", "-c", "PATH=$PWD:$PATH\n\(script)"], directory: directory.path, binary: "/bin/bash")
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput.components(separatedBy: "plays 2 pages in 9 s").count == 5)
  }
}
