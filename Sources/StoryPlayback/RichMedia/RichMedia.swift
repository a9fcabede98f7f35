// RichMedia: modal windows without a screen (playback §2).
//
//   RichMediaContent  what is shown: its code, where it came from, and how its window is set up
//   ModalWindow       position, animations, haptics, swipes, corners, the timer that closes it
//   ModalPlayer       requests, loading and closing in; the delegate's callbacks in their order and at their times out
import StoryEvents

/// A rich media that is to be shown (playback §2).
public struct RichMediaContent: Equatable, Sendable {
  /// Its content code: `r-…` where it came with a push or an event, bare for an in-app.
  public var code: String
  /// Where it came from; nil where nobody says.
  public var source: RichMediaSource?
  /// How its window is set up.
  public var window: ModalWindow

  /// Makes a content.
  public init(code: String, source: RichMediaSource? = nil, window: ModalWindow = ModalWindow()) {
    self.code = code
    self.source = source
    self.window = window
  }
}

/// How the presentation of a content goes on once the delegate has agreed: the window loads its page first.
public enum RichMediaLoading: Equatable, Sendable {
  /// It appears after so many microseconds.
  case appears(afterMicroseconds: Int64)
  /// It fails after so many microseconds, with this description of the error.
  case fails(afterMicroseconds: Int64, error: String)
}
