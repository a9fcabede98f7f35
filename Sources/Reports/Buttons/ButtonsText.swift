import FunnelDocument
import PrintedText

/// Words of a report of buttons that its forms for people share.
enum ButtonsText {
  /// A category: its id, or what stands for none.
  static func category(_ line: CategoryLine) -> String {
    line.categoryID.map { $0.isEmpty ? "\"\"" : DisplayText.escaped($0) } ?? StorySelection.noneText
  }

  /// What is to be said of a category beside its id; nil where it is known, or where there is none to be known.
  static func note(_ line: CategoryLine) -> String? { line.isKnown || line.categoryID == nil ? nil : "unknown" }

  /// A button: its label with its id; of one that was never imported its id alone.
  static func button(_ line: ButtonLine) -> String {
    let id = line.buttonID.isEmpty ? "\"\"" : DisplayText.escaped(line.buttonID)
    return line.label.map { "\(DisplayText.escaped($0)) (\(id))" } ?? "button \(id)"
  }

  /// What a button does: `opens app, destructive`; that it is of before stands first, where nothing is cut.
  static func traits(_ line: ButtonLine) -> String {
    guard let opensApp = line.opensApp else { return "unknown" }
    return
      ((line.isCurrent ? [] : ["before"]) + [opensApp ? "opens app" : "background"]
      + (line.isDestructive == true ? ["destructive"] : [])).joined(separator: ", ")
  }

  /// What the lines of the total are called.
  static func total(_ report: ButtonsReport) -> String {
    "all \(FigureText.count(report.categories.count + report.hiddenCategories, "category", "categories"))"
  }

  /// That categories were left out; nil where none were.
  static func hidden(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(FigureText.count(count, "more category", "more categories")) not shown (--limit); the total has all."
  }

  /// What the words in the lines mean, as far as they are there.
  static func legend(_ report: ButtonsReport) -> [String] {
    let buttons = report.categories.flatMap(\.buttons)
    var sentences: [String] = []
    if buttons.contains(where: { $0.label != nil && !$0.isCurrent }) {
      sentences.append("Before: the category has this button no more.")
    }
    if report.categories.contains(where: { note($0) != nil }) || buttons.contains(where: { $0.label == nil }) {
      sentences.append("Unknown: not among the categories that were imported; see pagefall category import.")
    }
    return sentences
  }

  /// How complete the numbers are, in plain sentences.
  static func completeness(_ report: ButtonsReport) -> [String] {
    CompletenessText.sentences(
      expected: report.total.expectedEvents, missing: report.total.missingEvents, report.losses)
  }

  /// Whether lines have to say which app they are of.
  static func namesApps(_ report: ButtonsReport) -> Bool {
    Set(report.categories.compactMap { $0.app.map(ByteText.init) }).count > 1
  }

  /// The group as reports show it.
  static func group(_ group: ButtonsGroup) -> String {
    ScopeText.groupName(group.name, mergedGroups: group.mergedGroups)
  }
}
