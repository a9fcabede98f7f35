import FunnelDocument

/// What the next run has to know of a set, to tell whether its day has changed.
struct SetRecord: Equatable, Sendable {
  /// 1 for a day's first set.
  var revision: Int
  /// The version of the numbers' definitions.
  var definitions: String
  var options: ExportOptions
  /// Which database it was made from (`pagefall.settings.database_id`).
  var databaseID: String
  /// Where the account of the day's changes stood.
  var position: ChangePosition
}

extension SetRecord {
  /// Keys in the order of a manifest.
  var json: JSONValue {
    .object([
      JSONMember("definitions", .string(definitions)), JSONMember("revision", .integer(Int64(revision))),
      JSONMember("options", options.json), JSONMember("position", position.json(of: databaseID)),
    ])
  }

  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    let position = try reader.child("position")
    self.init(
      revision: try reader.exactCount("revision", atLeast: 1), definitions: try reader.text("definitions"),
      options: try ExportOptions(reader.child("options")), databaseID: try position.text("database"),
      position: try ChangePosition(position))
  }
}

extension ExportOptions {
  var json: JSONValue {
    .object([
      JSONMember("what", .array(contents.map { .string($0.rawValue) })), JSONMember("format", .string(format.rawValue)),
      JSONMember("compression", .string(compression.rawValue)), JSONMember("csv_safe", .bool(isCSVSafe)),
    ])
  }

  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    var contents: [ExportContent] = []
    for name in try reader.texts("what") {
      guard let content = ExportContent(rawValue: name) else { throw reader.fault("what", ExportContent.choices) }
      contents.append(content)
    }
    self.init(
      contents: contents, format: try reader.choice("format"), compression: try reader.choice("compression"),
      isCSVSafe: try reader.flag("csv_safe"))
  }
}

extension ChangePosition {
  /// With the database that it was read from.
  func json(of databaseID: String) -> JSONValue {
    let counts = ChangeReason.allCases.filter { self[$0] != ChangeCount() }
    return .object([
      JSONMember("database", .string(databaseID)), JSONMember("mark", .integer(mark)),
      JSONMember("counts", .object(counts.map { JSONMember($0.rawValue, .object(self[$0].members)) })),
    ])
  }

  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    let counts = try reader.child("counts")
    guard case .integer(let mark)? = reader.value["mark"] else { throw reader.fault("mark", "an integer") }
    self.init(mark: mark)
    for member in counts.value.objectValue ?? [] {
      // Whoever does not know a reason cannot tell what has changed.
      guard let reason = ChangeReason(rawValue: member.key) else {
        throw counts.fault(member.key, "absent: the reasons are \(ChangeReason.choices)")
      }
      guard self[reason] == ChangeCount() else { throw counts.fault(member.key, "there once") }
      add(try ChangeCount(counts.child(member.key)), for: reason)
    }
  }
}

extension ChangeCount {
  var members: [JSONMember] {
    [JSONMember("sessions", .integer(sessions)), JSONMember("events", .integer(events))]
  }

  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      sessions: Int64(try reader.exactCount("sessions")), events: Int64(try reader.exactCount("events")))
  }
}

extension JSONObjectReader {
  /// A count that every reader of JSON can hold exactly; sums of a few of them fit 64 bits, whoever wrote the file.
  func exactCount(_ key: String, atLeast least: Int = 0) throws(FunnelDocumentError) -> Int {
    let count = try count(key)
    guard (least...1 << 53).contains(count) else { throw fault(key, "an integer from \(least) to 2^53") }
    return count
  }

  /// One of the values that there are.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String
  ) throws(FunnelDocumentError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try text(key)) else { throw fault(key, Choice.choices) }
    return choice
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// `csv or ndjson`.
  fileprivate static var choices: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
