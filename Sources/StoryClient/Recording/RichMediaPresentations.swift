import Foundation

/// Finds the presentation that a callback belongs to, by the content's code: the callbacks name nothing else (playback §2.2).
///
/// Remembers as many as an app can reasonably have open; the oldest are forgotten beyond that.
/// `@unchecked Sendable`: the lock guards the two lists.
final class RichMediaPresentations: @unchecked Sendable {
  private struct Presentation {
    var code: String
    var session: SessionRecorder
    var wasPresented = false
    /// By the monotonic clock, the last time; nil where it was never closed.
    var closedAtMicroseconds: Int64?
    var hasFailed = false

    var hasEnded: Bool { hasFailed || closedAtMicroseconds != nil }
  }

  /// Deferred or shown ones that are remembered, each.
  private static let most = 32
  /// How long after its close a failure of the older style may come: both are told in one go, but between them the delegate may
  /// show the next one.
  private static let longestDoubleEndMicroseconds: Int64 = 2_000_000

  private let lock = NSLock()
  /// In the order in which they were deferred.
  private var waiting: [Presentation] = []
  /// In the order in which they were shown, or ended without it; ended ones stay, for a second end.
  private var shown: [Presentation] = []

  /// Remembers one that waits for its turn.
  func `defer`(_ session: SessionRecorder, _ code: String) {
    lock.lock()
    defer { lock.unlock() }
    Self.append(Presentation(code: code, session: session), to: &waiting)
  }

  /// The one that has waited longest, else a new one.
  func present(_ code: String, begin: () -> SessionRecorder) -> SessionRecorder {
    lock.lock()
    defer { lock.unlock() }
    var presentation = takeWaiting(code) ?? Presentation(code: code, session: begin())
    presentation.wasPresented = true
    Self.append(presentation, to: &shown)
    return presentation.session
  }

  /// The one that was shown last and has not ended; else the one that ended last, since the timer of a window that a hand has
  /// closed may close it again, whenever that is; else as for a failure.
  func close(_ code: String, atMicroseconds now: Int64, begin: () -> SessionRecorder) -> SessionRecorder {
    lock.lock()
    defer { lock.unlock() }
    let place = placeOfOpen(code) ?? shown.lastIndex { $0.code == code } ?? appendUnshown(code, begin)
    shown[place].closedAtMicroseconds = now
    return shown[place].session
  }

  /// The one that was shown last and has not ended; else the one that was closed a moment ago without having been presented: the
  /// older style's double end; else the one that has waited longest, whose turn has come and whose page has not; else a new one.
  ///
  /// What was presented and has been closed does not fail any more, so such a failure is of the content's next presentation.
  func fail(_ code: String, atMicroseconds now: Int64, begin: () -> SessionRecorder) -> SessionRecorder {
    lock.lock()
    defer { lock.unlock() }
    let place = placeOfOpen(code) ?? placeOfHalfEnded(code, now) ?? appendUnshown(code, begin)
    shown[place].hasFailed = true
    return shown[place].session
  }

  private func placeOfOpen(_ code: String) -> Int? { shown.lastIndex { $0.code == code && !$0.hasEnded } }

  private func placeOfHalfEnded(_ code: String, _ now: Int64) -> Int? {
    guard let place = shown.lastIndex(where: { $0.code == code }), !shown[place].wasPresented, !shown[place].hasFailed,
      let closedAt = shown[place].closedAtMicroseconds, now - closedAt <= Self.longestDoubleEndMicroseconds
    else { return nil }
    return place
  }

  /// Takes over the one that has waited longest, or begins one, neither of them presented. Returns its place.
  private func appendUnshown(_ code: String, _ begin: () -> SessionRecorder) -> Int {
    Self.append(takeWaiting(code) ?? Presentation(code: code, session: begin()), to: &shown)
    return shown.count - 1
  }

  private func takeWaiting(_ code: String) -> Presentation? {
    waiting.firstIndex { $0.code == code }.map { waiting.remove(at: $0) }
  }

  private static func append(_ presentation: Presentation, to list: inout [Presentation]) {
    if list.count >= most { list.removeFirst() }
    list.append(presentation)
  }
}
