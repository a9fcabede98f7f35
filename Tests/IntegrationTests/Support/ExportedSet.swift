import Foundation
import FunnelDocument
import TestSupport
import Testing

/// A set as a stranger reads it, with nothing of the program's own.
struct ExportedSet {
  let path: String
  let manifest: JSONValue

  init(_ path: String) throws {
    self.path = path
    manifest = try JSONValue(text: try Self.bytes("\(path)/manifest.json"))
  }

  /// Its revision.
  var revision: Int? { manifest["revision"]?.integerValue }

  /// Why it differs from the one before: `late_events 1 2` for a session and two events.
  var reasons: [String] {
    (manifest["changes"]?["reasons"]?.arrayValue ?? []).map { reason in
      let counts = ["sessions", "events"].map { reason[$0]?.integerValue.map(String.init) ?? "?" }
      return ([reason["reason"]?.stringValue ?? "?"] + counts).joined(separator: " ")
    }
  }

  /// What the manifest says of a file.
  func file(_ content: String) throws -> JSONValue {
    let files = try #require(manifest["files"]?.arrayValue)
    return try #require(files.first { $0["content"] == .string(content) }, "\(content) in \(path)")
  }

  /// A file's bytes, unpacked.
  func plainBytes(_ content: String) throws -> [UInt8] {
    let name = try #require(try file(content)["name"]?.stringValue)
    return try PlainBytes.of(try Self.bytes("\(path)/\(name)"), named: name)
  }

  /// The lines of a CSV file.
  func rows(_ content: String) throws -> [FileRow] { try StrictCSV(try plainBytes(content)).rows() }

  /// Where the files are not what the manifest says; empty where they are.
  func faults() throws -> [String] {
    var faults: [String] = []
    var names = ["manifest.json"]
    for file in try #require(manifest["files"]?.arrayValue) {
      let name = try #require(file["name"]?.stringValue)
      names.append(name)
      let bytes = try Self.bytes("\(path)/\(name)")
      let unpacked = try PlainBytes.of(bytes, named: name)
      let (columns, rows) = try Self.shape(unpacked, name)
      func compare(_ key: String, _ found: Int) {
        let said = file[key]?.integerValue
        if said != found { faults.append("\(name): \(key) \(said.map(String.init) ?? "none"), found \(found)") }
      }
      compare("bytes", bytes.count)
      compare("uncompressed_bytes", unpacked.count)
      compare("rows", rows)
      let described = file["columns"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
      if let columns, columns != described { faults.append("\(name): columns \(columns), not \(described)") }
      if file["sha256"]?.stringValue != (try Program.sha256("\(path)/\(name)")) { faults.append("\(name): sha256") }
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: path)
    if found.sorted() != names.sorted() { faults.append("holds \(found.sorted()), not \(names.sorted())") }
    for file in manifest["files"]?.arrayValue ?? [] {
      guard let content = file["content"]?.stringValue, ["events", "sessions"].contains(content) else { continue }
      if manifest[content] != file["rows"] { faults.append("\(content) of the set are not the rows") }
    }
    return faults
  }

  /// The names of the columns, and how many rows there are; an empty NDJSON file has no names.
  private static func shape(_ bytes: [UInt8], _ name: String) throws -> (columns: [String]?, rows: Int) {
    guard name.contains(".ndjson") else {
      let table = try StrictCSV(bytes)
      return (table.columns, try table.rows().count)
    }
    let rows = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONValue(text: $0) }
    let keys = rows.map { $0.objectValue?.map(\.key) ?? [] }
    try #require(keys.allSatisfy { $0 == keys[0] }, "\(name): all lines have the same keys")
    return (keys.first, rows.count)
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: path), "\(path)"))
  }
}
