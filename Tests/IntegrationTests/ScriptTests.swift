import Foundation
import TestSupport
import Testing

/// The files that are run from outside: `.ci` and `scripts`.
@Suite struct ScriptTests {
  /// Those of the two folders, with their first line.
  static let files: [(path: String, firstLine: String)] = {
    let top = IntegrationTests.projectFolder
    let paths = [".ci", "scripts"].flatMap { folder in
      (FileManager.default.enumerator(atPath: "\(top)/\(folder)")?.compactMap { $0 as? String } ?? [])
        .map { "\(top)/\(folder)/\($0)" }
    }
    return paths.sorted().compactMap { path in
      guard !path.contains("__pycache__"), let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        return nil
      }
      return (path, String(text.prefix { $0 != "\n" }))
    }
  }()

  @Test func `everything that is promised is there`() {
    let names = Self.files.map { $0.path.dropFirst(IntegrationTests.projectFolder.count + 1) }
    let promised = [
      ".ci/run", "scripts/setup", "scripts/demo", "scripts/test", "scripts/check", "scripts/bench",
      "scripts/crash-test", "scripts/export-crash-test", "scripts/python-packages", "scripts/update-goldens",
    ]
    for name in promised {
      #expect(names.contains(Substring(name)))
    }
  }

  @Test(arguments: files.indices) func `a script can be run and read, and knows no machine`(index: Int) throws {
    let (path, firstLine) = Self.files[index]
    if firstLine.hasPrefix("#!") { #expect(access(path, X_OK) == 0, "\(path) is not executable") }
    if firstLine.contains("bash") {
      let check = try PagefallProcess.run(["-n", path], binary: "/bin/bash")
      #expect(check.exitCode == 0, "\(path): \(check.standardError)")
    }
    if firstLine.contains("python") || path.hasSuffix(".py") {
      let parse = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1])"
      let check = try PagefallProcess.run(["python3", "-c", parse, path], binary: "/usr/bin/env")
      #expect(check.exitCode == 0, "\(path): \(check.standardError)")
    }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for place in Self.placesOfThisMachine { #expect(!text.contains(place), "\(path) names \(place)") }
  }

  /// Where this checkout lies and whose it is: nothing that a script may know.
  private static var placesOfThisMachine: [String] {
    let parts = IntegrationTests.projectFolder.split(separator: "/")
    // `/home`, `/tmp` and their like are on every machine; what lies in them is not.
    let isCommon = ["home", "Users", "tmp", "private", "var", "opt", "srv", "root", "usr"].contains(String(parts[0]))
    return ["/" + parts.prefix(isCommon ? 2 : 1).joined(separator: "/") + "/", NSHomeDirectory() + "/"]
  }
}
