import EventStore
import FunnelDocument
import LocalTime
import PrintedText

/// How `pagefall rejected list` prints.
enum RejectedFormat: String {
  case table, json, csv
}

extension RejectedTable {
  /// One JSON object. Characters that a terminal could obey are written as `\u009b`, which means the same.
  var json: String {
    let members: [JSONMember] = [
      JSONMember("rejected", .array(entries.map(Self.value))),
      JSONMember("events", .integer(eventCount)), JSONMember("times", .integer(timeCount)),
      JSONMember("by_code", .object(totals.map { JSONMember($0.code, .integer($0.events)) })),
    ]
    return DisplayText.escapedJSON(JSONValue.object(members).text()) + "\n"
  }

  private static func value(_ entry: RejectedEntry) -> JSONValue {
    .object([
      JSONMember("handle", .string(entry.handle)), JSONMember("sha256", .string(entry.sha256Text)),
      JSONMember("app", .string(entry.app)), JSONMember("code", .string(entry.reason.code)),
      JSONMember("field", .optional(entry.reason.field)),
      JSONMember("message", .string(entry.reason.message)), JSONMember("count", .integer(entry.count)),
      JSONMember("first_received_at", .string(instant(entry.firstReceivedAtMicroseconds))),
      JSONMember("last_received_at", .string(instant(entry.lastReceivedAtMicroseconds))),
      JSONMember("sent_at", .optional(entry.sentAtMicroseconds.map(instant))),
      JSONMember("place", entry.place.map { .integer($0) } ?? .null),
      JSONMember("bytes", .integer(Int64(entry.bodyBytes))),
    ])
  }

  /// A line an event (RFC 4180), with a header.
  var csv: String {
    var lines = ["handle,app,code,field,message,count,first_received_at,last_received_at,sent_at,place,bytes,sha256"]
    for entry in entries {
      let cells: [String] = [
        entry.handle, Self.cell(entry.app), Self.cell(entry.reason.code), Self.cell(entry.reason.field),
        Self.cell(entry.reason.message), String(entry.count), Self.instant(entry.firstReceivedAtMicroseconds),
        Self.instant(entry.lastReceivedAtMicroseconds), entry.sentAtMicroseconds.map(Self.instant) ?? "",
        entry.place.map { String($0) } ?? "", String(entry.bodyBytes), entry.sha256Text,
      ]
      lines.append(cells.joined(separator: ","))
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func instant(_ microseconds: Int64) -> String { TimestampText.rfc3339(microseconds, in: .utc) }

  /// A text as a cell; nil: an empty one. No spreadsheet runs it, and no terminal obeys it: messages quote senders.
  private static func cell(_ text: String?) -> String { CSVText.cell(text.map(DisplayText.escaped), isSafe: true) }
}
