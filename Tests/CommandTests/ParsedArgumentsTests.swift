import Testing

@testable import pagefall

@Suite struct ParsedArgumentsTests {
  static let options = [
    Option("listen", takes: "HOST:PORT", help: ""), Option("out", short: "o", takes: "FILE", help: ""),
    Option("open", help: ""), Option("message", takes: "FILE", help: "", repeatable: true),
  ]

  func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
    try ParsedArguments(words, options: Self.options)
  }

  @Test(arguments: [
    ["--listen", "a:1"], ["--listen=a:1"],
  ])
  func `a value follows its option, or an equals sign`(words: [String]) throws {
    #expect(try ParsedArguments(words, options: Self.options).values == ["listen": ["a:1"]])
  }

  @Test(arguments: [["-o", "f"], ["-of"], ["-o=f"], ["--out", "f"], ["--out=f"]])
  func `a short option is its long one`(words: [String]) throws {
    #expect(try ParsedArguments(words, options: Self.options).values == ["out": ["f"]])
  }

  @Test func `a value may be empty, a dash, or look like an option`() throws {
    #expect(try parse("--out=").values == ["out": [""]])
    #expect(try parse("--out", "-").values == ["out": ["-"]])
    #expect(try parse("--out", "--open").values == ["out": ["--open"]])
  }

  @Test func `options and operands mix, and a lone dash is an operand`() throws {
    let parsed = try parse("first", "--open", "-", "last")
    #expect(parsed.operands == ["first", "-", "last"])
    #expect(parsed.values["open"] == [""])
  }

  @Test func `nothing behind two dashes is touched`() throws {
    let parsed = try parse("one", "--", "--open", "--", "-c")
    #expect(parsed.operands == ["one"])
    #expect(parsed.passedThrough == ["--open", "--", "-c"])
  }

  @Test func `only a repeatable option may come twice`() throws {
    #expect(try parse("--message", "a", "--message=b").values["message"] == ["a", "b"])
    #expect(throws: UsageError(message: "--out is given twice; give it once")) { try parse("--out", "a", "--out", "b") }
  }

  @Test(arguments: [
    (["--lissen", "x"], "unknown option --lissen; did you mean --listen?"),
    (["--entirely-else"], "unknown option --entirely-else"), (["-x"], "unknown option -x"),
    (["--out"], "--out needs a value: --out FILE"), (["--open=1"], "--open takes no value; write it alone"),
  ])
  func `a wrong command line is told in one line`(words: [String], message: String) {
    #expect(throws: UsageError(message: message)) { try ParsedArguments(words, options: Self.options) }
  }
}
