import FunnelDocument

/// What a comparison allows to conclude and what it does not, in plain sentences.
struct ComparisonConclusions {
  let comparison: Comparison
  var a: ComparedSide { comparison.a }
  var b: ComparedSide { comparison.b }

  /// Differences that are told one by one; more would be read by nobody.
  private static let mostToldDifferences = 6
  /// Expected sessions below which the z-test is rough.
  private static let fewExpected = 5.0

  init(_ comparison: Comparison) {
    self.comparison = comparison
  }

  /// The sentences, the weightiest first.
  var sentences: [String] {
    let unfit = emptySides + hiddenSides
    guard unfit.isEmpty else { return unfit }
    let tests = overlap.map { [$0] } ?? (differences + [roughness, needed].compactMap { $0 })
    return tests + pages
      + [completeness, starts].compactMap { $0 } + [Self.cause]
  }

  // MARK: Nothing to compare

  private var emptySides: [String] {
    let sides = [("A", a), ("B", b)].filter { $0.1.funnel.isEmpty }
    if sides.count == 2 { return ["Neither side has a presentation, so there is nothing to compare."] }
    return sides.map { "Side \($0.0) has no presentation, so there is nothing to compare with." }
  }

  private var hiddenSides: [String] {
    [("A", a), ("B", b)].filter { !$0.1.funnel.isEmpty && $0.1.rates.areHidden }.map { name, side in
      "Side \(name) has fewer than \(FigureText.count(side.scope.minimumCount, "presentation")), so its rates are hidden "
        + "(--min-count) and nothing is compared."
    }
  }

  // MARK: Differences

  private var overlap: String? {
    let count = comparison.presentationsInBoth
    guard count > 0 else { return nil }
    if count == a.counts.presentations, count == b.counts.presentations {
      return "Both sides are the same sessions, so there is nothing to tell apart."
    }
    return
      "\(FigureText.count(count, "presentation is", "presentations are")) on both sides. The tests are made for sides "
      + "that share none, so p-values and intervals are not to be relied on: make the sides exclude each other."
  }

  private var differences: [String] {
    let found = comparison.allRates.filter(\.holds)
    let count = comparison.testCount
    guard count > 0 else { return ["No rate differs on any side from session to session, so nothing can be tested."] }
    if found.isEmpty {
      let alone = comparison.allRates.filter(\.wouldHoldAlone).count
      let hint =
        alone == 0
        ? ""
        : " \(FigureText.count(alone, "difference has a p-value", "differences have p-values")) below 0.05, which among "
          + "\(FigureText.count(count, "test")) is no surprise."
      return [
        "No difference can be told apart from chance (\(FigureText.count(count, "test")), Holm-adjusted, 5%)." + hint
          + " That does not show that the sides are alike."
      ]
    }
    var sentences = [
      FigureText.count(found.count, "difference is", "differences are")
        + " larger than chance explains (\(FigureText.count(count, "test")), Holm-adjusted, 5%)."
    ]
    sentences += found.prefix(Self.mostToldDifferences).map(sentence)
    let untold = found.count - Self.mostToldDifferences
    if untold > 0 { sentences.append("\(FigureText.count(untold)) more are marked with * in the table.") }
    return sentences
  }

  private func sentence(_ rate: ComparedRate) -> String {
    let compared = rate.comparison
    let isHigher = (compared.difference ?? 0) > 0
    return "\(rate.title): B is \(isHigher ? "higher" : "lower"), \(FigureText.percent(compared.b.value)) against "
      + "\(FigureText.percent(compared.a.value)) (\(DifferenceText.points(compared.difference)) points, 95% interval "
      + "\(DifferenceText.interval(compared.differenceInterval)), adjusted p \(DifferenceText.pValue(rate.adjustedPValue)))."
  }

  private var roughness: String? {
    let rough = comparison.allRates.filter {
      $0.wouldHoldAlone && ($0.comparison.smallestExpectedCount ?? Self.fewExpected) < Self.fewExpected
    }
    guard !rough.isEmpty else { return nil }
    let names = rough.prefix(3).map { $0.title.lowercased() }.joined(separator: "; ")
    return
      "Too few sessions for a good test of \(names)\(rough.count > 3 ? " and \(rough.count - 3) more" : ""): fewer than "
      + "5 are expected to do it, or not to do it, on one side, so the p-value is a rough guide."
  }

  /// For the completion rate, which most comparisons are made for.
  private var needed: String? {
    guard let completion = comparison.rates.first(where: { $0.name == .completion }), !completion.holds,
      let difference = completion.comparison.difference,
      let needed = completion.comparison.sessionsNeededPerSide
    else { return nil }
    let (first, second) = (a.counts.sessions, b.counts.sessions)
    guard min(first, second) < needed else { return nil }
    return
      "Completion: too few sessions to tell \(DifferenceText.points(difference)) points apart from chance. To do that in "
      + "four of five tries (power 80%, one test at 5%), each side needs about \(FigureText.count(needed)); A has "
      + "\(FigureText.count(first)), B \(FigureText.count(second))."
  }
}
