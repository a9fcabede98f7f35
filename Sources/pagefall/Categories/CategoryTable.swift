import EventStore
import FunnelDocument
import LocalTime
import PrintedText

/// How `pagefall category list` prints.
enum CategoryFormat: String {
  case table, json, csv
}

/// The categories of an app, a line a button.
struct CategoryTable {
  let app: String
  let versions: [CategoryVersion]
  /// Whether what was before is there too.
  let hasHistory: Bool

  /// A table for people.
  var text: String {
    guard !versions.isEmpty else { return "" }
    let heads = ["category", "button", "opens the app", "destructive", "from"] + (hasHistory ? ["to"] : []) + ["label"]
    let rows = [heads] + versions.flatMap(rows)
    let widths = heads.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.dropLast().enumerated() { line += DisplayWidth.pad(cell, to: widths[column]) + "  " }
      return line + (row.last ?? "") + "\n"
    }.joined()
  }

  private func rows(_ version: CategoryVersion) -> [[String]] {
    let from = InstantText.text(microseconds: version.fromMicroseconds)
    let to = hasHistory ? [version.toMicroseconds.map { InstantText.text(microseconds: $0) } ?? "now"] : []
    let category = DisplayText.escaped(version.definition.id)
    if version.definition.buttons.isEmpty { return [[category, "", "", "", from] + to + ["(no buttons)"]] }
    return version.definition.buttons.map { button in
      [
        category, CategoryText.id(button.id), button.opensApp ? "yes" : "no", button.isDestructive ? "yes" : "no",
        from,
      ] + to + [DisplayText.escaped(button.label)]
    }
  }

  /// One JSON object. Characters that a terminal could obey are written as `\u009b`, which means the same.
  var json: String {
    let members: [JSONMember] = [
      JSONMember("app", .string(app)), JSONMember("categories", .array(versions.map(Self.value))),
    ]
    return DisplayText.escapedJSON(JSONValue.object(members).text()) + "\n"
  }

  private static func value(_ version: CategoryVersion) -> JSONValue {
    let buttons = version.definition.buttons.map { button in
      JSONValue.object([
        JSONMember("button_id", .string(button.id)), JSONMember("label", .string(button.label)),
        JSONMember("opens_app", .bool(button.opensApp)), JSONMember("destructive", .bool(button.isDestructive)),
      ])
    }
    return .object([
      JSONMember("category_id", .string(version.definition.id)),
      JSONMember("from", .string(instant(version.fromMicroseconds))),
      JSONMember("to", .optional(version.toMicroseconds.map(instant))), JSONMember("buttons", .array(buttons)),
    ])
  }

  /// A line a button (RFC 4180), with a header; a category without buttons has a line with empty cells.
  var csv: String {
    var lines = ["app,category_id,from,to,place,button_id,label,opens_app,destructive"]
    for version in versions {
      let category: [String] = [
        Self.cell(app), Self.cell(version.definition.id), Self.instant(version.fromMicroseconds),
        version.toMicroseconds.map(Self.instant) ?? "",
      ]
      if version.definition.buttons.isEmpty { lines.append((category + ["", "", "", "", ""]).joined(separator: ",")) }
      for (place, button) in version.definition.buttons.enumerated() {
        let cells: [String] = [
          String(place), Self.cell(button.id), Self.cell(button.label), String(button.opensApp),
          String(button.isDestructive),
        ]
        lines.append((category + cells).joined(separator: ","))
      }
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func instant(_ microseconds: Int64) -> String { TimestampText.rfc3339(microseconds, in: .utc) }

  /// A text as a cell. No spreadsheet runs it, and no terminal obeys it.
  private static func cell(_ text: String) -> String { CSVText.cell(DisplayText.escaped(text), isSafe: true) }
}
