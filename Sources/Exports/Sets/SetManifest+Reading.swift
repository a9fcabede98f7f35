import FunnelDocument
import LocalTime
import PrintedText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension SetManifest {
  /// Larger files are not ours.
  private static let largestBytes = 16 << 20

  /// Reads a manifest. Keys that are not known are passed over; values that are not known are refused.
  ///
  /// - Throws: what is wrong with the first key that is absent, of another type, or out of its range.
  init(text: some Sequence<UInt8>) throws(FunnelDocumentError) {
    let root = JSONObjectReader(value: try JSONValue(text: text))
    guard root.value["manifest"] == .string(Self.version) else { throw root.fault("manifest", "\"\(Self.version)\"") }
    guard let day = CivilDate(text: try root.text("day")) else { throw root.fault("day", "a day such as 2026-11-29") }
    var files: [WrittenFile] = []
    for file in try root.children("files") { files.append(try WrittenFile(file)) }
    self.init(
      day: day, scope: try SetScope(root), from: try root.text("from"), to: try root.text("to"),
      record: try SetRecord(root), generatedAt: try root.text("generated_at"),
      dataThrough: try root.optionalText("data_through"), generator: try root.text("generator"),
      sessions: try root.exactCount("sessions"), events: try root.exactCount("events"),
      completeness: try Completeness(root.child("completeness")), files: files,
      changes: try SetChanges(root.child("changes")))
  }

  /// Reads the manifest in a set's directory; nil, and a sentence to `note`, where there is none that can be
  /// understood.
  static func read(
    of day: CivilDate, in set: borrowing OpenDirectory, note: (String) -> Void
  ) throws(ExportError) -> SetManifest? {
    let path = set.pathOf(SetNames.manifest)
    switch try set.status(of: SetNames.manifest)?.kind {
    case .file: break
    case .none, .directory, .link, .other:
      note("\(DisplayText.escaped(set.path)) holds no \(SetNames.manifest), so it is taken for no set")
      return nil
    }
    let bytes = try naming(path, "cannot be read") { () throws(FileFault) in
      try set.open(SetNames.manifest, O_RDONLY | O_NONBLOCK).read(limit: largestBytes)
    }
    let fault: String
    do throws(FunnelDocumentError) {
      guard let bytes else { throw FunnelDocumentError.notJSON(offset: largestBytes, expected: "the end") }
      let manifest = try SetManifest(text: bytes)
      if manifest.day == day { return manifest }
      fault = "it is of \(manifest.day.text)"
    } catch {
      fault = error.fault
    }
    note(
      DisplayText.escaped(
        "\(path) is no manifest of an export that this version knows (\(fault)); its set is taken for none"))
    return nil
  }
}

extension FunnelDocumentError {
  /// The fault alone, of whatever document it is.
  var fault: String {
    switch self {
    case .notJSON: description
    case .unexpectedValue(let path, let expected): "\(path) should be \(expected)"
    }
  }
}

extension SetScope {
  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      timeZone: try reader.text("timezone"), apps: try reader.texts("apps"), isAllApps: try reader.flag("all_apps"))
  }
}

extension SetChanges {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    var reasons: [RevisionReason: ChangeCount] = [:]
    for element in try reader.children("reasons") { reasons[try element.choice("reason")] = try ChangeCount(element) }
    let isFirst = reader.value["since_revision"]?.isNull ?? true
    self.init(
      sinceRevision: isFirst ? nil : try reader.exactCount("since_revision", atLeast: 1), reasons: reasons)
  }
}

extension WrittenFile {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    var columns: [ExportColumn] = []
    for column in try reader.children("columns") { columns.append(try ExportColumn(column)) }
    self.init(
      content: try reader.choice("content"), name: try reader.text("name"), columns: columns,
      rows: try reader.exactCount("rows"), bytes: Int64(try reader.exactCount("bytes")),
      uncompressedBytes: Int64(try reader.exactCount("uncompressed_bytes")), sha256: try reader.text("sha256"))
  }
}

extension ExportColumn {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    // A column's type decides nothing when a manifest is read, but a wrong one would be written again.
    guard let type = ValueType(rawValue: try reader.text("type")) else {
      throw reader.fault("type", "a type of a column")
    }
    self.init(try reader.text("name"), type, unit: try reader.optionalText("unit"), try reader.text("meaning"))
  }
}
