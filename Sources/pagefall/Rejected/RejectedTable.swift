import EventStore
import Foundation
import PrintedText

/// What `pagefall rejected list` found, and how it is printed.
struct RejectedTable {
  let entries: [RejectedEntry]
  let totals: [RejectedStore.Total]

  /// Different events in all, shown or not.
  var eventCount: Int64 { totals.reduce(0) { $0 + $1.events } }

  /// How often they came.
  var timeCount: Int64 { totals.reduce(0) { $0 + $1.times } }

  /// The last line: how many there are in all, by code.
  var totalLine: String {
    if totals.isEmpty { return "no rejected events" }
    let codes = totals.map { "\(DisplayText.escaped($0.code)) \($0.events)" }.joined(separator: ", ")
    return "\(entries.count) of \(eventCount) rejected events, which came \(timeCount) times: \(codes)"
  }

  /// A table for people.
  ///
  /// - Parameter columns: where the messages are cut; nil: nowhere.
  func text(columns: Int?) -> String {
    guard !entries.isEmpty else { return totalLine + "\n" }
    let heads = ["times", "code", "field", "app", "first received", "last received", "handle", "message"]
    let rows = [heads] + entries.map(Self.cells)
    let widths = heads.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.dropLast().enumerated() {
        line += DisplayWidth.pad(cell, to: widths[column], isRightAligned: column == 0) + "  "
      }
      let room = columns.map { max(20, $0 - DisplayWidth.columns(of: line)) }
      text += line + (room.map { DisplayWidth.cut(row[row.count - 1], to: $0) } ?? row[row.count - 1]) + "\n"
    }
    return text + totalLine + "\n"
  }

  private static func cells(_ entry: RejectedEntry) -> [String] {
    [
      String(entry.count), DisplayText.escaped(entry.reason.code), DisplayText.escaped(entry.reason.field ?? ""),
      DisplayText.escaped(entry.app), InstantText.text(microseconds: entry.firstReceivedAtMicroseconds),
      InstantText.text(microseconds: entry.lastReceivedAtMicroseconds), entry.handle,
      DisplayText.escaped(entry.reason.message),
    ]
  }
}
