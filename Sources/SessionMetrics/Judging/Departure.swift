/// How an impression ends: every impression in exactly one way (metrics §2).
package enum Departure: Int, CaseIterable, Sendable {
  /// To the following page.
  case next
  /// To the page before, or from page 0 to itself.
  case back
  /// To page 0 from the end.
  case looped
  /// The story finished there.
  case finished
  /// The button was tapped, and nothing followed.
  case tappedOut
  /// The viewer left.
  case exited
  /// A lost event hides it, or a jump that no player makes.
  case unknown

  /// Whether the viewer saw the page through or moved on (metrics §2, "completed").
  package var completesPage: Bool {
    switch self {
    case .next, .looped, .finished: true
    case .back, .tappedOut, .exited, .unknown: false
    }
  }
}

/// Who made a `next`: the page's timer or the viewer (metrics §2).
package enum NextCause: Sendable {
  /// The dwell reaches the page's duration, with a tolerance.
  case auto
  /// It does not, or there is no dwell.
  case tap
}
