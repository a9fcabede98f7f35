import Foundation
import StoryPlayback
import UIKit
import UserNotifications
import UserNotificationsUI

/// The SDK's controller as its subclasses see it, with our headless player in place of a screen: it tells the delegate what
/// the SDK tells, in its order (playback §1.3).
open class PushwooshStoriesViewController: UIViewController, UNNotificationContentExtension {
  /// Who is told; not kept alive.
  public weak var storiesDelegate: PushwooshStoriesDelegate?

  /// The App Group of the media; none.
  open var appGroupIdentifier: String? { nil }
  /// Height by width.
  open var storyAspectRatio: CGFloat { 1.5 }
  /// A tap is felt.
  open var hapticsEnabled: Bool { false }
  /// Holding pauses.
  open var longPressToPauseEnabled: Bool { false }
  /// Pages fade into each other.
  open var crossfadesBetweenPages: Bool { false }
  /// The end leads to the first page.
  open var loopsAfterLastPage: Bool { false }

  private var player: StoryPlayer?
  private var pages: [StoryPage] = []
  private var nowMicroseconds: Int64 = 0

  open override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    handle(.close, at: nowMicroseconds)
  }

  /// A notification is to be shown: its story starts, or its fallback is shown.
  open func didReceive(_ notification: UNNotification) {
    var userInfo: [String: Any] = [:]
    for (key, value) in notification.request.content.userInfo { if let key = key as? String { userInfo[key] = value } }
    let outcome = StoryPayload(userInfo: userInfo).outcome
    var player =
      self.player
      ?? StoryPlayer(
        options: StoryPlayer.Options(
          loopsAfterLastPage: loopsAfterLastPage, longPressToPauseEnabled: longPressToPauseEnabled))
    switch outcome {
    case .story(let played): pages = played.map(StoryPage.init)
    case .fallback:
      pages = []
      showDefaultContent(for: notification)
    }
    let callbacks = player.receive(outcome, at: nowMicroseconds)
    self.player = player
    tell(callbacks)
  }

  /// What is shown where there is no story.
  open func showDefaultContent(for notification: UNNotification) {}

  private func tell(_ callbacks: [StoryPlayer.TimedCallback]) {
    for timed in callbacks {
      switch timed.callback {
      case .didStart(let count): storiesDelegate?.storiesViewController(self, didStartWithPageCount: count)
      case .didShow(let index): storiesDelegate?.storiesViewController(self, didShow: pages[index], at: index)
      case .didTapAction(let index):
        storiesDelegate?.storiesViewController(self, didTapActionFor: pages[index], at: index)
      case .didFinish: storiesDelegate?.storiesViewControllerDidFinish(self)
      case .didShowFallback: storiesDelegate?.storiesViewControllerDidShowFallback(self)
      }
    }
  }
}

// Of the fixture alone: time and fingers.
extension PushwooshStoriesViewController {
  /// A finger does something at a moment of the story's clock, in microseconds.
  public func handle(_ gesture: StoryPlayer.Gesture, at microseconds: Int64) {
    guard var player else { return }
    let wasOpen = player.isOpen
    let callbacks = player.handle(gesture, at: microseconds)
    nowMicroseconds = player.nowMicroseconds
    self.player = player
    tell(callbacks)
    // Where a link cannot be opened the SDK has the notification dismissed.
    if gesture == .tapButton(opens: false), wasOpen, !player.isOpen { viewWillDisappear(true) }
  }

  /// Time passes up to a moment of the story's clock, in microseconds.
  public func play(until microseconds: Int64) {
    guard var player else { return }
    let callbacks = player.advance(to: microseconds)
    nowMicroseconds = player.nowMicroseconds
    self.player = player
    tell(callbacks)
  }
}

extension StoryPage {
  fileprivate init(_ page: StoryPlayback.StoryPage) {
    self.init(
      imageURL: page.imageURL, duration: page.durationSeconds, link: page.link, buttonTitle: page.buttonTitle,
      title: page.title, subtitle: page.subtitle)
  }
}
