import FunnelDocument
import StoryEvents

/// One response, as it is counted.
struct CountedResponse {
  let action: ResponseAction
  /// The numbers of its category and its button (`ResponseKeys`).
  let category: Int
  let button: Int?
  let expectedEvents: Int
  let missingEvents: Int
}

/// The running counts of one group, or of all.
struct ResponseTally {
  private(set) var counts = ResponseCounts()
  private(set) var categories: [Int: ResponseCounts] = [:]
  private(set) var buttons: [Int: Int] = [:]

  /// How many counters it holds: what its memory grows with.
  var counters: Int { categories.count + buttons.count }

  mutating func count(_ response: CountedResponse) {
    counts.count(response)
    categories[response.category, default: ResponseCounts()].count(response)
    if let button = response.button { buttons[button, default: 0] += 1 }
  }

  mutating func add(_ other: ResponseTally) {
    counts = counts + other.counts
    categories.merge(other.categories, uniquingKeysWith: +)
    buttons.merge(other.buttons, uniquingKeysWith: +)
  }
}

extension ResponseCounts {
  fileprivate mutating func count(_ response: CountedResponse) {
    responses += 1
    switch response.action {
    case .button: buttonResponses += 1
    case .default: opens += 1
    case .dismiss: dismissals += 1
    }
    expectedEvents += response.expectedEvents
    missingEvents += response.missingEvents
  }
}
