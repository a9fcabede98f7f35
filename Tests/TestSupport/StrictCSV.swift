/// Reads CSV by the grammar of RFC 4180 and refuses everything else: LF alone, quotes within a field without them, quotes that
/// nothing asks for, a missing last line end.
public struct StrictCSV: Sendable {
  /// Nil is NULL: nothing between two commas.
  public let records: [[String?]]

  /// Reads a whole file.
  public init(_ bytes: [UInt8]) throws {
    var records: [[String?]] = []
    var record: [String?] = []
    var place = 0
    while place < bytes.count {
      var field: [UInt8] = []
      let isQuoted = bytes[place] == UInt8(ascii: "\"")
      if isQuoted {
        place += 1
        while true {
          guard place < bytes.count else { throw TestSupportError("a quoted field does not end") }
          let byte = bytes[place]
          place += 1
          if byte != UInt8(ascii: "\"") {
            field.append(byte)
          } else if place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
            field.append(byte)
            place += 1
          } else {
            break
          }
        }
        let needed = field.isEmpty || field.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        if !needed { throw TestSupportError("needless quotes around \(String(decoding: field, as: UTF8.self))") }
      } else {
        while place < bytes.count, bytes[place] != UInt8(ascii: ","), bytes[place] != 0x0D {
          if bytes[place] == 0x0A || bytes[place] == 0x22 {
            throw TestSupportError("a line end or quote without quotes")
          }
          field.append(bytes[place])
          place += 1
        }
      }
      guard let text = String(validating: field, as: UTF8.self) else {
        throw TestSupportError("a field is not UTF-8")
      }
      record.append(field.isEmpty && !isQuoted ? nil : text)
      guard place < bytes.count else { throw TestSupportError("the last line has no end") }
      if bytes[place] == UInt8(ascii: ",") {
        place += 1
        continue
      }
      guard bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A else {
        throw TestSupportError("a field is followed by byte \(bytes[place])")
      }
      place += 2
      records.append(record)
      record = []
    }
    guard record.isEmpty else { throw TestSupportError("the last line has no end") }
    self.records = records
  }

  /// The names that the header gives.
  public var columns: [String] { records.first.map { $0.map { $0 ?? "" } } ?? [] }

  /// The records below the header, which must be as long.
  public func rows() throws -> [FileRow] {
    guard !records.isEmpty else { throw TestSupportError("there is no header") }
    let places = FileRow.places(columns)
    return try records.dropFirst().map { record in
      guard record.count == places.count else { throw TestSupportError("a line has \(record.count) cells") }
      return FileRow(places: places, cells: record)
    }
  }
}

/// A line of a file whose columns have names.
public struct FileRow: Equatable, Sendable {
  private let places: [String: Int]
  private let cells: [String?]

  /// Where each column of a file stands.
  public static func places(_ columns: [String]) -> [String: Int] {
    Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Parameter places: of the file's columns; made once for all lines.
  public init(places: [String: Int], cells: [String?]) {
    self.places = places
    self.cells = cells
  }

  /// A cell's text; nil is null. A column that is not there has a text that no test expects.
  public subscript(_ column: String) -> String? {
    guard let place = places[column] else { return "(no column \(column))" }
    return cells[place]
  }

  /// A cell's number.
  public func number(_ column: String) -> Int? { self[column].flatMap { Int($0) } }
}
