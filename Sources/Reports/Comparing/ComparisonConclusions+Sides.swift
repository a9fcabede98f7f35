import FunnelDocument

/// What makes the two sides hard to compare.
extension ComparisonConclusions {
  /// How far shares of lost events may be apart, before it is worth a sentence.
  private static let notableLoss = 0.005

  /// Pages that are not the same pages.
  var pages: [String] {
    var sentences: [String] = []
    let several = [("A", a), ("B", b)].filter { $0.1.onlyStory == nil && $0.1.counts.sessions > 0 }.map(\.0)
    if !several.isEmpty {
      sentences.append(
        "\(several.count == 2 ? "Both sides hold" : "Side \(several[0]) holds") several stories, so a page there is not one page."
      )
    }
    let others = comparison.pages.filter(\.isAnotherPage).map(\.index)
    if !others.isEmpty {
      sentences.append(
        "\(Self.list(others)) not the same on both sides (another title or link): the place in the story is compared, not the "
          + "page.")
    }
    for (name, side) in [("A", a), ("B", b)] {
      let changed = Set(side.funnel.pageChanges.map(\.index)).sorted()
      guard !changed.isEmpty else { continue }
      sentences.append(
        "\(Self.list(changed)) not the same all through the time of side \(name): pages changed, so the numbers there are of "
          + "more than one page.")
    }
    let (first, second) = (a.counts.pages.count, b.counts.pages.count)
    if first != second {
      let missing = Array(min(first, second)..<max(first, second))
      sentences.append(
        "Side A has \(FigureText.count(first, "page")), side B \(FigureText.count(second)): \(Self.list(missing).lowercased()) compared "
          + "with nothing, and finishing or reaching the last page is not the same task.")
    }
    return sentences
  }

  private static func list(_ indices: [Int]) -> String {
    if indices.count == 1 { return "Page \(indices[0]) is" }
    let isRun = indices.count > 2 && indices.indices.allSatisfy { indices[$0] == indices[0] + $0 }
    if isRun { return "Pages \(indices[0]) to \(indices[indices.count - 1]) are" }
    let shown = indices.prefix(8).map(String.init)
    if indices.count > 8 { return "Pages \(shown.joined(separator: ", ")) and \(indices.count - 8) more are" }
    return "Pages \(shown.dropLast().joined(separator: ", ")) and \(shown[shown.count - 1]) are"
  }

  /// More lost events on one side.
  var completeness: String? {
    func share(_ side: ComparedSide) -> Double {
      let facts = side.counts.completeness
      return Rate(facts.missingEvents, of: facts.expectedEvents).value ?? 0
    }
    let (first, second) = (share(a), share(b))
    guard abs(second - first) >= Self.notableLoss else { return nil }
    return
      "Side A lost \(FigureText.percent(first)) of its events, side B \(FigureText.percent(second)): lost events lower "
      + "what a side is seen to do, so a part of any difference may be loss."
  }

  /// More sessions without a start on one side.
  var starts: String? {
    func share(_ side: ComparedSide) -> Double {
      Rate(side.counts.completeness.sessionsWithoutStart, of: side.counts.sessions).value ?? 0
    }
    let (first, second) = (share(a), share(b))
    guard abs(second - first) >= Self.notableLoss else { return nil }
    return "Sessions without a start cannot count as reached last: \(FigureText.percent(first)) of side A, "
      + "\(FigureText.percent(second)) of side B."
  }

  /// What no report can conclude.
  static let cause =
    "A difference says that the sides differ, not why: they were not drawn by lot, and devices on both sides are not "
    + "looked for."
}
