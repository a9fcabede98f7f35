import Foundation
import StoryPlayback

/// The SDK's manager with our headless player in place of windows: asks and tells the delegate what the SDK asks and tells, in
/// its order (playback §2).
open class PWRichMediaManager: NSObject {
  nonisolated(unsafe) private static let one = PWRichMediaManager()

  /// The only one.
  public class func shared() -> PWRichMediaManager! { one }

  /// Who is asked and told; kept alive.
  public var delegate: PWRichMediaPresentingDelegate!

  /// Shows a rich media, unless the delegate says no.
  public func present(_ richMedia: PWRichMedia!) {
    if delegate?.richMediaManager(self, shouldPresent: richMedia) ?? true { show(richMedia) }
  }

  // Of the fixture alone, from here on: time, fingers, and what a page does.

  private var player = ModalPlayer(options: ModalPlayer.Options(delegate: .agreeing))
  private var shown: [PWRichMedia] = []

  /// How pages of a code load; those without an entry appear at once.
  public var loading: [String: RichMediaLoading] = [:]

  /// Begins anew, with no delegate and nothing on screen.
  public func restart(style: ModalPlayer.Style = .modal) {
    player = ModalPlayer(options: ModalPlayer.Options(style: style, delegate: .agreeing))
    shown = []
    loading = [:]
    window = ModalWindow()
    delegate = nil
  }

  /// How windows are set up.
  public var window = ModalWindow()

  /// Time passes up to a moment of the player's clock, in microseconds.
  public func play(until microseconds: Int64) {
    // Moment by moment, since the delegate acts on what it is told.
    while let moment = player.nextMomentMicroseconds, moment <= microseconds { tell(player.advance(to: moment)) }
    tell(player.advance(to: microseconds))
  }

  /// A finger closes the window of a rich media at a moment of the player's clock, in microseconds.
  public func close(_ richMedia: PWRichMedia, at microseconds: Int64) {
    guard let number = shown.lastIndex(where: { $0 === richMedia }) else { return }
    play(until: microseconds)
    tell(player.close(number, at: microseconds))
  }

  fileprivate func show(_ richMedia: PWRichMedia) {
    shown.append(richMedia)
    let code = richMedia.content ?? ""
    tell(
      player.present(
        StoryPlayback.RichMediaContent(code: code, window: window),
        loading: loading[code] ?? .appears(afterMicroseconds: 0), answer: true, at: player.nowMicroseconds))
  }

  private func tell(_ callbacks: [ModalPlayer.TimedCallback]) {
    for timed in callbacks {
      let richMedia = shown[timed.presentation]
      switch timed.callback {
      case .shouldPresent: break  // The delegate itself was asked before.
      case .didPresent: delegate?.richMediaManager(self, didPresent: richMedia)
      case .didClose: delegate?.richMediaManager(self, didClose: richMedia)
      case .didFail(let error):
        let error = NSError(domain: error, code: -1, userInfo: nil)
        delegate?.richMediaManager(self, presentingDidFailFor: richMedia, withError: error)
      }
    }
  }
}

/// The settings of modal windows, as far as the examples use them.
open class PWModalWindowConfiguration: NSObject {
  nonisolated(unsafe) private static let one = PWModalWindowConfiguration()

  /// The only one.
  public class func shared() -> PWModalWindowConfiguration { one }

  /// Shows a rich media in a modal window without asking the delegate.
  public func presentModalWindow(_ richMedia: PWRichMedia) { PWRichMediaManager.shared().show(richMedia) }
}
