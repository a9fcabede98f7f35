import FunnelDocument
import StoryEvents
import StoryPlayback

/// Looks at the block: where it stands, whether it falls back, and what reports need of it (playback §1.2).
struct BlockCheck {
  let notification: MessageNotification
  let reading: StoryPayload

  func run(_ findings: inout FindingList) {
    checkOtherBlocks(&findings)
    guard let block = notification.payload.block, let place = notification.blockPlace else {
      if reading.outcome == .fallback(.missingBlock) {
        explainMissingBlock(&findings)
      } else {
        // The phone's parser takes more than ours, such as deeper nesting.
        findings.add(
          .customDataUnchecked, at: notification.pointer,
          "The string of custom data is JSON for a phone, but not by RFC 8259 or not within 64 levels: its pages are "
            + "read, and not looked at. Write it plainly.")
      }
      return
    }
    switch reading.outcome {
    case .fallback(.badPageList): explainBadPageList(block.value, at: place, &findings)
    case .fallback(.noUsablePage):
      let list = place.appending("pages")
      let count = reading.droppedPages.count
      findings.add(
        .noUsablePage, at: list,
        (count == 0 ? "pages is empty" : count == 1 ? "The only page is dropped" : "All \(count) pages are dropped")
          + ", so the phone shows the plain notification. Give at least one page a usable image.")
    case .fallback(.missingBlock):
      // Our parser is stricter with custom data that is a string; the phone's reading is the one that counts.
      explainMissingBlock(&findings)
    case .story(let pages):
      if pages.count > ContractLimits.pageCount.upperBound {
        findings.add(
          .tooManyPages, at: place.appending("pages"),
          "The phone plays all \(pages.count) pages, but events can tell of \(ContractLimits.pageCount.upperBound) at "
            + "most: its sessions are missing in reports. Use fewer pages.")
      }
    }
    checkPages(of: block.value, at: place.appending("pages"), &findings)
    checkStoryID(of: block.value, at: place, &findings)
  }

  private func checkPages(of block: JSONValue, at place: MessagePlace, _ findings: inout FindingList) {
    let objects = block["pages"]?.arrayValue ?? []
    for dropped in reading.droppedPages {
      let raw = objects.indices.contains(dropped.payloadIndex) ? objects[dropped.payloadIndex] : .null
      PageCheck(value: raw, place: place.appending(dropped.payloadIndex)).explain(dropped.reason, &findings)
    }
    guard case .story(let pages) = reading.outcome else { return }
    for page in pages where objects.indices.contains(page.payloadIndex) {
      PageCheck(value: objects[page.payloadIndex], place: place.appending(page.payloadIndex)).check(page, &findings)
    }
  }

  private func checkStoryID(of block: JSONValue, at place: MessagePlace, _ findings: inout FindingList) {
    guard let value = block["story_id"], !value.isNull else {
      findings.add(
        .storyIDMissing, at: place,
        "The block has no story_id: reports cannot tell this story from others. Add one, such as "
          + "\"story_id\": \"spring-sale\"; phones ignore it.")
      return
    }
    let there = place.appending("story_id")
    guard let identifier = reading.storyID else {
      findings.add(
        .storyIDUnusable, at: there,
        "story_id is \(value.stringValue == "" ? "empty" : value.kind) and counts as none: reports cannot tell this "
          + "story from others. Make it a text.")
      return
    }
    if identifier.unicodeScalars.contains("\u{0}") {
      findings.add(.storyIDUnusable, at: there, "story_id holds U+0000, which no event may carry. Take it out.")
    }
    let count = identifier.utf8.count
    if count > ContractLimits.storyIDBytes {
      findings.add(
        .storyIDTooLong, at: there,
        "story_id has \(count) bytes; events with more than \(ContractLimits.storyIDBytes) are rejected. Shorten it.")
    }
  }

  private func explainBadPageList(_ block: JSONValue, at place: MessagePlace, _ findings: inout FindingList) {
    let fallsBack = "so the phone shows the plain notification"
    guard let pages = block["pages"] else {
      findings.add(
        .badPageList, at: place, "The block has no pages, \(fallsBack). Put an array of page objects into pages.")
      return
    }
    let list = place.appending("pages")
    guard let elements = pages.arrayValue else {
      findings.add(
        .badPageList, at: list, "pages is \(pages.kind), \(fallsBack). Make it an array of page objects.")
      return
    }
    for (index, element) in elements.enumerated() where element.objectValue == nil {
      findings.add(
        .badPageList, at: list.appending(index),
        "This page is \(element.kind), not an object: one such page spoils all, \(fallsBack). Make it an object with an "
          + "image, or take it out.")
    }
  }
}
