import Foundation

/// One page as it plays (playback §1.1, playback §1.2): defaults applied, limits kept.
public struct StoryPage: Equatable, Sendable {
  /// The full-bleed image; has a scheme, any scheme.
  public var imageURL: URL
  /// Time on screen before auto-advance: more than 0, at most 30 seconds.
  public var durationSeconds: Double
  /// The deep link that the button opens; has a scheme.
  public var link: URL?
  /// The button's title, not empty.
  public var buttonTitle: String?
  /// The overlaid title, not empty.
  public var title: String?
  /// The overlaid subtitle, not empty.
  public var subtitle: String?
  /// Its place in the payload, from 0. Callbacks report the played index instead, which is lower after a dropped page.
  public var payloadIndex: Int

  /// The duration of a page that names none, in seconds.
  public static let defaultDurationSeconds = 5.0
  /// The longest duration, in seconds.
  public static let longestDurationSeconds = 30.0

  /// Makes a page. The duration is taken as it is.
  public init(
    imageURL: URL, durationSeconds: Double = StoryPage.defaultDurationSeconds, link: URL? = nil,
    buttonTitle: String? = nil, title: String? = nil, subtitle: String? = nil, payloadIndex: Int = 0
  ) {
    self.imageURL = imageURL
    self.durationSeconds = durationSeconds
    self.link = link
    self.buttonTitle = buttonTitle
    self.title = title
    self.subtitle = subtitle
    self.payloadIndex = payloadIndex
  }

  /// Whether the button shows: only with both a link and a title.
  public var showsButton: Bool { link != nil && buttonTitle != nil }

  /// The duration in whole microseconds, at least 1 so that a player's clock always moves on.
  public var durationMicroseconds: Int64 {
    let seconds =
      durationSeconds.isNaN ? Self.defaultDurationSeconds : min(durationSeconds, Self.longestDurationSeconds)
    return Int64(max(1, (seconds * 1_000_000).rounded()))
  }
}

extension StoryPage {
  /// Reads one object of `pages`, or says why a phone drops it.
  static func read(_ object: [String: Any], payloadIndex: Int) -> Result<StoryPage, PageDropReason> {
    guard let image = object["image"], !(image is NSNull) else { return .failure(.missingImage) }
    guard let imageText = image as? String else { return .failure(.imageNotText) }
    guard let imageURL = URL(string: imageText) else { return .failure(.imageNotURL) }
    guard imageURL.hasScheme else { return .failure(.imageWithoutScheme) }
    return .success(
      StoryPage(
        imageURL: imageURL, durationSeconds: playedDuration(object["duration"]), link: link(object["link"]),
        buttonTitle: text(object["button_title"]), title: text(object["title"]), subtitle: text(object["subtitle"]),
        payloadIndex: payloadIndex))
  }

  /// Only a JSON number counts, `true` reading as 1; what is not above zero and finite gives the default.
  private static func playedDuration(_ value: Any?) -> Double {
    guard let seconds = (value as? NSNumber)?.doubleValue, seconds.isFinite, seconds > 0 else {
      return defaultDurationSeconds
    }
    return min(seconds, longestDurationSeconds)
  }

  private static func link(_ value: Any?) -> URL? {
    guard let text = value as? String, let url = URL(string: text), url.hasScheme else { return nil }
    return url
  }

  private static func text(_ value: Any?) -> String? {
    guard let text = value as? String, !text.isEmpty else { return nil }
    return text
  }
}

extension URL {
  /// Foundation reports the empty scheme of "://x" as text on some systems and as none on others: it is none.
  fileprivate var hasScheme: Bool { scheme?.isEmpty == false }
}

/// Why a phone drops a page (playback §1.2).
public enum PageDropReason: String, Error, Equatable, Sendable, CaseIterable {
  /// `image` is absent or null.
  case missingImage = "missing_image"
  /// `image` is not a string.
  case imageNotText = "image_not_text"
  /// `image` is not a URL.
  ///
  /// What a URL is follows Foundation of iOS 17 and later, where characters that a URL may not hold (a space) are
  /// percent-encoded. Older systems drop such a page, so a careful sender encodes them.
  case imageNotURL = "image_not_url"
  /// `image` has no scheme.
  case imageWithoutScheme = "image_without_scheme"
}

/// A page that would not play.
public struct DroppedPage: Equatable, Sendable {
  /// Its place in the payload, from 0.
  public var payloadIndex: Int
  /// Why it is dropped.
  public var reason: PageDropReason

  /// Makes a record of a dropped page.
  public init(payloadIndex: Int, reason: PageDropReason) {
    self.payloadIndex = payloadIndex
    self.reason = reason
  }
}
