import SessionMetrics
import StoryEvents

/// The events of a session that are no story's, in words: how those of rich media count (docs/rich-media.md), and which response
/// does.
struct SurfaceEvents {
  private let events: [StoredEvent]

  init(_ events: [StoredEvent]) {
    self.events = events
  }

  /// What is to be known of the event at a place; nil for a story's.
  func remark(at place: Int) -> String? {
    let type = events[place].type
    switch type {
    case .richMediaDeferred:
      return isFirst(place) ? length(from: place, to: .richMediaPresented, "waited") : later
    case .richMediaPresented:
      return isFirst(place) ? length(from: place, to: .richMediaClosed, "open for") : later
    case .richMediaClosed: return isFirst(place) ? "closed: \(closing)" : "a later closing: the first counts"
    case .richMediaFailed: return "it counts as failed, whatever else was told"
    case .notificationResponse:
      return isFirst(place) ? "the response that counts" : "a later response: the first counts"
    case .start, .pageShown, .actionTap, .finish, .fallback, .dismiss, nil: return nil
    }
  }

  /// How the session counts beside a story; a sentence each.
  ///
  /// - Parameter timer: the length of its auto-close timer in seconds, where it is known.
  func sentences(timer: Double?) -> [String] {
    var sentences: [String] = []
    if let presentation = RichMediaPresentation(events, autoCloseSeconds: timer) {
      sentences.append("It counts as a presentation of rich media that \(presentation.words).")
    }
    if events.contains(where: { $0.type == .notificationResponse }) {
      sentences.append("It counts as a response to a notification.")
    }
    return sentences
  }

  private var later: String { "a later one of its kind: the first counts" }

  private var closing: String {
    events.contains { $0.type == .richMediaFailed } ? "but it counts as failed" : "it counts as closed"
  }

  private func isFirst(_ place: Int) -> Bool { events.firstIndex { $0.type == events[place].type } == place }

  private func length(from place: Int, to end: EventType, _ verb: String) -> String {
    guard let last = events[place...].firstIndex(where: { $0.type == end }) else { return "no \(end.name) followed" }
    guard events[last].seq - events[place].seq == last - place else {
      return "an event is missing before seq \(events[last].seq), so its length is not known"
    }
    let length = events[last].atMicroseconds &- events[place].atMicroseconds
    return length < 0 ? "the device's clock was set back" : "\(verb) \(ClockText.length(length))"
  }
}

extension RichMediaPresentation {
  /// How it ended, behind `rich media that`.
  var words: String {
    switch end {
    case .failed: "failed"
    case .closed:
      switch isClosedByTimer {
      case true: "was closed by its timer"
      case false: "was closed before its timer"
      case nil: "was closed"
      }
    case .openOrLost: "is still open, or its end was lost"
    case .waitingOrLost: "is still waiting, or what followed was lost"
    }
  }

  /// How it ended, in a list of sessions: the end first, for the list cuts what is long.
  var summary: String {
    switch end {
    case .failed: "failed rich media"
    case .closed: "closed rich media"
    case .openOrLost: "open or lost rich media"
    case .waitingOrLost: "waiting or lost rich media"
    }
  }
}
