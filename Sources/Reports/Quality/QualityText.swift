import FunnelDocument
import PrintedText

/// The words that the verdict and the table of a quality report share.
struct QualityText {
  private let report: QualityReport
  private let hasSeveralApps: Bool

  init(_ report: QualityReport) {
    self.report = report
    let apps = Set(report.versions.compactMap { $0.name.map { ByteText($0.app) } })
    hasSeveralApps = apps.count > 1
  }

  /// `4.0.0`, with the app in front where there are several, or what stands for none and for the rest.
  func version(_ name: VersionName?) -> String {
    guard let name else { return FunnelGroup.otherName }
    let version = name.version.map { $0.isEmpty ? "\"\"" : shown($0) } ?? StorySelection.noneText
    return hasSeveralApps ? "\(shown(name.app)) \(version)" : version
  }

  /// `6.1% of its events (61 of 1,000)`.
  func share(_ rate: Rate, of whole: String) -> String {
    "\(FigureText.percent(rate.value)) of \(whole) "
      + "(\(FigureText.count(rate.numerator)) of \(FigureText.count(rate.denominator)))"
  }

  /// A text of a sender, on a terminal and no longer than reads well.
  func shown(_ text: String) -> String { DisplayWidth.cut(DisplayText.escaped(text), to: 40) }

  /// A length of time, in seconds.
  func length(_ seconds: Double?) -> String { FigureText.length(milliseconds: seconds.map { $0 * 1_000 }) }

  /// The option that leaves a version out. Its version alone, for a condition on two fields at once cannot be said.
  func condition(without name: VersionName) -> [String] {
    let value = name.version ?? StorySelection.noneText
    guard let condition = try? SessionCondition(.context(.appVersion), isNegated: true, values: [value]) else {
      return []
    }
    return ["--where \(Self.argument(condition.description))"]
  }

  /// The command that shows rejected events of a reason, or all.
  func rejectedCommand(_ reason: RejectedReason?) -> [String] {
    var words = ["pagefall rejected list"]
    if let reason {
      words += ["--app \(Self.argument(reason.app))", "--code \(Self.argument(reason.code))"]
    } else if !report.coversAllApps {
      for app in report.scope.apps { words.append("--app \(Self.argument(app))") }
    }
    if let from = report.scope.from { words.append("--from \(from)") }
    if let to = report.scope.to { words.append("--to \(to)") }
    return words
  }

  /// What a shell takes as one word.
  private static func argument(_ text: String) -> String {
    let escaped = DisplayText.escaped(text)
    let isPlain = !escaped.isEmpty && escaped.utf8.allSatisfy { plain.contains($0) }
    return isPlain ? escaped : "'" + ScalarText.replacing("'", with: "'\\''", in: escaped) + "'"
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)

  /// The day and the time of an RFC 3339 text, to the minute.
  func clock(_ text: String) -> String { String(text.prefix(16).replacing("T", with: " ")) }

  /// How complete yesterday is likely to be.
  func yesterday(_ estimate: YesterdayEstimate) -> String {
    let count = FigureText.count(estimate.sessionsSoFar, "session")
    switch estimate.obstacle {
    case .nothingArrived:
      return
        "Yesterday (\(estimate.day)) has \(count). Nothing has arrived since it ended, so how complete it is cannot be "
        + "told."
    case .tooFewDays:
      return "Yesterday (\(estimate.day)) has \(count) so far. How complete it is cannot be told yet: that takes "
        + "\(YesterdayEstimate.leastDays) earlier days with \(YesterdayEstimate.leastSessions) sessions each, and there "
        + (estimate.earlierDays.count == 1 ? "is 1." : "are \(estimate.earlierDays.count).")
    case nil:
      let shares =
        "\(FigureText.percent(estimate.share)) "
        + "(\(FigureText.percent(estimate.lowestShare)) to \(FigureText.percent(estimate.highestShare)))"
      return "Yesterday (\(estimate.day)) has \(count) so far; of \(estimate.earlierDays.count) earlier days "
        + "\(shares) had arrived by this time, so \(stillToCome(estimate))."
    }
  }

  private func stillToCome(_ estimate: YesterdayEstimate) -> String {
    guard let expected = estimate.expectedSessions else { return "how many are to come cannot be told" }
    let range = [estimate.fewestExpectedSessions, estimate.mostExpectedSessions].compactMap { $0 }
    if expected == 0, range.allSatisfy({ $0 == 0 }) { return "no more are to be expected" }
    let bounds =
      range.count == 2 && range[0] != range[1]
      ? " (\(FigureText.count(range[0])) to \(FigureText.count(range[1])))" : ""
    return "about \(FigureText.count(expected)) more\(bounds) are to be expected"
  }
}
