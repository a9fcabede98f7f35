import FunnelDocument
import PrintedText

/// What a report of stories says in words.
package enum StoriesText {
  /// A story's name; that of an empty text can be seen.
  package static func name(_ line: StoryLine) -> String {
    guard let story = line.story else { return StorySelection.noneText }
    return story.isEmpty ? "\"\"" : DisplayText.escaped(story)
  }

  /// The day of a time that is printed as RFC 3339.
  package static func day(_ time: String) -> String { time.isEmpty ? FigureText.none : String(time.prefix(10)) }

  /// That stories were left out; nil where none were.
  package static func hidden(_ report: StoriesReport) -> String? {
    guard report.hiddenStories > 0 else { return nil }
    return
      "\(FigureText.count(report.hiddenStories, "more story", "more stories")) not shown (--limit); the total has all."
  }
}
