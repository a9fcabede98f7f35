import Testing

@testable import pagefall

@Suite struct SuggestionTests {
  static let known = ["serve", "ingest", "simulate", "report", "key", "database"]

  @Test(arguments: [
    ("srve", "serve"), ("injest", "ingest"), ("repotr", "report"), ("databse", "database"), ("ke", "key"),
  ])
  func `a slip of the finger finds its word`(written: String, meant: String) {
    #expect(Suggestion.nearest(to: written, in: Self.known) == meant)
  }

  @Test(arguments: ["", "migrate", "xyz", "list", "\u{0}"]) func `anything else finds nothing`(written: String) {
    #expect(Suggestion.nearest(to: written, in: Self.known) == nil)
  }

  @Test func `nothing is near where nothing is known`() {
    #expect(Suggestion.nearest(to: "serve", in: []) == nil)
  }

  @Test(arguments: [
    ("plain", "'plain'"), ("a\nb", "'a\\nb'"), ("\u{1B}[2J", "'\\u{1B}[2J'"),
    (String(repeating: "x", count: 81), "'" + String(repeating: "x", count: 80) + "…'"),
  ])
  func `a word from outside is quoted, without what a terminal obeys, and cut`(text: String, shown: String) {
    #expect(quoted(text) == shown)
  }
}
