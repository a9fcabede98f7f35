import Foundation
import FunnelDocument
import TestSupport
import Testing

/// Pages as people see them: the command writes them, and a real Chromium loads them.
@Suite(.serialized) struct PageTests {
  private let browser: Browser

  init() throws { browser = try Browser() }

  @Test(arguments: PageWorld.reports)
  func `a page shows the numbers of the JSON, and its own JSON is that of the JSON form`(_ report: [String]) throws {
    let world = try PageWorld.shared.get()
    try browser.load(try world.page(report))
    let numbers = try browser.value(PageProbe.numbers)
    #expect(numbers["faults"] == .array([]), "\(report)")
    #expect((numbers["count"]?.integerValue ?? 0) > 20, "\(report)")
    let embedded = try #require(try browser.value("document.getElementById('report').textContent").stringValue)
    #expect(PageWorld.lasting(try JSONValue(text: embedded)) == PageWorld.lasting(try world.json(report)), "\(report)")
  }

  @Test(arguments: PageWorld.reports)
  func `a page loads without a fault, asks for nothing, and is no wider than the screen`(_ report: [String]) throws {
    let path = try PageWorld.shared.get().page(report)
    for width in [320, 360, 1_280] {
      for isDark in [false, true] {
        try browser.load(path, width: width, isDark: isDark)
        #expect(browser.requests == ["file://\(path)"], "\(report) at \(width)")
        #expect(browser.complaints == [], "\(report) at \(width)")
        #expect(try browser.value(PageProbe.overflow) == .array([]), "\(report) at \(width)")
        #expect(try browser.value(PageProbe.contrast) == .array([]), "\(report), dark: \(isDark)")
      }
    }
    #expect(try browser.value(PageProbe.structure) == .array([]), "\(report)")
  }

  @Test func `a table is sorted by keyboard, and says how`() throws {
    try browser.load(try PageWorld.shared.get().page(PageWorld.byVersion))
    _ = try browser.value("document.querySelector('#groups').closest('.scroll').focus()")
    let focused = "document.activeElement.closest('th')?.dataset.name ?? ''"
    for _ in 0..<4 { try browser.press("Tab", code: 9) }
    #expect(try browser.value(focused) == .string("sessions"))
    let column = "[...document.querySelectorAll('#groups tbody tr')].map((row) => Number(row.cells[3].dataset.value))"
    let before = try Self.numbers(browser.value(column))
    #expect(Set(before).count > 1)

    try browser.press("Enter", code: 13, text: "\r")
    #expect(try Self.numbers(browser.value(column)) == before.sorted(by: >))
    let state = "document.activeElement.closest('th').getAttribute('aria-sort')"
    #expect(try browser.value(state) == .string("descending"))
    #expect(
      try browser.value("document.getElementById('status').textContent") == .string("Sorted by sessions, descending."))

    try browser.press(" ", code: 32, text: " ")
    #expect(try Self.numbers(browser.value(column)) == before.sorted())
    #expect(try browser.value(state) == .string("ascending"))

    // By name, and only one column says that it is the one.
    _ = try browser.value("document.querySelector('#groups th button').click()")
    let names = "[...document.querySelectorAll('#groups tbody th')].map((cell) => cell.textContent)"
    #expect(try browser.value(names) == .array(["4.2.0", "4.9.0", "4.10.0"].map { .string($0) }))
    #expect(try browser.value("document.querySelectorAll('#groups [aria-sort]').length") == .integer(1))
    #expect(try browser.value(PageProbe.numbers)["faults"] == .array([]))
  }

  @Test func `what senders wrote is read, and nothing of it is done`() throws {
    let world = try PageWorld.shared.get()
    for report in PageWorld.hostileReports {
      try browser.load(try world.page(report))
      #expect(browser.complaints == [], "\(report)")
      let strange =
        "document.querySelectorAll('img, iframe, [onerror], [onmouseover], body script ~ script ~ *').length"
      #expect(try browser.value(strange) == .integer(0), "\(report)")
      #expect(try browser.value("document.querySelectorAll('script, style').length") == .integer(3), "\(report)")
      let text = try #require(try browser.value("document.body.innerText").stringValue)
      #expect(text.contains("</script><img src=x onerror=alert(1)>\" onmouseover='x' \\u{202E}esrever"), "\(report)")
      #expect(!text.unicodeScalars.contains("\u{202E}"))
    }
  }

  @Test func `the page's own policy forbids what an injected text would try`() throws {
    try browser.load(try PageWorld.shared.get().page(PageWorld.byVersion))
    let violations = """
      new Promise((resolve) => {
        const seen = new Set();
        document.addEventListener("securitypolicyviolation", (event) => {
          seen.add(event.effectiveDirective);
          if (seen.size === 4) resolve([...seen].sort());
        });
        setTimeout(() => resolve([...seen].sort()), 5000);
        const script = document.createElement("script");
        script.textContent = "window.injected = true";
        const image = document.createElement("img");
        image.src = "http://127.0.0.1:9/x";
        const style = document.createElement("style");
        style.textContent = "body { display: none }";
        document.body.append(script, image, style);
        fetch("http://127.0.0.1:9/y").catch(() => {});
      })
      """
    #expect(
      try browser.value(violations)
        == .array(["connect-src", "img-src", "script-src-elem", "style-src-elem"].map { .string($0) }))
    #expect(try browser.value("window.injected === undefined") == .bool(true))
  }

  @Test func `on paper a page is light, and all of its tables are there`() throws {
    try browser.load(try PageWorld.shared.get().page(PageWorld.byVersion), isDark: true, media: "print")
    #expect(
      try browser.value("getComputedStyle(document.body).backgroundColor") == .string("rgb(255, 255, 255)"))
    #expect(try browser.value(PageProbe.contrast) == .array([]))
    let document = try browser.call("Page.printToPDF", ["preferCSSPageSize": .bool(true)])
    #expect((document["data"]?.stringValue?.count ?? 0) > 10_000)
  }

  private static func numbers(_ value: JSONValue) throws -> [Double] {
    try #require(value.arrayValue).compactMap(\.doubleValue)
  }
}
