import FunnelDocument

/// The pages of a report as they are shown: one by one, but several in a row that nobody came to together. One strange event
/// names page 999.
package enum PageRuns {
  /// The places of the pages; more than one where nobody came to any of them.
  package static func runs<Page>(_ pages: [Page], isUnseen: (Page) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var isLastUnseen = false
    for (place, page) in pages.enumerated() {
      let isUnseen = isUnseen(page)
      if isUnseen, isLastUnseen, let last = runs.popLast() {
        runs.append(last.lowerBound..<(place + 1))
      } else {
        runs.append(place..<(place + 1))
      }
      isLastUnseen = isUnseen
    }
    return runs
  }

  /// What stands for a run of several.
  package static func remark(_ run: Range<Int>) -> String {
    "pages \(run.lowerBound) to \(run.upperBound - 1): nobody came here"
  }
}

extension PageCounts {
  /// Whether nobody reached the page or tapped on it.
  package var isUnseen: Bool { impressions == 0 && taps == 0 }
}
