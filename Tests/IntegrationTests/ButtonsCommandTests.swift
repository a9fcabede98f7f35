import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall category import|list` and `pagefall report buttons` as a user runs them, and docs/buttons.md as it stands.
@Suite struct ButtonsCommandTests {
  private static let example = "\(IntegrationTests.projectFolder)/Examples/register-device-response.json"

  /// Answers of so many sessions to notifications of category 65, as NDJSON: by turns both buttons, an unknown one, an open and
  /// a dismissal.
  static func events(sessions: Int) -> String {
    (0..<sessions).map { number in
      let id = "01a226bf-4900-7cc1-9d2e-\(String(format: "%012x", number))"
      let answers = [
        #""action": "button", "category_id": "65", "button_id": "0""#,
        #""action": "button", "category_id": "65", "button_id": "1""#,
        #""action": "button", "category_id": "65", "button_id": "7""#, #""action": "default", "category_id": "65""#,
        #""action": "dismiss""#,
      ]
      return #"{"context": {"app_version": "4.\#(number % 2)"}, "events": [{"type": "notification_response", "#
        + #""session_id": "\#(id)", "seq": 0, "at": "2026-11-29T10:00:00Z", \#(answers[number % 5])}]}"#
    }.joined(separator: "\n") + "\n"
  }

  private struct World {
    let database: TestDatabase
    let directory: TemporaryDirectory

    init(sessions: Int = 0) throws {
      database = try TestDatabase.migrated()
      directory = try TemporaryDirectory()
      guard sessions > 0 else { return }
      let run = try run(["ingest", "-", "--app", "shop"], input: ButtonsCommandTests.events(sessions: sessions))
      try #require(run.exitCode == 0, "\(run.standardError)")
    }

    func run(_ arguments: [String], input: String = "") throws -> PagefallProcess.Result {
      try PagefallProcess.run(
        arguments, environment: ["PAGEFALL_DATABASE": database.connectionString], input: Array(input.utf8))
    }

    func importCategories(_ categories: String) throws -> PagefallProcess.Result {
      try run(
        ["category", "import", "-", "--app", "shop"], input: "{\"response\":{\"iosCategories\":[\(categories)]}}")
    }
  }

  @Test func `an import says what it did, and the same again does nothing`() throws {
    let world = try World()
    let first = try world.run(["category", "import", Self.example, "--app", "shop"])
    #expect(
      first.standardOutput == """
        new      65: 0 "Rate" (opens the app, destructive), 1 "Later"
        'shop': 1 new, 0 changed, 0 gone, 0 unchanged, 0 skipped

        """)
    #expect(first.exitCode == 0 && first.standardError.isEmpty)
    let again = try world.run(["category", "import", Self.example, "--app", "shop"])
    #expect(again.standardOutput == "'shop': 0 new, 0 changed, 0 gone, 1 unchanged, 0 skipped\n")
    let other = try world.importCategories(
      #"{"categoryId":65,"buttons":[{"id":0,"label":"Go\u001b[2J","startApplication":1},{"id":5}]},{"categoryId":"x"}"#)
    #expect(
      other.standardOutput == """
        changed  65: 0 "Go\\u{1B}[2J" (opens the app); before: 0 "Rate" (opens the app, destructive), 1 "Later"
        skipped  iosCategories[0].buttons[1] (category 65) has no usable label: the list of buttons ends here
        skipped  iosCategories[1] has a categoryId that is not a number: the category is skipped
        'shop': 0 new, 1 changed, 0 gone, 0 unchanged, 2 skipped

        """)
    let unusual = try world.importCategories(
      #"{"categoryId":65,"buttons":[{"id":"","label":"No id"},{"id":1e99,"label":"Large"}]}"#)
    #expect(unusual.standardOutput.hasPrefix("changed  65: \"\" \"No id\"; before: "))
    #expect(unusual.standardOutput.contains("has an id that is neither a text nor a number of at most 38 digits"))
    let gone = try world.importCategories(#"{"categoryId":66}"#)
    #expect(gone.standardOutput.hasPrefix("new      66: no buttons\ngone     65: \"\" \"No id"))
    let back = try world.run(["category", "import", Self.example, "--app", "shop"])
    #expect(back.standardOutput.hasPrefix("new      65, which was there before: 0 \"Rate\""))
  }

  @Test func `an import for an app that nobody has named before says so, where there are others`() throws {
    let world = try World()
    let first = try world.run(["category", "import", Self.example, "--app", "shop"])
    let mistyped = try world.run(["category", "import", Self.example, "--app", "shpo"])
    #expect(mistyped.exitCode == 0 && mistyped.standardError.contains("there was no app 'shpo' before; there is "))
    #expect(mistyped.standardError.contains("'shop'"), "\(first.standardError)\(mistyped.standardError)")
    let again = try world.run(["category", "import", Self.example, "--app", "shpo"])
    #expect(again.exitCode == 0 && again.standardError == "", "\(again.standardError)")
  }

  @Test func `what cannot be imported changes nothing, and says why in a line`() throws {
    let world = try World()
    #expect(try world.run(["category", "import", Self.example, "--app", "shop"]).exitCode == 0)
    for (text, exitCode, message) in [
      ("{", 1, "not JSON: expected a key at byte 1"), ("", 1, "is empty"), ("{} x", 1, "expected the end at byte 3"),
      (#"{"status_code":210,"response":null}"#, 1, "no array response.iosCategories"),
      (#"{"response":{"iosCategories":[{"categoryId":"65"}]}}"#, 1, "can be used, so nothing was changed"),
    ] as [(String, Int32, String)] {
      let run = try world.run(["category", "import", "-", "--app", "shop"], input: text)
      #expect(run.exitCode == exitCode && run.standardError.contains(message), "\(run.standardError)")
      #expect(run.standardError.split(separator: "\n").count == 1)
    }
    for (words, exitCode) in [
      (["category", "import", Self.example], 2), (["category", "import", "--app", "shop"], 2),
      (["category", "import", "gone.json", "--app", "shop"], 3),
      (["category", "import", "/dev/zero", "--app", "shop"], 1),
      (["category", "list"], 2), (["category", "list", "--app", "nix"], 2), (["category", "list", "--app", ""], 2),
      (["category", "list", "--app", "shop", "--format", "xml"], 2), (["category"], 2),
      (["report", "buttons", "--sort", "labels"], 2), (["report", "buttons", "--top", "3"], 2),
      (["report", "buttons", "--app", "nix"], 2), (["report", "buttons", "--csv-exact"], 2),
    ] as [([String], Int32)] {
      let run = try world.run(words)
      #expect(run.exitCode == exitCode, "\(words): \(run.standardError)")
      #expect(run.standardError.split(separator: "\n").count == 1, "\(words): \(run.standardError)")
    }
    let list = try world.run(["category", "list", "--app", "shop", "--format", "csv"])
    #expect(list.standardOutput.split(separator: "\r\n").count == 3)
  }

  @Test func `a list has what is there now, and with its history what was`() throws {
    let world = try World()
    #expect(try world.run(["category", "import", Self.example, "--app", "shop"]).exitCode == 0)
    #expect(try world.importCategories(#"{"categoryId":66,"buttons":[{"id":0,"label":"=A1"}]}"#).exitCode == 0)
    let now = try world.run(["category", "list", "--app", "shop"])
    #expect(now.standardOutput.hasPrefix("category  button  opens the app  destructive  from "))
    #expect(now.standardOutput.split(separator: "\n").count == 2)
    let all = try world.run(["category", "list", "--app", "shop", "--history", "--format", "json"])
    let categories = try #require(try JSONValue(text: all.standardOutput)["categories"]?.arrayValue)
    #expect(categories.map { $0["category_id"]?.stringValue } == ["65", "66"])
    #expect(categories.map { $0["to"]?.isNull } == [false, true])
    #expect(categories[0]["buttons"]?.arrayValue?.map { $0["label"] } == [.string("Rate"), .string("Later")])
    let csv = try world.run(["category", "list", "--app", "shop", "--history", "--format", "csv"]).standardOutput
    #expect(csv.contains(",0,0,'=A1,false,false\r\n"))
    _ = try world.run(["ingest", "-", "--app", "empty"], input: Self.events(sessions: 1))
    let none = try world.run(["category", "list", "--app", "empty"])
    #expect(none.exitCode == 0 && none.standardOutput.isEmpty && none.standardError.contains("has no categories"))
  }

  @Test func `a report names the buttons that were pressed`() throws {
    let world = try World(sessions: 100)
    let before = try world.run(["report", "buttons", "--format", "json"])
    #expect(try JSONValue(text: before.standardOutput)["categories"]?.arrayValue?.first?["known"] == .bool(false))
    #expect(try world.run(["category", "import", Self.example, "--app", "shop"]).exitCode == 0)
    let run = try world.run(["report", "buttons", "--by", "app_version", "--format", "json"])
    #expect(run.exitCode == 0 && run.standardError.isEmpty, "\(run.standardError)")
    let report = try JSONValue(text: run.standardOutput)
    #expect(report["definitions"] == .string("buttons/1") && report["responses"]?.integerValue == 100)
    let category = try #require(report["categories"]?.arrayValue?.first)
    #expect(category["known"] == .bool(true) && category["responses"]?.integerValue == 80)
    let buttons = try #require(category["buttons"]?.arrayValue)
    #expect(buttons.map { $0["label"] } == [.string("Rate"), .string("Later"), .null])
    #expect(buttons.map { $0["share"] } == [.number(0.25), .number(0.25), .number(0.25)])
    #expect(report["groups"]?.arrayValue?.map { $0["responses"]?.integerValue } == [50, 50])
    let one = try world.run(["report", "buttons", "--where", "app_version=4.1", "--from", "2026-11-29"])
    #expect(one.standardOutput.contains("where app_version=4.1") && one.standardOutput.contains("Rate (0)"))
    let empty = try world.run(["report", "buttons", "--to", "2026-11-01", "--format", "markdown"])
    #expect(empty.exitCode == 0 && empty.standardOutput.contains("No notification was answered here"))
  }

  @Test func `lint holds a message against what was imported`() throws {
    let world = try World(sessions: 1)
    let message = #"{"notifications":[{"content":"x","ios_category":65}]}"#
    let early = try world.run(["lint", "-", "--app", "shop"], input: message)
    #expect(early.exitCode == 2 && early.standardError.contains("no categories were imported for 'shop'"))
    #expect(try world.run(["category", "import", Self.example, "--app", "shop"]).exitCode == 0)
    let good = try world.run(["lint", "-", "--app", "shop"], input: message)
    #expect(good.exitCode == 0 && good.standardOutput.contains("0 \"Rate\": opens the app, destructive"))
    #expect(try world.importCategories("").exitCode == 0)
    let ended = try world.run(["lint", "-", "--app", "shop"], input: message)
    #expect(
      ended.exitCode == 1 && ended.standardOutput.contains("ios_category_unknown at /notifications/0/ios_category"))
    let file = try world.run(["lint", "-", "--categories", Self.example], input: message)
    #expect(file.exitCode == 0 && file.standardOutput.contains("buttons of category 65"))
    #expect(try world.run(["lint", "-", "--categories", "gone"], input: message).exitCode == 3)
    #expect(try world.run(["lint", "-", "--app", "nix"], input: message).exitCode == 2)
  }

  // MARK: The document

  private static func document() throws -> String {
    try String(contentsOfFile: "\(IntegrationTests.projectFolder)/docs/buttons.md", encoding: .utf8)
  }

  @Test func `the document's report is one as it is printed`() throws {
    let golden = try String(
      contentsOfFile: "\(IntegrationTests.projectFolder)/Tests/Fixtures/reports/buttons-80.txt", encoding: .utf8)
    #expect(try Self.document().contains("```\n\(golden)```\n"))
  }

  @Test func `who pastes the document's blocks gets what it says`() throws {
    let blocks = try ReadmeBlock.all(of: "docs/buttons.md").filter { $0.language == "sh" }
    #expect(blocks.count == 3)
    let world = try World(sessions: 20)
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: "\(world.directory.path)/pagefall", withDestinationPath: PagefallProcess.binaryPath)
    try files.createSymbolicLink(
      atPath: "\(world.directory.path)/Examples", withDestinationPath: "\(IntegrationTests.projectFolder)/Examples")
    let script = blocks.map(\.text).joined(separator: "\n")
    let run = try PagefallProcess.run(
      ["-euo", "pipefail", "-c", "PATH=$PWD:$PATH\n\(script)"],
      environment: ["PAGEFALL_DATABASE": world.database.connectionString], directory: world.directory.path,
      binary: "/bin/bash")
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput.contains("new      65: 0 \"Rate\" (opens the app, destructive), 1 \"Later\"\n"))
    #expect(run.standardOutput.contains("0 errors"))
  }

  @Test func `the document names every key of the JSON form`() throws {
    let document = try Self.document()
    let world = try World(sessions: 10)
    let run = try world.run(["report", "buttons", "--by", "app_version", "--format", "json"])
    var keys: Set<String> = []
    func collect(_ value: JSONValue) {
      for member in value.objectValue ?? [] where member.key != "scope" {
        keys.insert(member.key)
        collect(member.value)
      }
      for element in value.arrayValue ?? [] { collect(element) }
    }
    collect(try JSONValue(text: run.standardOutput))
    for key in keys { #expect(document.contains("\"\(key)\"") || document.contains("`\(key)`"), "\(key)") }
  }
}
