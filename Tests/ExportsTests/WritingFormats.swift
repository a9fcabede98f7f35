import Foundation
import FunnelDocument
import TestSupport

@testable import Exports

/// Reads NDJSON: every line an object with exactly the columns as keys, in their order, each value of its column's type.
enum StrictNDJSON {
  static func rows(_ bytes: [UInt8], _ columns: [ExportColumn]) throws -> [FileRow] {
    guard bytes.isEmpty || bytes.last == 0x0A else { throw WritingTestError("the last line has no end") }
    let places = FileRow.places(columns.map(\.name))
    return try bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { line in
      let object = try JSONValue(text: line)
      guard let members = object.objectValue, members.map(\.key) == columns.map(\.name) else {
        throw WritingTestError("the keys are not the columns: \(String(decoding: line, as: UTF8.self))")
      }
      return FileRow(places: places, cells: try zip(members, columns).map { try text($0.value, $1, line) })
    }
  }

  private static func text(_ value: JSONValue, _ column: ExportColumn, _ line: ArraySlice<UInt8>) throws -> String? {
    if value == .null { return nil }
    switch column.type {
    case .text, .uuid, .timestamp, .date:
      guard let text = value.stringValue else { throw WritingTestError("\(column.name) is no text") }
      return text
    case .integer, .number, .boolean, .json: return rawText(of: column.name, line)
    }
  }

  /// A value that is no text, as it stands in the line.
  private static func rawText(of name: String, _ line: ArraySlice<UInt8>) -> String {
    let text = String(decoding: line, as: UTF8.self)
    guard let key = text.range(of: "\"\(name)\":", options: .literal) else { return "" }
    var value = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    for scalar in text[key.upperBound...].unicodeScalars {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if scalar == "\\" {
          isEscaped = true
        } else if scalar == "\"" {
          isInString = false
        }
      } else if scalar == "\"" {
        isInString = true
      } else if scalar == "{" || scalar == "[" {
        depth += 1
      } else if scalar == "}" || scalar == "]" {
        if depth == 0 { break }
        depth -= 1
      } else if scalar == ",", depth == 0 {
        break
      }
      value.unicodeScalars.append(scalar)
    }
    return value
  }
}

/// What a test found in a file that must not be there.
struct WritingTestError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
