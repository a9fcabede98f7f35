// Apps name its cases, and would have to import a module that is no product where members need their own import.
@_exported import enum StoryEvents.RichMediaSource

/// A rich media (playback §2): what `PWRichMedia` says of it.
public struct RichMediaContent: Sendable {
  /// The content code: `r-…` where it came with a push or an event, bare for an in-app.
  public let code: String
  /// Where it came from, where that is known.
  public let source: RichMediaSource?
  let message: MessageIdentity

  /// Keeps what is needed of the push payload, where there is one.
  public init(code: String, source: RichMediaSource? = nil, userInfo: [AnyHashable: Any] = [:]) {
    self.code = code
    self.source = source
    message = MessageIdentity(userInfo: userInfo)
  }
}

/// How the window of a rich media is set up: `PWModalWindowConfiguration` (playback §2). All goes along as properties, nil and
/// empty not at all.
public struct RichMediaWindow: Sendable, Equatable {
  /// Property `position`, such as `bottom_sheet`.
  public var position: String?
  /// Property `present_animation`, such as `from_bottom`.
  public var presentAnimation: String?
  /// Property `dismiss_animation`, such as `ease_in_out`.
  public var dismissAnimation: String?
  /// Property `haptics`, such as `light`.
  public var haptics: String?
  /// Property `swipe_directions`: the directions in order, with commas.
  public var swipeDirections: [String]
  /// Property `corner_radius`, in points.
  public var cornerRadius: Double?
  /// Property `auto_close_seconds`.
  public var autoCloseSeconds: Double?

  /// Says what is known; nothing by default.
  public init(
    position: String? = nil, presentAnimation: String? = nil, dismissAnimation: String? = nil, haptics: String? = nil,
    swipeDirections: [String] = [], cornerRadius: Double? = nil, autoCloseSeconds: Double? = nil
  ) {
    self.position = position
    self.presentAnimation = presentAnimation
    self.dismissAnimation = dismissAnimation
    self.haptics = haptics
    self.swipeDirections = swipeDirections
    self.cornerRadius = cornerRadius
    self.autoCloseSeconds = autoCloseSeconds
  }

  var properties: [(String, PropertyValue)] {
    var properties: [(String, PropertyValue)] = []
    for (name, text) in [
      ("position", position), ("present_animation", presentAnimation), ("dismiss_animation", dismissAnimation),
      ("haptics", haptics), ("swipe_directions", swipeDirections.joined(separator: ",")),
    ] {
      if let text, !text.isEmpty { properties.append((name, .text(text))) }
    }
    if let cornerRadius { properties.append(("corner_radius", .number(cornerRadius))) }
    if let autoCloseSeconds { properties.append(("auto_close_seconds", .number(autoCloseSeconds))) }
    return properties
  }
}
