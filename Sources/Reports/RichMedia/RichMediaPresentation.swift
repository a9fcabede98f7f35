import SessionMetrics
import StoryEvents

/// What one presentation of rich media counts for, by the definitions of docs/rich-media.md.
struct RichMediaPresentation: Equatable {
  /// How it ended: each presentation in exactly one way, the first of these that applies.
  enum End: CaseIterable {
    case failed, closed, openOrLost, waitingOrLost
  }

  /// How it ended.
  let end: End
  /// At least one `rich_media_deferred`.
  let isDeferred: Bool
  /// At least one `rich_media_presented`.
  let isShown: Bool
  /// From the first deferral to the first presentation after it, in microseconds of device time, never negative; nil where that
  /// cannot be known.
  let waitMicroseconds: Int64?
  /// From the first presentation to the first closing after it; as above.
  let openMicroseconds: Int64?
  /// Of one that ended closed: whether its timer did it; nil where its timer or the time open is not known.
  let isClosedByTimer: Bool?
  /// The highest `seq` + 1.
  let expectedEvents: Int
  /// The `seq` values absent below the highest.
  let missingEvents: Int

  /// What reaches the timer's length less this was closed by the timer.
  static let timerToleranceMicroseconds = 250_000.0

  /// Judges a session; nil for one without an event of rich media.
  ///
  /// - Parameters:
  ///   - events: in the order of `seq`, each once.
  ///   - autoCloseSeconds: the timer of its window, above 0; nil where that is not known.
  init?(_ events: [StoredEvent], autoCloseSeconds: Double?) {
    var firsts = Firsts()
    for (place, event) in events.enumerated() { firsts.read(event.type, at: place) }
    if firsts.hasFailed {
      end = .failed
    } else if firsts.hasClosed {
      end = .closed
    } else if firsts.presented != nil {
      end = .openOrLost
    } else if firsts.deferred != nil {
      end = .waitingOrLost
    } else {
      return nil
    }
    isDeferred = firsts.deferred != nil
    isShown = firsts.presented != nil
    waitMicroseconds = Self.length(from: firsts.deferred, to: firsts.presentedAfterDeferred, in: events)
    openMicroseconds = Self.length(from: firsts.presented, to: firsts.closedAfterPresented, in: events)
    if end == .closed, let autoCloseSeconds, let openMicroseconds {
      // To the microsecond, as times are stored: 4.1 s less 0.25 s must not become 3.8499999 s.
      let timerMicroseconds = (autoCloseSeconds * 1_000_000).rounded() - Self.timerToleranceMicroseconds
      isClosedByTimer = Double(openMicroseconds) >= timerMicroseconds
    } else {
      isClosedByTimer = nil
    }
    expectedEvents = (events.last?.seq ?? -1) + 1
    missingEvents = expectedEvents - events.count
  }

  /// The places of the first event of each kind.
  private struct Firsts {
    var deferred: Int?
    var presented: Int?
    var presentedAfterDeferred: Int?
    var closedAfterPresented: Int?
    var hasClosed = false
    var hasFailed = false

    mutating func read(_ type: EventType?, at place: Int) {
      switch type {
      case .richMediaDeferred: deferred = deferred ?? place
      case .richMediaPresented:
        presented = presented ?? place
        if deferred != nil { presentedAfterDeferred = presentedAfterDeferred ?? place }
      case .richMediaClosed:
        hasClosed = true
        if presented != nil { closedAfterPresented = closedAfterPresented ?? place }
      case .richMediaFailed: hasFailed = true
      case .start, .pageShown, .actionTap, .finish, .fallback, .dismiss, .notificationResponse, nil: break
      }
    }
  }

  /// Nil without both ends, where a `seq` is missing in between, and where the clock was set back.
  private static func length(from first: Int?, to last: Int?, in events: [StoredEvent]) -> Int64? {
    guard let first, let last, events[last].seq - events[first].seq == last - first else { return nil }
    let (length, overflows) = events[last].atMicroseconds.subtractingReportingOverflow(events[first].atMicroseconds)
    return overflows || length < 0 ? nil : length
  }
}

/// The timer of a window, as its property `auto_close_seconds` says it.
enum AutoCloseTimer {
  /// The property's name.
  static let property = "auto_close_seconds"

  /// A number above 0, also one that was sent as a text; nil for anything else.
  static func seconds(_ text: String?) -> Double? {
    // What JSON calls a number, and not what else Swift reads as one, such as `0x1p3` and `inf`.
    guard let text, text.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }), let seconds = Double(text),
      seconds > 0, seconds.isFinite
    else { return nil }
    return seconds
  }
}
