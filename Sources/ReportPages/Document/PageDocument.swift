import FunnelDocument

/// A whole page: one HTML file that needs nothing else and may use nothing else.
///
/// Its Content-Security-Policy allows the page's own style and script by their hashes and forbids everything besides, so
/// that even a text that got through as markup could neither run nor ask for anything.
struct PageDocument {
  /// The file, with a newline at its end.
  let text: String

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - title: the name of the page, plain.
  ///   - json: the report's JSON form, embedded as it is.
  ///   - header: what stands above; holds the one `h1`.
  ///   - sections: the parts in their order; a part without a title is not listed on top.
  init(title: String, json: String, header: HTML, sections: [PageSection], footer: HTML) {
    let page = HTML("html", ["lang": "en"]) {
      HTML("head") {
        HTML("meta", ["charset": "utf-8"])
        HTML("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
        HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        HTML("meta", ["name": "color-scheme", "content": "light dark"])
        HTML("meta", ["name": "referrer", "content": "no-referrer"])
        HTML("meta", ["name": "robots", "content": "noindex"])
        HTML("meta", ["name": "generator", "content": "pagefall"])
        HTML("title") { title }
        HTML("style") { HTML.source(PageStyle.parts) }
      }
      HTML("body") {
        HTML("header", ["class": "top"]) { header }
        Self.contents(sections)
        HTML("main") { for section in sections { section.html } }
        HTML("footer") { footer }
        HTML("p", ["id": "status", "class": "unseen", "role": "status"])
        HTML("script", ["type": "application/json", "id": "report"]) { HTML.json(json) }
        HTML("script") { HTML.source([PageScript.text]) }
      }
    }
    text = "<!doctype html>\n" + HTMLWriter.text(page) + "\n"
  }

  private static func contents(_ sections: [PageSection]) -> HTML? {
    let titled = sections.filter { $0.title != nil }
    guard titled.count > 2 else { return nil }
    return HTML("nav", ["class": "contents", "aria-label": "On this page"]) {
      HTML("ul") {
        for section in titled { HTML("li") { HTML("a", ["href": "#\(section.id)"]) { section.title ?? .nothing } } }
      }
    }
  }

  /// What the page may do: use its own style and script.
  static let policy: String = {
    let style = SHA256.base64(PageStyle.parts.flatMap { $0.description.utf8 })
    let script = SHA256.base64(PageScript.text.description.utf8)
    return "default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(script)'; base-uri 'none'; "
      + "form-action 'none'"
  }()
}

/// A part of a page under a heading of its own.
struct PageSection {
  /// Its place in links, and the beginning of the ids in it.
  let id: String
  /// Its heading; nil for a part that speaks for itself.
  let title: HTML?
  /// What stands in it.
  let content: HTML

  init(_ id: String, _ title: HTML?, @HTMLBuilder _ content: () -> HTML) {
    self.id = id
    self.title = title
    self.content = content()
  }

  init(_ id: String, _ title: String, @HTMLBuilder _ content: () -> HTML) {
    self.init(id, HTML.text(title), content)
  }

  fileprivate var html: HTML {
    HTML("section", ["id": id, "aria-labelledby": title.map { _ in "\(id)-heading" }]) {
      if let title { HTML("h2", ["id": "\(id)-heading"]) { title } }
      content
    }
  }
}
