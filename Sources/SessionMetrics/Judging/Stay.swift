import StoryEvents

/// The events after an impression and before the session's next `page_shown`, or up to the session's end (metrics §2).
package struct Stay {
  /// The place of the impression.
  package let shown: Int
  /// The place of the next `page_shown`.
  package let next: Int?
  /// The place of the first `page_shown`, `finish` or `dismiss` after the impression: where the dwell ends.
  package let end: Int?
  /// A `finish` is among them.
  package let holdsFinish: Bool
  /// An `action_tap` is among them.
  package let holdsTap: Bool
  /// A `seq` is missing between the impression and the next `page_shown`, or without one the session's last event.
  package let hasMissing: Bool

  /// Looks at what follows an impression.
  ///
  /// - Parameter shown: its place in `events`, which are in the order of `seq`.
  package init(from shown: Int, in events: [StoredEvent]) {
    self.shown = shown
    var next: Int?
    var end: Int?
    var holdsFinish = false
    var holdsTap = false
    var place = shown + 1
    scan: while place < events.count {
      switch events[place].type {
      case .pageShown:
        next = place
        end = end ?? place
        break scan
      case .finish:
        holdsFinish = true
        end = end ?? place
      case .dismiss: end = end ?? place
      case .actionTap: holdsTap = true
      case .start, .fallback, .richMediaDeferred, .richMediaPresented, .richMediaClosed, .richMediaFailed,
        .notificationResponse, nil:
        break
      }
      place += 1
    }
    self.next = next
    self.end = end
    self.holdsFinish = holdsFinish
    self.holdsTap = holdsTap
    hasMissing = Self.isMissing(between: shown, and: next ?? events.count - 1, in: events)
  }

  /// From the impression to `end`, in microseconds of device time, negative where the clock was set back; nil without an
  /// end or where a `seq` is missing before it.
  package func length(in events: [StoredEvent]) -> Int64? {
    guard let end, !Self.isMissing(between: shown, and: end, in: events) else { return nil }
    return events[end].atMicroseconds - events[shown].atMicroseconds
  }

  private static func isMissing(between first: Int, and last: Int, in events: [StoredEvent]) -> Bool {
    events[last].seq - events[first].seq > last - first
  }
}
