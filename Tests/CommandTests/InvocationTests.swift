import Collector
import Testing

@testable import pagefall

@Suite struct InvocationTests {
  static let listen = Option("listen", takes: "HOST:PORT", help: "", configurable: true)
  static let open = Option("open", help: "", configurable: true)
  static let secret = Option("secret", takes: "X", help: "")

  func invocation(
    _ words: [String] = [], variables: [String: String] = [:], file: String = ""
  ) throws -> Invocation {
    let options = [Self.listen, Self.open, Self.secret]
    let command = Command("test", summary: "", options: options) { _ in .success }
    let settings = try SettingsFile(text: file, path: "settings", knownNames: ["listen", "open"])
    return Invocation(
      command: command, arguments: try ParsedArguments(words, options: options), settings: settings,
      environment: CommandEnvironment(variables: variables) { 0 })
  }

  @Test func `a flag wins over the environment, which wins over the file`() throws {
    let variables = ["PAGEFALL_LISTEN": "environment:1"]
    let file = "# ours\n\n listen = file:1 \n"
    #expect(try invocation(file: file).value(Self.listen) == "file:1")
    #expect(try invocation(variables: variables, file: file).value(Self.listen) == "environment:1")
    #expect(try invocation(["--listen", "flag:1"], variables: variables, file: file).value(Self.listen) == "flag:1")
  }

  @Test func `an empty variable counts as absent`() throws {
    #expect(try invocation(variables: ["PAGEFALL_LISTEN": ""]).value(Self.listen) == nil)
  }

  @Test func `what is not configurable comes from the command line alone`() throws {
    #expect(try invocation(variables: ["PAGEFALL_SECRET": "x"]).value(Self.secret) == nil)
  }

  @Test(arguments: [("true", true), ("1", true), ("ON", true), ("no", false), ("0", false)])
  func `the environment may set a flag`(text: String, isSet: Bool) throws {
    #expect(try invocation(variables: ["PAGEFALL_OPEN": text]).flag(Self.open) == isSet)
  }

  @Test func `an unreadable value is told with where it came from`() throws {
    let invocation = try invocation(variables: ["PAGEFALL_LISTEN": "nowhere"])
    #expect(throws: CommandError.usage("PAGEFALL_LISTEN is 'nowhere'; expected HOST:PORT")) {
      try invocation.value(Self.listen, as: "HOST:PORT") { ListenAddress($0) }
    }
  }

  @Test(arguments: [
    ("lisen = x", "settings, line 1: unknown setting 'lisen'; did you mean listen?"),
    ("\njust words", "settings, line 2: expected `name = value`, found 'just words'"),
  ])
  func `a faulty file is told with its line`(text: String, message: String) {
    #expect(throws: CommandError.usage(message)) {
      try SettingsFile(text: text, path: "settings", knownNames: ["listen"])
    }
  }
}
