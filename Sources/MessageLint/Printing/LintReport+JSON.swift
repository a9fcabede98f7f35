import FunnelDocument
import PrintedText
import StoryPlayback

extension LintReport {
  /// The report as JSON, in the form `lint/1` (docs/lint.md). Keys may be added, never renamed within a version.
  ///
  /// Characters that a terminal could obey are written as `\u009b`, which means the same.
  package var json: String {
    var members = [JSONMember("lint", .string("lint/1")), JSONMember("files", .array(files.map(\.json)))]
    if let infoPlist {
      members.append(
        JSONMember(
          "info_plist",
          .object([
            JSONMember("file", .string(infoPlist.name)),
            JSONMember("findings", .array(infoPlist.findings.map(\.json))),
          ])))
    }
    return DisplayText.escapedJSON(JSONValue.object(members).text()) + "\n"
  }
}

extension LintedFile {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("file", .string(name)),
      JSONMember("form", .optional(form?.rawValue)),
      JSONMember("notifications", .array(notifications.map(\.json))),
      JSONMember("findings", .array(findings.map(\.json))),
    ])
  }
}

extension LintedNotification {
  fileprivate var json: JSONValue {
    let played =
      switch outcome {
      case .story(let pages): JSONMember("pages", .array(pages.map(\.lintJSON)))
      case .fallback(let reason): JSONMember("fallback", .string(reason.rawValue))
      }
    var members: [JSONMember] = [
      JSONMember("index", .integer(Int64(index))), played, JSONMember("story_id", .optional(storyID)),
      JSONMember("play_seconds", .optional(playSeconds)),
      JSONMember("payload_bytes", .integer(Int64(payloadBytes))),
    ]
    if let category { members.append(JSONMember("category", category.lintJSON)) }
    return .object(members + [JSONMember("findings", .array(findings.map(\.json)))])
  }
}

extension NotificationCategory {
  fileprivate var lintJSON: JSONValue {
    let buttons = buttons.map { button in
      JSONValue.object([
        JSONMember("button_id", .string(button.id)), JSONMember("label", .string(button.label)),
        JSONMember("opens_app", .bool(button.opensApp)), JSONMember("destructive", .bool(button.isDestructive)),
      ])
    }
    return .object([JSONMember("category_id", .string(id)), JSONMember("buttons", .array(buttons))])
  }
}

extension StoryPage {
  fileprivate var lintJSON: JSONValue {
    .object([
      JSONMember("image", .string(imageURL.absoluteString)), JSONMember("duration", .number(durationSeconds)),
      JSONMember("link", .optional(link?.absoluteString)), JSONMember("button_title", .optional(buttonTitle)),
      JSONMember("title", .optional(title)), JSONMember("subtitle", .optional(subtitle)),
      JSONMember("payload_index", .integer(Int64(payloadIndex))), JSONMember("shows_button", .bool(showsButton)),
    ])
  }
}

extension LintFinding {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("code", .string(code.rawValue)), JSONMember("severity", .string(severity.rawValue)),
      JSONMember("pointer", .string(pointer)), JSONMember("message", .string(message)),
    ])
  }
}
