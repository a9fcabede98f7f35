import Foundation
import PushwooshCore
import StoryClient

/// Shows rich media one after the other, and records what becomes of each.
///
/// Set it once, at launch, as the delegate of `PWRichMediaManager`, which keeps it alive. All calls come on the main thread.
nonisolated final class PagefallRichMediaDelegate: NSObject, PWRichMediaPresentingDelegate {
  /// How windows are set up; goes along with the events. The SDK does not tell its settings, so give both the same.
  var window: RichMediaWindow?

  /// Shows the next one in the queue. In a modal window; for the full-screen style set
  /// `{ PWRichMediaManager.shared().present($0) }`.
  var presentNext: (PWRichMedia) -> Void = { PWModalWindowConfiguration.shared().presentModalWindow($0) }

  /// How long one that was allowed may take to appear before it stands in nobody's way any more, in seconds.
  var patience: TimeInterval = 30

  private let recorder: RichMediaRecorder
  private var current: PWRichMedia?
  private var isOnScreen = false
  private var allowedAt = Date()
  private var queue: [PWRichMedia] = []

  /// Makes a delegate that records with a client.
  init(client: StoryClient, window: RichMediaWindow? = nil) {
    recorder = client.richMedia
    self.window = window
  }

  /// False means later: the rich media waits for its turn.
  func richMediaManager(_ richMediaManager: PWRichMediaManager!, shouldPresent richMedia: PWRichMedia!) -> Bool {
    guard let richMedia else { return true }
    if let current, current !== richMedia, isOnScreen || abs(allowedAt.timeIntervalSinceNow) < patience {
      if !queue.contains(where: { $0 === richMedia }) {
        queue.append(richMedia)
        recorder.didDefer(content(richMedia), window: window)
      }
      return false
    }
    allow(richMedia)
    return true
  }

  func richMediaManager(_ richMediaManager: PWRichMediaManager!, didPresent richMedia: PWRichMedia!) {
    guard let richMedia else { return }
    allow(richMedia)
    isOnScreen = true
    recorder.didPresent(content(richMedia), window: window)
  }

  func richMediaManager(_ richMediaManager: PWRichMediaManager!, didClose richMedia: PWRichMedia!) {
    guard let richMedia else { return }
    recorder.didClose(content(richMedia), window: window)
    goOn(after: richMedia)
  }

  func richMediaManager(
    _ richMediaManager: PWRichMediaManager!, presentingDidFailFor richMedia: PWRichMedia!, withError error: Error!
  ) {
    guard let richMedia else { return }
    recorder.didFail(content(richMedia), error: description(error), window: window)
    goOn(after: richMedia)
  }

  private func allow(_ richMedia: PWRichMedia) {
    queue.removeAll { $0 === richMedia }
    guard current !== richMedia else { return }
    current = richMedia
    isOnScreen = false
    allowedAt = Date()
  }

  /// The next one's turn, unless this was the end of one that had ended before: the timer that closes windows is not stopped
  /// by a finger, and the full-screen style tells of a failure twice.
  private func goOn(after richMedia: PWRichMedia) {
    queue.removeAll { $0 === richMedia }
    guard current === richMedia else { return }
    current = nil
    guard let next = queue.first else { return }
    allow(next)
    presentNext(next)
  }

  private func content(_ richMedia: PWRichMedia) -> RichMediaContent {
    RichMediaContent(
      code: richMedia.content ?? "", source: richMedia.source == .push ? .push : .inApp,
      userInfo: richMedia.pushPayload ?? [:])
  }

  /// Domain and code, the same in every language and without anything personal.
  private func description(_ error: Error?) -> String {
    guard let error = error as NSError? else { return "unknown" }
    return "\(error.domain) \(error.code)"
  }
}
