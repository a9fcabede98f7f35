import StoryEvents
import StoryPlayback

/// What the events of a story tell of its pages (contract §1, "Page details"), as JSON made once.
///
/// What the contract would refuse is left out: a text beyond its limit or with U+0000, and all of `pages` on a `start`
/// where it would not fit one event. The durations on the impressions themselves always are there.
struct StoryDetails: Sendable {
  /// The duration of each page, in microseconds.
  let durations: [Int64]
  /// The durations that a `start` carries; nil where it carries no `pages`.
  let startDurations: [Int64?]?
  /// `,"pages":[…]` of a `start`, or nothing.
  let startJSON: [UInt8]
  /// `,"page":{…}` of each page's impressions.
  let pageJSON: [[UInt8]]

  /// Bytes of `pages` at most, so that a `start` stays well within an event's limit.
  private static let mostStartBytes = ContractLimits.eventBytes / 2

  init(story: SimulatedStory) {
    let pages = story.pages
    durations = pages.map(\.durationMicroseconds)
    pageJSON = pages.map { Array(",\"page\":{\"duration\":\($0.durationSeconds)}".utf8) }
    let list = ",\"pages\":[" + pages.map(Self.describe).joined(separator: ",") + "]"
    let fits = !pages.isEmpty && list.utf8.count <= Self.mostStartBytes
    startJSON = fits ? Array(list.utf8) : []
    startDurations = fits ? pages.map(\.durationMicroseconds) : nil
  }

  private static func describe(_ page: StoryPage) -> String {
    var members = [
      ("image_url", page.imageURL.absoluteString), ("title", page.title), ("subtitle", page.subtitle),
      ("link", page.link?.absoluteString), ("button_title", page.buttonTitle),
    ].compactMap { name, text -> String? in
      guard let text, text.utf8.count <= ContractLimits.textBytes, !text.utf8.contains(0) else { return nil }
      return "\"\(name)\":" + jsonText(text)
    }
    members.append("\"duration\":\(page.durationSeconds)")
    members.append("\"payload_index\":\(page.payloadIndex)")
    return "{" + members.joined(separator: ",") + "}"
  }
}
