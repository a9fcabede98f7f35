import FunnelDocument
import StoryEvents
import StoryPlayback

/// Rich media as a file (docs/simulator.md).
extension RichMediaWorld {
  /// Reads a description from JSON. What may be left out has the defaults of the SDK or of `SimulatedRichMedia`; other keys
  /// than the known ones are refused.
  ///
  /// - Throws: `invalidConfiguration` with the key that is wrong, and what it has to be.
  public init(json: some Sequence<UInt8>) throws(SimulationError) {
    let reader = try DescriptionReader(
      file: json, of: "the description of rich media", keys: ["contents"], optional: ["style"])
    let objects = try reader.objects(
      "contents", counts: Self.contentCounts, keys: ["code"], optional: SimulatedRichMedia.optionalKeys)
    var contents: [SimulatedRichMedia] = []
    for object in objects { contents.append(try SimulatedRichMedia(object)) }
    let style = reader.has("style") ? try reader.word("style", StyleWord.self).style : .modal
    self.init(contents: contents, style: style)
  }
}

/// The words of `style`.
private enum StyleWord: String, CaseIterable {
  case modal
  case fullScreen = "full_screen"
  case animatedFullScreen = "animated_full_screen"

  var style: ModalPlayer.Style {
    switch self {
    case .modal: .modal
    case .fullScreen: .fullScreen
    case .animatedFullScreen: .animatedFullScreen
    }
  }
}

/// The words of `source`.
private enum SourceWord: String, CaseIterable {
  case push
  case inApp = "in_app"

  var source: RichMediaSource {
    switch self {
    case .push: .push
    case .inApp: .inApp
    }
  }
}

extension SimulatedRichMedia {
  fileprivate static let optionalKeys = ["source", "weight", "failure", "load_seconds", "open_seconds", "window"]

  fileprivate init(_ reader: DescriptionReader) throws(SimulationError) {
    guard let code = reader.value["code"]?.stringValue else { throw reader.fault("code", "a text") }
    self.init(content: RichMediaContent(code: code))
    if reader.has("source") { content.source = try reader.word("source", SourceWord.self).source }
    if reader.has("weight") { weight = try reader.number("weight", in: 0...1_000_000) }
    if reader.has("failure") { failureShare = try reader.number("failure", in: 0...1) }
    if reader.has("load_seconds") { loadSeconds = try reader.seconds("load_seconds", upTo: Self.longestSeconds) }
    if reader.has("open_seconds") { openSeconds = try reader.seconds("open_seconds", upTo: Self.longestSeconds) }
    if let window = try reader.object("window", optional: ModalWindow.propertyNames) {
      content.window = try ModalWindow(window)
    }
    if let fault { throw reader.fault("code", "one that events can carry: \(fault)") }
  }
}

extension ModalWindow {
  fileprivate init(_ reader: DescriptionReader) throws(SimulationError) {
    self.init()
    if reader.has("position") { position = try reader.word("position", Position.self) }
    if reader.has("present_animation") {
      presentAnimation = try reader.word("present_animation", PresentAnimation.self)
    }
    if reader.has("dismiss_animation") {
      dismissAnimation = try reader.word("dismiss_animation", DismissAnimation.self)
    }
    if reader.has("haptics") { haptics = try reader.word("haptics", Haptics.self) }
    if reader.has("swipe_directions") { swipeDirections = try Self.directions(reader) }
    if reader.has("corner_radius") { cornerRadius = try reader.number("corner_radius", in: 0...1_000) }
    if reader.has("auto_close_seconds") {
      let seconds = try reader.number("auto_close_seconds", in: 0...Self.longestAutoCloseSeconds)
      guard seconds > 0 else { throw reader.fault("auto_close_seconds", "above 0, or left out") }
      autoCloseSeconds = seconds
    }
  }

  private static func directions(_ reader: DescriptionReader) throws(SimulationError) -> [SwipeDirection] {
    let elements = reader.value["swipe_directions"]?.arrayValue
    let directions = elements?.compactMap { $0.stringValue.flatMap(SwipeDirection.init) } ?? []
    guard let elements, directions.count == elements.count, Set(directions).count == directions.count else {
      let words = SwipeDirection.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.fault("swipe_directions", "an array of \(words), each at most once")
    }
    return directions
  }
}
