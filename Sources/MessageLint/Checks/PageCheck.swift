import Foundation
import FunnelDocument
import StoryEvents
import StoryPlayback

/// Looks at one page: what is written beside what plays (playback §1.2).
struct PageCheck {
  /// The page as it is written.
  let value: JSONValue
  let place: MessagePlace

  /// Why the phone drops the page.
  func explain(_ reason: PageDropReason, _ findings: inout FindingList) {
    let image = value["image"]
    let there = image == nil ? place : place.appending("image")
    switch reason {
    case .missingImage:
      findings.add(.missingImage, at: there, "The page has no image and is dropped. Add the URL of one.")
    case .imageNotText:
      findings.add(
        .imageNotText, at: there,
        "The image is \((image ?? .null).kind), not a text, and the page is dropped. Write its URL as a text.")
    case .imageNotURL:
      findings.add(
        .imageNotURL, at: there,
        "The image \(quoted(image)) is no URL, and the page is dropped. Write a URL with https.")
    case .imageWithoutScheme:
      findings.add(
        .imageWithoutScheme, at: there,
        "The image \(quoted(image)) has no scheme, and the page is dropped. Put https:// in front.")
    }
  }

  /// What of a page that plays is not as it is written.
  func check(_ page: StoryPage, _ findings: inout FindingList) {
    checkImage(page, &findings)
    checkDuration(page, &findings)
    checkTexts(&findings)
    checkButton(page, &findings)
    checkEventLimits(&findings)
  }

  private func checkImage(_ page: StoryPage, _ findings: inout FindingList) {
    let there = place.appending("image")
    switch page.imageURL.scheme?.lowercased() {
    case "https": break
    case "http":
      findings.add(
        .imageNotHTTPS, at: there,
        "The image is plain http, which iOS (App Transport Security) blocks unless the app allows it: the page stays "
          + "without its image. Use https.")
    case let scheme:
      findings.add(
        .imageUnusualScheme, at: there,
        "The page plays, but \(quoted(scheme ?? "")) is no scheme from which phones load images: it stays without its "
          + "image. Use https.")
    }
    if let text = value["image"]?.stringValue, text != page.imageURL.absoluteString {
      findings.add(
        .imageNeedsEncoding, at: there,
        "The image holds characters that a URL may not hold: phones before iOS 17 drop the page. Write "
          + "\(quoted(page.imageURL.absoluteString)).")
    }
  }

  private func checkDuration(_ page: StoryPage, _ findings: inout FindingList) {
    guard let written = value["duration"], !written.isNull else { return }
    let there = place.appending("duration")
    let played = "the page plays \(SecondsText.text(page.durationSeconds)) s"
    if case .bool = written {
      findings.add(
        .durationIsBoolean, at: there, "The duration is true or false, not a number: \(played). Write seconds.")
      return
    }
    guard let seconds = written.doubleValue else {
      findings.add(
        .durationNotANumber, at: there,
        "The duration is \(written.kind), not a number, and is ignored: \(played). Write seconds without quotes.")
      return
    }
    guard seconds != page.durationSeconds else { return }
    if seconds > StoryPage.longestDurationSeconds {
      findings.add(
        .durationTooLong, at: there,
        "The duration is \(SecondsText.text(seconds)) s; \(played), the longest there is. Write 30 or less.")
    } else {
      findings.add(
        .durationNotPositive, at: there,
        "The duration is \(SecondsText.text(seconds)) s, not above zero: \(played). Write the seconds you want.")
    }
  }

  /// What is a text by its meaning but not by its type, or shows nothing.
  private func checkTexts(_ findings: inout FindingList) {
    for name in ["title", "subtitle", "button_title"] {
      guard let written = value[name], !written.isNull else { continue }
      let there = place.appending(name)
      let effect = name == "button_title" ? "the button will not show" : "it will not show"
      if let text = written.stringValue {
        if text.isEmpty {
          findings.add(.textEmpty, at: there, "\(name) is empty and counts as none. Leave it out.")
        } else if text.allSatisfy(\.isWhitespace) {
          findings.add(.textBlank, at: there, "\(name) holds nothing but blanks: it shows as nothing. Write a text.")
        }
      } else {
        findings.add(
          .textNotText, at: there, "\(name) is \(written.kind), not a text: \(effect). Put it in quotes.")
      }
    }
  }

  /// What is beyond an event's limits is left out of events, so reports cannot show it (contract §1, "Limits").
  private func checkEventLimits(_ findings: inout FindingList) {
    for name in ["image", "link", "button_title", "title", "subtitle"] {
      guard let text = value[name]?.stringValue else { continue }
      let isTooLong = text.utf8.count > ContractLimits.textBytes
      guard isTooLong || text.utf8.contains(0) else { continue }
      let what = isTooLong ? "has \(text.utf8.count) bytes, more than \(ContractLimits.textBytes)" : "holds U+0000"
      findings.add(
        .textLeftOutOfEvents, at: place.appending(name),
        "\(name) \(what): it is left out of events, and reports cannot show it. Shorten or clean it.")
    }
  }
}
