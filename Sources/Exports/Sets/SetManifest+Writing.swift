import FunnelDocument

extension SetManifest {
  /// The file's content: the keys in their order, made to be read, with a newline at its end.
  var text: String { json.text(layout: .readable) + "\n" }

  var json: JSONValue {
    .object([
      JSONMember("manifest", .string(Self.version)), JSONMember("day", .string(day.text)),
      JSONMember("timezone", .string(scope.timeZone)), JSONMember("from", .string(from)),
      JSONMember("to", .string(to)), JSONMember("apps", .array(scope.apps.map { .string($0) })),
      JSONMember("all_apps", .bool(scope.isAllApps)), JSONMember("definitions", .string(record.definitions)),
      JSONMember("revision", .integer(Int64(record.revision))), JSONMember("generated_at", .string(generatedAt)),
      JSONMember("data_through", dataThrough.map { .string($0) } ?? .null),
      JSONMember("generator", .string(generator)), JSONMember("options", record.options.json),
      JSONMember("sessions", .integer(Int64(sessions))), JSONMember("events", .integer(Int64(events))),
      JSONMember("completeness", completeness.json), JSONMember("files", .array(files.map(\.json))),
      JSONMember("changes", changes.json), JSONMember("position", record.position.json(of: record.databaseID)),
    ])
  }
}

extension SetChanges {
  fileprivate var json: JSONValue {
    let listed = RevisionReason.allCases.compactMap { reason in
      reasons[reason].map { JSONValue.object([JSONMember("reason", .string(reason.rawValue))] + $0.members) }
    }
    return .object([
      JSONMember("since_revision", sinceRevision.map { .integer(Int64($0)) } ?? .null),
      JSONMember("reasons", .array(listed)),
    ])
  }
}

extension WrittenFile {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("name", .string(name)), JSONMember("content", .string(content.rawValue)),
      JSONMember("rows", .integer(Int64(rows))), JSONMember("bytes", .integer(bytes)),
      JSONMember("uncompressed_bytes", .integer(uncompressedBytes)), JSONMember("sha256", .string(sha256)),
      JSONMember("columns", .array(columns.map(\.json))),
    ])
  }
}

extension ExportColumn {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("name", .string(name)), JSONMember("type", .string(type.rawValue)),
      JSONMember("unit", unit.map { .string($0) } ?? .null), JSONMember("meaning", .string(meaning)),
    ])
  }
}
