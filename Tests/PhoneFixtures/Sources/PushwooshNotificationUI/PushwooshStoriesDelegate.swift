import Foundation

/// The SDK's observer of a story: every method optional, none bound to the main actor (playback §1.3).
public protocol PushwooshStoriesDelegate: AnyObject {
  /// A story begins.
  func storiesViewController(_ controller: PushwooshStoriesViewController, didStartWithPageCount pageCount: Int)
  /// A page is entered.
  func storiesViewController(_ controller: PushwooshStoriesViewController, didShow page: StoryPage, at index: Int)
  /// The button is tapped.
  func storiesViewController(
    _ controller: PushwooshStoriesViewController, didTapActionFor page: StoryPage, at index: Int)
  /// The last page's timer ran out.
  func storiesViewControllerDidFinish(_ controller: PushwooshStoriesViewController)
  /// The default content is shown.
  func storiesViewControllerDidShowFallback(_ controller: PushwooshStoriesViewController)
}

extension PushwooshStoriesDelegate {
  /// Does nothing.
  public func storiesViewController(_ controller: PushwooshStoriesViewController, didStartWithPageCount: Int) {}
  /// Does nothing.
  public func storiesViewController(
    _ controller: PushwooshStoriesViewController, didShow page: StoryPage, at index: Int
  ) {}
  /// Does nothing.
  public func storiesViewController(
    _ controller: PushwooshStoriesViewController, didTapActionFor page: StoryPage, at index: Int
  ) {}
  /// Does nothing.
  public func storiesViewControllerDidFinish(_ controller: PushwooshStoriesViewController) {}
  /// Does nothing.
  public func storiesViewControllerDidShowFallback(_ controller: PushwooshStoriesViewController) {}
}

/// The SDK's page: no index and no identity.
public struct StoryPage: Equatable {
  /// The image.
  public let imageURL: URL
  /// Seconds on screen.
  public let duration: TimeInterval
  /// What the button opens.
  public let link: URL?
  /// What the button says.
  public let buttonTitle: String?
  /// The title over the image.
  public let title: String?
  /// The subtitle over the image.
  public let subtitle: String?
}
