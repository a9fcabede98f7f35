import Foundation
import FunnelDocument
import StoryPlayback

/// The button shows only with both a link that has a scheme and a title (playback §1.2, playback §1.3).
extension PageCheck {
  func checkButton(_ page: StoryPage, _ findings: inout FindingList) {
    let link = value["link"].flatMap { $0.isNull || $0.stringValue == "" ? nil : $0 }
    if let link, page.link == nil {
      explainUnusableLink(link, hasTitle: page.buttonTitle != nil, &findings)
    } else if let url = page.link {
      if let text = link?.stringValue, text != url.absoluteString {
        findings.add(
          .linkNeedsEncoding, at: place.appending("link"),
          "The link holds characters that a URL may not hold: phones before iOS 17 have no link then. Write "
            + "\(quoted(url.absoluteString)).")
      }
      // A title of another type is told already.
      if page.buttonTitle == nil, value["button_title"].map({ $0.isNull || $0.stringValue != nil }) ?? true {
        findings.add(
          .linkWithoutButtonTitle, at: place.appending("link"),
          "The page has a link but no button_title, so no button shows and nothing opens the link. Add button_title.")
      }
    } else if page.buttonTitle != nil {
      findings.add(
        .buttonTitleWithoutLink, at: place.appending("button_title"),
        "The page has a button_title but no link, so no button shows. Add a link, such as yourapp://page.")
    }
  }

  private func explainUnusableLink(_ link: JSONValue, hasTitle: Bool, _ findings: inout FindingList) {
    let there = place.appending("link")
    let effect = hasTitle ? "it counts as none and the button will not show" : "it counts as none"
    guard let text = link.stringValue else {
      findings.add(.linkNotText, at: there, "The link is \(link.kind), not a text: \(effect). Put it in quotes.")
      return
    }
    if URL(string: text) == nil {
      findings.add(.linkNotURL, at: there, "The link \(quoted(text)) is no URL: \(effect). Write a URL with a scheme.")
    } else {
      findings.add(
        .linkWithoutScheme, at: there,
        "The link \(quoted(text)) has no scheme: \(effect). Put one in front, such as https:// or yourapp://.")
    }
  }
}
