import PrintedText
import StoryPlayback

extension LintReport {
  /// The report for people: a file after the other, what plays as a table, then findings, the gravest first.
  ///
  /// Nothing from a message is obeyed by a terminal.
  ///
  /// - Parameter columns: the width that lines are made for; at least 60 is used.
  package func text(columns: Int) -> String {
    let columns = max(60, columns)
    var blocks: [String] = []
    for file in files {
      let name = DisplayText.escaped(file.name)
      if !file.findings.isEmpty || file.notifications.isEmpty {
        blocks.append("\(name)\n" + file.findings.map { $0.text(columns: columns) }.joined())
      }
      for notification in file.notifications {
        let place = file.form == .request ? ", notification \(notification.index)" : ""
        let head = WrappedText.lines("\(name)\(place): \(notification.headline)", columns: columns, wideWords: .broken)
        blocks.append(head.joined(separator: "\n") + "\n" + notification.details(columns: columns))
      }
    }
    if let infoPlist {
      let name = DisplayText.escaped(infoPlist.name)
      let found = infoPlist.findings.map { $0.text(columns: columns) }.joined()
      blocks.append(found.isEmpty ? "\(name): the extension is set up for stories\n" : "\(name)\n\(found)")
    }
    return (blocks + [summary]).joined(separator: "\n")
  }

  /// The last line: how much of each severity.
  private var summary: String {
    let counts = LintSeverity.allCases.map { severity in
      let count = count(severity)
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return "\(files.count) file\(files.count == 1 ? "" : "s"): \(counts.joined(separator: ", "))\n"
  }
}

extension LintedNotification {
  /// What it does, in a line.
  fileprivate var headline: String {
    let size = "payload \(payloadBytes) of \(ArrivedPayload.maximumBytes) bytes"
    switch outcome {
    case .story(let pages):
      let story = storyID.map { " of '\(DisplayWidth.cut(DisplayText.escaped($0), to: 40))'" } ?? ""
      let count = "\(pages.count) page\(pages.count == 1 ? "" : "s")"
      return "\(obstacle ?? "plays") \(count)\(story) in \(SecondsText.text(playSeconds ?? 0)) s; \(size)"
    case .fallback where category != nil:
      let count = category?.buttons.count ?? 0
      return "shows the notification with \(count) button\(count == 1 ? "" : "s"); \(size)"
    case .fallback(let reason):
      return "shows the plain notification (\(reason.rawValue)); \(size)"
    }
  }

  /// What keeps a readable story from being shown at all; nil where nothing does.
  private var obstacle: String? {
    let codes = findings.map(\.code)
    if codes.contains(.payloadTooLarge) { return "never arrives, and would play" }
    if codes.contains(.categoryMissing) || codes.contains(.categoryNotStories) {
      return "shows no story, and would play"
    }
    return nil
  }

  /// A line a button, below one that says of which category.
  private static func buttons(_ category: NotificationCategory) -> [String] {
    ["buttons of category \(DisplayText.escaped(category.id))"]
      + category.buttons.map { button in
        let traits =
          [button.opensApp ? "opens the app" : "in the background"] + (button.isDestructive ? ["destructive"] : [])
        return
          "  \(DisplayText.escaped(button.id)) \"\(DisplayWidth.cut(DisplayText.escaped(button.label), to: 30))\": "
          + traits.joined(separator: ", ")
      }
  }

  /// The pages, the buttons, and what was found.
  fileprivate func details(columns: Int) -> String {
    var text = pages.isEmpty ? "" : "\n" + PageTable(pages: pages).text(columns: columns)
    if let category { text += "\n" + Self.buttons(category).map { $0 + "\n" }.joined() }
    if !findings.isEmpty { text += "\n" + findings.map { $0.text(columns: columns) }.joined() }
    return text
  }
}

extension LintFinding {
  /// A line with severity, code and place, and the message below it.
  fileprivate func text(columns: Int) -> String {
    let head = DisplayWidth.pad(severity.rawValue, to: 8) + code.rawValue
    let place = pointer.isEmpty ? "" : " at \(DisplayText.escaped(pointer))"
    // A pointer is never cut: it is there to be copied.
    return "\(head)\(place)\n"
      + WrappedText.lines(DisplayText.escaped(message), columns: columns - 8, wideWords: .broken)
      .map { "        \($0)\n" }.joined()
  }
}
