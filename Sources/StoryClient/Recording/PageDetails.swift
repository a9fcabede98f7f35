import StoryEvents
import StoryPlayback

/// What events tell of pages (contract §1, "Page details"), as JSON made once for a story.
struct PageDetails: Sendable {
  /// `{…}` of each page for the `start`, all that is known of it; empty where it would not fit one event.
  private let pages: [[UInt8]]
  /// `{…}` of each page for its impressions: place and duration; all that is known where the `start` does not tell.
  private let impressions: [[UInt8]]

  /// What `pages` may take of a `start`.
  private static let mostStartBytes = ContractLimits.eventBytes - 1024

  /// Pages beyond what the contract knows are left out.
  init(pages: [StoryPage]) {
    let known = pages.prefix(ContractLimits.pageCount.upperBound)
    let whole = known.map { Self.describe($0, isWhole: true) }
    let isOnStart = whole.reduce(0) { $0 + $1.count + 1 } <= Self.mostStartBytes
    self.pages = isOnStart ? whole : []
    impressions = isOnStart ? known.map { Self.describe($0, isWhole: false) } : whole
  }

  /// Appends `,"pages":[…]`; nothing where there is none.
  func appendPages(to bytes: inout [UInt8]) {
    guard !pages.isEmpty else { return }
    bytes.append(memberName: "pages")
    for (index, page) in pages.enumerated() {
      bytes.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      bytes.append(contentsOf: page)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends `,"page":{…}`; nothing for a page that we do not know.
  func appendPage(_ index: Int, to bytes: inout [UInt8]) {
    guard impressions.indices.contains(index) else { return }
    bytes.append(memberName: "page")
    bytes.append(contentsOf: impressions[index])
  }

  private static func describe(_ page: StoryPage, isWhole: Bool) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    if isWhole {
      // A URL that is cut leads nowhere.
      let image = page.imageURL.absoluteString
      if image.utf8.count <= ContractLimits.textBytes { bytes.append(member: "image_url", image) }
      bytes.append(member: "title", page.title)
      bytes.append(member: "subtitle", page.subtitle)
      if let link = page.link?.absoluteString, link.utf8.count <= ContractLimits.textBytes {
        bytes.append(member: "link", link)
      }
      bytes.append(member: "button_title", page.buttonTitle)
    }
    bytes.append(memberName: "payload_index")
    bytes.append(decimal: page.payloadIndex)
    if page.durationSeconds.isFinite {
      bytes.append(memberName: "duration")
      bytes.append(jsonNumber: page.durationSeconds)
    }
    bytes.removeComma(at: 1)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
