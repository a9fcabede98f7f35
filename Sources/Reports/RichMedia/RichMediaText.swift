import FunnelDocument
import PrintedText

/// What a report of rich media says in words.
enum RichMediaText {
  /// A content code, with its app where several are shown; that of an empty text can be seen.
  static func name(_ line: RichMediaLine, withApp: Bool) -> String {
    let app = withApp ? line.app.map { DisplayText.escaped($0) + ": " } ?? "" : ""
    return app + (line.contentCode.isEmpty ? "\"\"" : DisplayText.escaped(line.contentCode))
  }

  /// Whether lines are of several apps.
  static func namesApps(_ report: RichMediaReport) -> Bool {
    Set(report.contents.compactMap { $0.app.map(ByteText.init) }).count > 1
  }

  /// What the line of the total is called.
  static func total(_ report: RichMediaReport) -> String {
    "all \(FigureText.count(report.contents.count + report.hiddenContents, "code"))"
  }

  /// That content codes were left out; nil where none were.
  static func hidden(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return
      "\(FigureText.count(count, "more content code")) not shown (--limit); the total has all."
  }

  /// What the columns are whose heads do not say it.
  static func legend(_ shown: [RichMediaLayout.Column]) -> String {
    var sentences: [String] = []
    if shown.contains(.closedByTimer) {
      sentences.append("timer: of closed, those closed by the auto-close timer, where that can be known.")
    }
    sentences.append("open?: shown, still open or its end lost.")
    if shown.contains(.waitingOrLost) {
      sentences.append("waiting?: deferred, still waiting or the rest lost.")
      sentences.append("total = failed + closed + open? + waiting?.")
    }
    sentences.append("wait and open are medians, of those that are known.")
    return sentences.joined(separator: " ")
  }

  /// How complete the numbers are, in plain sentences.
  static func completeness(_ report: RichMediaReport) -> [String] {
    CompletenessText.sentences(
      expected: report.total.expectedEvents, missing: report.total.missingEvents, report.losses)
  }
}
