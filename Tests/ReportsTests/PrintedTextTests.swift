import FunnelDocument
import PrintedText
import Testing

@testable import Reports

@Suite struct `Texts that are printed` {
  @Test(arguments: [
    ("", []), ("one", ["one"]), ("one two", ["one two"]), ("one two three", ["one two", "three"]),
    ("春の 春の", ["春の", "春の"]),
  ])
  func `are broken between words`(_ text: String, _ lines: [String]) {
    for wideWords in [WrappedText.WideWords.cut, .whole, .broken] {
      #expect(WrappedText.lines(text, columns: 8, wideWords: wideWords) == lines)
    }
  }

  @Test func `cut, keep or break a word that is wider than a line`() {
    let text = "a 0123456789 b"
    #expect(WrappedText.lines(text, columns: 4) == ["a", "012…", "b"])
    #expect(WrappedText.lines(text, columns: 4, wideWords: .whole) == ["a", "0123456789", "b"])
    #expect(WrappedText.lines(text, columns: 4, wideWords: .broken) == ["a", "0123", "4567", "89 b"])
    // Nothing fits, and it ends all the same.
    #expect(WrappedText.lines("春", columns: 1, wideWords: .broken) == ["春"])
  }

  @Test func `stand in JSON so that a terminal obeys none and a program reads the same`() throws {
    let value = JSONValue.object([
      JSONMember("a", .string("\u{1B}[31m\u{7F}\u{9B}2J\u{202E}\u{E0001}")), JSONMember("b", .string("é 春 👩‍👩‍👧 \"\n")),
    ])
    for layout in [JSONLayout.readable, .compact] {
      let text = value.printed(layout: layout)
      #expect(text.hasSuffix("}\n"))
      #expect(text.dropLast().unicodeScalars.allSatisfy { DisplayText.escaped(String($0)) == String($0) || $0 == "\n" })
      #expect(text.contains("é 春 👩‍👩‍👧"))
      #expect(try JSONValue(text: text) == value)
    }
  }

  @Test func `are the same where their bytes are`() {
    let (one, two) = (ByteText("caf\u{E9}"), ByteText("cafe\u{301}"))
    #expect(one.text == two.text && one != two && two < one)
    #expect(Set([one, two, ByteText("caf\u{E9}")]).count == 2)
    #expect(StoryKey(appID: 1, story: one.text) != StoryKey(appID: 1, story: two.text))
    #expect(StoryKey(appID: 1, story: "(none)") == StoryKey(appID: 1, story: nil))
    #expect(SessionField.property(one.text) != .property(two.text))
    #expect(VersionName(app: "a", version: one.text) != VersionName(app: "a", version: two.text))
  }

  @Test(arguments: [
    (0.4, "0 ms"), (999, "999 ms"), (59_940, "59.9 s"), (3_000_000, "50.0 min"), (172_799_000, "48.0 h"),
    (172_800_000, "2.0 d"), (31_536_000_000_000, "365,000.0 d"),
  ])
  func `say lengths of time in what people count by`(_ milliseconds: Double, _ text: String) {
    #expect(FigureText.length(milliseconds: milliseconds) == text)
  }

  @Test func `take pages together that nobody came to`() {
    #expect(PageRuns.runs([1, 0, 0, 2, 0], isUnseen: { $0 == 0 }) == [0..<1, 1..<3, 3..<4, 4..<5])
    #expect(PageRuns.runs([Int](), isUnseen: { $0 == 0 }).isEmpty)
    #expect(PageRuns.runs([0, 0], isUnseen: { $0 == 0 }) == [0..<2])
  }
}
