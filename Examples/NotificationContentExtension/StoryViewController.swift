import PushwooshNotificationUI
import StoryClient
import UIKit
import UserNotifications

/// Shows push stories as the Pushwoosh controller does, and records what happens in them.
///
/// `NSExtensionPrincipalClass` of the Notification Content Extension. Change what you like: override `loopsAfterLastPage` and
/// the like here or in a subclass, and call `super` where you override one of the methods below.
class StoryViewController: PushwooshStoriesViewController, @MainActor PushwooshStoriesDelegate {
  /// Where events go.
  var client: StoryClient { PagefallSetup.client }

  /// The story on screen. The SDK's callbacks do not say which notification they belong to, so it is noted on receipt.
  private var recorder: StoryRecorder?

  override func didReceive(_ notification: UNNotification) {
    // The controller holds its delegate weakly. Nobody else may be it; pass on from here what others want to know.
    storiesDelegate = self
    // Before `super`, which calls back at once. A second notification in the same controller is a story of its own; the
    // first ends where it was, and no `dismiss` is made up for it, since nobody closed anything.
    recorder = client.beginStory(
      userInfo: notification.request.content.userInfo,
      settings: StorySettings(
        loopsAfterLastPage: loopsAfterLastPage, longPressToPauseEnabled: longPressToPauseEnabled,
        crossfadesBetweenPages: crossfadesBetweenPages, hapticsEnabled: hapticsEnabled))
    super.didReceive(notification)
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    // The only sign that a story was closed: the SDK has no callback for it.
    recorder?.didDismiss()
  }

  func storiesViewController(_ controller: PushwooshStoriesViewController, didStartWithPageCount pageCount: Int) {
    recorder?.didStart(pageCount: pageCount)
  }

  func storiesViewController(_ controller: PushwooshStoriesViewController, didShow page: StoryPage, at index: Int) {
    recorder?.didShow(pageIndex: index)
  }

  func storiesViewController(
    _ controller: PushwooshStoriesViewController, didTapActionFor page: StoryPage, at index: Int
  ) {
    recorder?.didTapAction(pageIndex: index)
  }

  func storiesViewControllerDidFinish(_ controller: PushwooshStoriesViewController) {
    recorder?.didFinish()
  }

  func storiesViewControllerDidShowFallback(_ controller: PushwooshStoriesViewController) {
    recorder?.didShowFallback()
  }
}
