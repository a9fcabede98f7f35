// MessageLint: what a phone would do with a message, said before it is sent.
//
//   MessageLint     bytes of a file → what its notifications do, with findings
//   LintCode        every kind of finding, with its severity
//   Document/       bytes → notifications → the payload as it arrives; JSON pointers; the file for the simulator
//   Checks/         what is looked at: block, pages, delivery, names of keys
//   Extension/      the Info.plist of the app's notification content extension
//   Printing/       for people, and as JSON
//
// What plays is never decided here: `StoryPayload` reads the payload, and findings say why it reads as it does.

import FunnelDocument
import StoryPlayback

/// Reads messages and says what a phone would do with each notification in them (playback §1.1, playback §1.2).
package struct MessageLint: Sendable {
  /// The largest file that is read: 16 MiB. A message that can be sent is far smaller.
  package static let maximumBytes = 16 << 20

  /// What is expected of messages.
  package var options: LintOptions

  /// Makes a linter.
  package init(options: LintOptions = LintOptions()) {
    self.options = options
  }

  /// Looks at one file: a `createMessage` request, a payload as it arrives, or a bare `pw_stories` block.
  ///
  /// Never fails: bytes that are no message are a finding of the file.
  ///
  /// - Parameter name: what the report calls the file.
  package func lint(_ bytes: some Collection<UInt8>, name: String) -> LintedFile {
    let document: MessageDocument
    do {
      document = try MessageDocument(bytes: bytes)
    } catch {
      return LintedFile(name: name, form: nil, notifications: [], findings: [error.finding])
    }
    let hasStory = document.notifications.contains { $0.payload.block != nil }
    let notifications = document.notifications.map { lint($0, besideStory: hasStory) }
    return LintedFile(name: name, form: document.form, notifications: notifications, findings: document.findings)
  }

  private func lint(_ notification: MessageNotification, besideStory: Bool) -> LintedNotification {
    let reading = StoryPayload(userInfo: notification.payload.userInfo)
    var findings = FindingList()
    let delivery = DeliveryCheck(notification: notification, options: options)
    let named = NamedCategory(notification)
    // A request may hold plain notifications beside stories, and a notification with buttons is none: that one is no story is
    // only worth a note.
    let isPlain =
      reading.outcome == .fallback(.missingBlock) && notification.payload.category != storyCategory
      && (besideStory || named != nil)
    if isPlain {
      findings.add(.noStory, at: notification.pointer, "This notification has no story and opens as a plain one.")
      if named != nil { delivery.runWithoutStory(&findings) }
    } else {
      BlockCheck(notification: notification, reading: reading).run(&findings)
      delivery.run(&findings)
    }
    CategoryCheck(notification: notification, known: options.categories, isStory: !isPlain).run(&findings)
    KeyNameCheck(notification: notification).run(&findings)
    for place in notification.duplicateKeys {
      findings.add(
        .duplicateKey, at: place, "A key stands twice in its object; the last one counts. Remove the others.")
    }
    return LintedNotification(
      index: notification.index, outcome: reading.outcome, storyID: reading.storyID,
      payloadBytes: notification.payload.byteCount,
      category: named.flatMap { options.categories?.category($0.id) }, findings: findings.sorted)
  }
}

/// The category that opens a story (playback §1).
let storyCategory = "PW_STORIES"

/// What is expected of messages.
package struct LintOptions: Sendable {
  /// Whether the app's service extension is to fetch the images ahead, which needs `mutable-content`.
  package var wantsPrecache: Bool
  /// The content extension that shows the stories, where it is known.
  package var contentExtension: ContentExtension?
  /// The app's categories of buttons, where they are known.
  package var categories: KnownCategories?

  /// Makes options; without any, a message is looked at alone.
  package init(
    wantsPrecache: Bool = false, contentExtension: ContentExtension? = nil, categories: KnownCategories? = nil
  ) {
    self.wantsPrecache = wantsPrecache
    self.contentExtension = contentExtension
    self.categories = categories
  }
}
