/// How a modal window is set up: `PWModalWindowConfiguration` (playback §2.3). The raw values are the words that events carry
/// in their properties.
public struct ModalWindow: Equatable, Sendable {
  /// Where the window stands.
  public enum Position: String, CaseIterable, Sendable {
    /// At the top.
    case top
    /// In the middle; also the SDK's default.
    case center
    /// At the bottom.
    case bottom
    /// At the bottom, from edge to edge.
    case bottomSheet = "bottom_sheet"
    /// Over the whole screen.
    case fullScreen = "full_screen"
  }

  /// How it comes.
  public enum PresentAnimation: String, CaseIterable, Sendable {
    /// From the bottom; also the SDK's default.
    case fromBottom = "from_bottom"
    /// From the top.
    case fromTop = "from_top"
    /// From the right.
    case fromRight = "from_right"
    /// From the left.
    case fromLeft = "from_left"
    /// At once.
    case none
  }

  /// How it goes.
  public enum DismissAnimation: String, CaseIterable, Sendable {
    /// Downwards.
    case down
    /// Upwards.
    case up
    /// To the left.
    case left
    /// To the right.
    case right
    /// It grows and fades; also the SDK's default.
    case easeInOut = "ease_in_out"
    /// At once.
    case none
  }

  /// What the phone does in the hand when it comes.
  public enum Haptics: String, CaseIterable, Sendable {
    /// A light tap.
    case light
    /// A tap.
    case medium
    /// A hard tap.
    case hard
    /// Nothing; also the SDK's default.
    case none
  }

  /// Where a finger may swipe it away.
  public enum SwipeDirection: String, CaseIterable, Sendable {
    /// Downwards.
    case down
    /// Upwards.
    case up
    /// To the left.
    case left
    /// To the right.
    case right
  }

  /// Where it stands.
  public var position: Position
  /// How it comes.
  public var presentAnimation: PresentAnimation
  /// How it goes.
  public var dismissAnimation: DismissAnimation
  /// What the phone does when it comes.
  public var haptics: Haptics
  /// Where a finger may swipe it away; none by default.
  public var swipeDirections: [SwipeDirection]
  /// The radius of its corners, in points; 0 by default.
  public var cornerRadius: Double
  /// When the window closes by itself, in seconds after it appeared; nil is never.
  public var autoCloseSeconds: Double?

  /// The longest time after which a window closes by itself, in seconds: a day.
  public static let longestAutoCloseSeconds = 86_400.0

  /// Makes a window; the defaults are the SDK's.
  public init(
    position: Position = .center, presentAnimation: PresentAnimation = .fromBottom,
    dismissAnimation: DismissAnimation = .easeInOut, haptics: Haptics = .none, swipeDirections: [SwipeDirection] = [],
    cornerRadius: Double = 0, autoCloseSeconds: Double? = nil
  ) {
    self.position = position
    self.presentAnimation = presentAnimation
    self.dismissAnimation = dismissAnimation
    self.haptics = haptics
    self.swipeDirections = swipeDirections
    self.cornerRadius = cornerRadius
    self.autoCloseSeconds = autoCloseSeconds
  }

  /// The timer in whole microseconds, at least 1; nil where there is none, as for what is not above zero.
  public var autoCloseMicroseconds: Int64? {
    guard let seconds = autoCloseSeconds, seconds > 0 else { return nil }
    return Int64(max(1, (min(seconds, Self.longestAutoCloseSeconds) * 1_000_000).rounded()))
  }

  /// A property that the events of a presentation carry (contract §1, `properties`).
  public enum PropertyValue: Equatable, Sendable {
    /// A word, or several with commas between them.
    case text(String)
    /// A number.
    case number(Double)
  }

  /// What the events of its presentations say of it, by name; the same names and words on every phone.
  public var properties: [(name: String, value: PropertyValue)] {
    var properties: [(name: String, value: PropertyValue)] = [
      ("position", .text(position.rawValue)), ("present_animation", .text(presentAnimation.rawValue)),
      ("dismiss_animation", .text(dismissAnimation.rawValue)), ("haptics", .text(haptics.rawValue)),
      (
        "swipe_directions",
        .text(swipeDirections.isEmpty ? "none" : swipeDirections.map(\.rawValue).joined(separator: ","))
      ), ("corner_radius", .number(cornerRadius)),
    ]
    if let autoCloseSeconds { properties.append(("auto_close_seconds", .number(autoCloseSeconds))) }
    return properties
  }

  /// The names that `properties` may have.
  public static let propertyNames = [
    "position", "present_animation", "dismiss_animation", "haptics", "swipe_directions", "corner_radius",
    "auto_close_seconds",
  ]
}
