import EventStore
import PrintedText
import StoryPlayback

/// What an import of categories did, for people: a line each.
enum CategoryText {
  /// The lines of what changed and of what was skipped, and one of all together; nothing in them is obeyed by a terminal.
  static func lines(_ changes: [CategoryChange], skipped: [SkippedCategoryPart], app: String) -> [String] {
    var lines: [String] = []
    var (new, changed, gone, unchanged) = (0, 0, 0, 0)
    for change in changes {
      let category = DisplayText.escaped(change.category.id)
      let buttons = buttons(change.category)
      switch change.kind {
      case .new:
        new += 1
        lines.append("new      \(category): \(buttons)")
      case .back:
        new += 1
        lines.append("new      \(category), which was there before: \(buttons)")
      case .changed(let from):
        changed += 1
        lines.append("changed  \(category): \(buttons); before: \(self.buttons(from))")
      case .ended:
        gone += 1
        lines.append("gone     \(category): \(buttons)")
      case .unchanged: unchanged += 1
      }
    }
    for part in skipped {
      let category = part.categoryID.map { " (category \(DisplayText.escaped($0)))" } ?? ""
      lines.append("skipped  \(part.place)\(category) \(part.reason)")
    }
    lines.append(
      "\(quoted(app)): \(new) new, \(changed) changed, \(gone) gone, \(unchanged) unchanged, \(skipped.count) skipped")
    return lines
  }

  /// A button's id for people; that of an empty text can be seen.
  static func id(_ id: String) -> String { id.isEmpty ? "\"\"" : DisplayText.escaped(id) }

  /// `0 "Rate" (opens the app, destructive), 1 "Later"`.
  private static func buttons(_ category: CategoryDefinition) -> String {
    if category.buttons.isEmpty { return "no buttons" }
    return category.buttons.map { button in
      let traits = (button.opensApp ? ["opens the app"] : []) + (button.isDestructive ? ["destructive"] : [])
      return "\(id(button.id)) \"\(DisplayText.escaped(button.label))\""
        + (traits.isEmpty ? "" : " (\(traits.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }
}
