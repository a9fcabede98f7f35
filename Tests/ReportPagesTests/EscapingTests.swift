import Testing

@testable import ReportPages

@Suite struct `Texts on a page` {
  @Test(
    arguments: [
      ("plain", "plain"), ("a & b", "a &amp; b"), ("<b>", "&lt;b&gt;"), ("\"'", "&quot;&#39;"),
      ("&lt;", "&amp;lt;"), ("\u{202E}x", "\\u{202E}x"), ("\u{0}\u{1B}[2J\r\n", "\\u{0}\\u{1B}[2J\\u{D}\\u{A}"),
      ("</script>", "&lt;/script&gt;"), ("春 🌸 é", "春 🌸 é"), ("\u{2066}<", "\\u{2066}&lt;"), ("", ""),
    ] as [(String, String)])
  func `are escaped as text and as an attribute alike`(_ text: String, _ escaped: String) {
    #expect(HTMLWriter.text(HTML("p", ["title": text]) { text }) == "\n<p title=\"\(escaped)\">\(escaped)</p>")
    #expect(HTMLWriter.text(.sender(text)) == "<bdi>\(escaped)</bdi>")
  }

  @Test func `never end the element that holds the JSON`() {
    #expect(HTMLWriter.text(.json("\"\u{202E}\u{E0001}é🌸\"\n")) == "\"\\u202e\\udb40\\udc01é🌸\"\n")
    let written = HTMLWriter.text(HTML("script") { HTML.json("{\"a\": \"</script><!--&\"}") })
    #expect(written == "\n<script>{\"a\": \"\\u003c/script\\u003e\\u003c!--\\u0026\"}</script>")
  }

  @Test func `leave out attributes without a value, and end tags of empty elements`() {
    #expect(HTMLWriter.text(HTML("meta", ["name": nil, "charset": "utf-8"])) == "\n<meta charset=\"utf-8\">")
  }

  /// FIPS 180-4's examples, and the lengths at which the padding takes another block.
  @Test(
    arguments: [
      ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
      ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="),
    ] as [(String, String)])
  func `are hashed by SHA-256`(_ text: String, _ base64: String) {
    #expect(SHA256.base64(text.utf8) == base64)
  }

  @Test(
    arguments: [
      (0, "0"), (1.005, "1"), (12.34, "12.34"), (99.999, "100"), (-0.5, "-0.5"), (2.05, "2.05"), (7.1, "7.1"),
    ]
      as [(Double, String)])
  func `that are coordinates have two decimals at most`(_ value: Double, _ text: String) {
    #expect(SVGNumber.text(value) == text)
  }
}

@Suite struct `A page as a file` {
  private static let pages: [@Sendable () -> String] = [
    { ReportPage.text(ExampleFunnel.small()) }, { ReportPage.text(ExampleFunnel.hostile()) },
    { ReportPage.text(ExampleFunnel.empty()) }, { ReportPage.text(ExampleFunnel.withoutSessions()) },
    { ReportPage.text(ExampleFunnel.hidden()) }, { ReportPage.text(ExampleFunnel.long()) },
    { ReportPage.text(ExampleFunnel.comparison()) }, { ReportPage.text(ExampleFunnel.hostileComparison()) },
    { ReportPage.text(ExampleFunnel.stories()) },
  ]

  @Test(arguments: pages.indices)
  func `names no other file, holds no element of a sender, and needs no script to be read`(_ place: Int) {
    let text = Self.pages[place]()
    for word in ["src=\"", "@import", "<img", "<iframe", "<button", " style=\"", "<link"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(!text.contains("\u{202E}") && !text.contains("\u{0}"))
    #expect(text.components(separatedBy: "<script").count == 3)
    #expect(text.components(separatedBy: "</script").count == 3)
    #expect(text.hasPrefix("<!doctype html>\n<html lang=\"en\">") && text.hasSuffix("</html>\n"))
  }

  @Test func `shows no rate where too few presentations stand behind it`() {
    let text = ReportPage.text(ExampleFunnel.hidden())
    #expect(text.contains("Fewer than 500 presentations, so rates are hidden (--min-count)."))
    #expect(!text.contains("class=\"interval\""))
    #expect(!text.contains("funnel-chart-0") && !text.contains("departures-chart-0"))
  }

  @Test func `says why it is empty, and that no session showed a page`() {
    #expect(ReportPage.text(ExampleFunnel.empty()).contains("No story was shown here; widen --from"))
    #expect(ReportPage.text(ExampleFunnel.withoutSessions()).contains("No session showed a page."))
  }

  @Test func `folds the charts of many pages, and names pages that nobody came to together`() {
    let text = ReportPage.text(ExampleFunnel.long())
    #expect(text.contains("<summary>Pages 24 to 999</summary>"))
    #expect(text.contains("id=\"funnel-chart-3-title\"") && text.contains("pages 400 to 999: nobody came here"))
  }
}
