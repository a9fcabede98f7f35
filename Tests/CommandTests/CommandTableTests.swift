import Testing

@testable import pagefall

@Suite struct CommandTableTests {
  @Test(arguments: [
    (["srve"], "unknown command 'srve'; did you mean serve? (see pagefall --help)"),
    (["key"], "pagefall key needs one of: create, list, revoke"),
    (["key", "make"], "unknown command 'key make'; there is: create, list, revoke"),
  ])
  func `an unknown command names what there is`(words: [String], message: String) {
    #expect(throws: CommandError.usage(message)) { try CommandTable.command(for: words) }
  }

  @Test(arguments: CommandTable.all.map { $0.path.joined(separator: " ") })
  func `every help page fits 80 columns and names every option once`(name: String) throws {
    let command = try CommandTable.command(for: name.split(separator: " ").map(String.init))
    let lines = Help.page(of: command).split(separator: "\n", omittingEmptySubsequences: false)
    let wide = lines.filter { $0.count > 80 && !command.examples.contains(String($0.dropFirst(2))) }
    #expect(wide.isEmpty)
    #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    #expect(Set(command.allOptions.compactMap(\.short)).count == command.allOptions.compactMap(\.short).count)
  }

  @Test func `the overview fits 80 columns`() {
    #expect(Help.overview(of: CommandTable.all).split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
