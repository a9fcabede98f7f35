extension RichMediaReport {
  /// Reads the JSON form (rich-media §3) back. Rates and intervals are derived again, not read; unknown keys are kept as
  /// `additionalMembers`.
  ///
  /// - Throws: `notJSON`, or `unexpectedValue` with the place of the first key that is absent or of another type.
  public init(text: some Sequence<UInt8>) throws(FunnelDocumentError) {
    let root = JSONObjectReader(value: try JSONValue(text: text), path: "")
    guard root.value["report"] == .string("rich-media") else { throw root.fault("report", "\"rich-media\"") }
    self.init(
      generatedAt: try root.text("generated_at"), dataThrough: try root.optionalText("data_through"),
      scope: try FunnelScope(root.child("scope")), total: try RichMediaCounts(root), contents: try Self.lines(root),
      hiddenContents: try root.optionalCount("hidden_contents") ?? 0, groups: try Self.groups(root),
      losses: try SurfaceLosses(root.child("completeness")))
    let known = Set((json.objectValue ?? []).map(\.key))
    additionalMembers = (root.value.objectValue ?? []).filter { !known.contains($0.key) }
  }

  private static func lines(_ reader: JSONObjectReader) throws(FunnelDocumentError) -> [RichMediaLine] {
    guard let elements = reader.value["contents"]?.arrayValue else { throw reader.fault("contents", "an array") }
    var lines: [RichMediaLine] = []
    for (place, element) in elements.enumerated() {
      let line = JSONObjectReader(value: element, path: reader.path + "contents[\(place)].")
      lines.append(
        RichMediaLine(
          app: try line.optionalText("app"), contentCode: try line.text("content_code"),
          counts: try RichMediaCounts(line)))
    }
    return lines
  }

  private static func groups(_ root: JSONObjectReader) throws(FunnelDocumentError) -> [RichMediaGroup]? {
    guard let value = root.value["groups"] else { return nil }
    guard let elements = value.arrayValue else { throw root.fault("groups", "an array") }
    var groups: [RichMediaGroup] = []
    for (place, element) in elements.enumerated() {
      let group = JSONObjectReader(value: element, path: "groups[\(place)].")
      groups.append(
        RichMediaGroup(
          name: try group.text("group"), mergedGroups: try group.optionalCount("merged_groups"),
          counts: try RichMediaCounts(group), contents: try lines(group),
          hiddenContents: try group.optionalCount("hidden_contents") ?? 0))
    }
    return groups
  }
}

extension RichMediaCounts {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init()
    presentations = try reader.count("presentations")
    deferred = try reader.count("deferred")
    shown = try reader.count("shown")
    failed = try reader.count("failed")
    closed = try reader.count("closed")
    closedByTimer = try reader.optionalCount("closed_by_timer")
    closedBeforeTimer = try reader.optionalCount("closed_before_timer")
    openOrLost = try reader.count("open_or_lost")
    waitingOrLost = try reader.count("waiting_or_lost")
    wait = try DwellSummary(reader.child("wait_ms"))
    open = try DwellSummary(reader.child("open_ms"))
    expectedEvents = try reader.count("expected_events")
    missingEvents = try reader.count("missing_events")
  }
}
