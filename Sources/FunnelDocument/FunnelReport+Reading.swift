extension FunnelReport {
  /// Reads the JSON form (metrics §5) back. Rates and intervals are derived again, not read; unknown keys are kept
  /// as `additionalMembers`.
  ///
  /// - Throws: `notJSON`, or `unexpectedValue` with the place of the first key that is absent or of another type.
  public init(text: some Sequence<UInt8>) throws(FunnelDocumentError) {
    let root = JSONObjectReader(value: try JSONValue(text: text), path: "")
    guard root.value["report"] == .string("funnel") else { throw root.fault("report", "\"funnel\"") }
    generatedAt = try root.text("generated_at")
    dataThrough = try root.optionalText("data_through")
    scope = try FunnelScope(root.child("scope"))
    total = try FunnelCounts(root)
    devices = try DeviceCounts(of: root)
    if let values = root.value["groups"] {
      guard let elements = values.arrayValue else { throw root.fault("groups", "an array") }
      var read: [FunnelGroup] = []
      for (place, element) in elements.enumerated() {
        let reader = JSONObjectReader(value: element, path: "groups[\(place)].")
        read.append(
          FunnelGroup(
            name: try reader.text("group"), counts: try FunnelCounts(reader), devices: try DeviceCounts(of: reader),
            mergedGroups: try reader.optionalCount("merged_groups")))
      }
      groups = read
    } else {
      groups = nil
    }
    additionalMembers = []
    let known = Set((json.objectValue ?? []).map(\.key))
    additionalMembers = (root.value.objectValue ?? []).filter { !known.contains($0.key) }
  }
}

extension FunnelScope {
  /// Reads the object under `scope` (metrics §5).
  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    guard let order = FunnelOrder(rawValue: try reader.text("order")) else {
      throw reader.fault("order", "\"reached\" or \"strict\"")
    }
    self.init(
      apps: try reader.texts("apps"), story: try reader.optionalText("story"), from: try reader.optionalText("from"),
      to: try reader.optionalText("to"), timeZone: try reader.text("timezone"), order: order,
      filters: try reader.texts("filters"), minimumCount: try reader.optionalCount("min_count") ?? 1)
  }
}

extension FunnelCounts {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    guard let elements = reader.value["pages"]?.arrayValue else { throw reader.fault("pages", "an array") }
    var pages: [PageCounts] = []
    for (place, element) in elements.enumerated() {
      pages.append(try PageCounts(JSONObjectReader(value: element, path: reader.path + "pages[\(place)].")))
    }
    self.init(
      presentations: try reader.count("presentations"), fallbacks: try reader.count("fallbacks"),
      sessions: try reader.count("sessions"), finishedSessions: try reader.count("finished_sessions"),
      reachedLastSessions: try reader.count("reached_last_sessions"),
      tappedSessions: try reader.count("tapped_sessions"), pages: pages,
      completeness: try Completeness(reader.child("completeness")))
  }
}

extension PageCounts {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      index: try reader.count("index"), title: try reader.optionalText("title"), link: try reader.optionalText("link"),
      impressions: try reader.count("impressions"), sessions: try reader.count("sessions"),
      strictSessions: try reader.count("strict_sessions"), completedSessions: try reader.count("completed_sessions"),
      taps: try reader.count("taps"), tappedSessions: try reader.count("tapped_sessions"),
      departures: try Departures(reader.child("departures")), dwell: try DwellSummary(reader.child("dwell_ms")))
  }
}

extension Departures {
  fileprivate init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      next: try reader.count("next"), nextAuto: try reader.optionalCount("next_auto"),
      nextTap: try reader.optionalCount("next_tap"), back: try reader.count("back"),
      looped: try reader.count("looped"), finished: try reader.count("finished"),
      tappedOut: try reader.count("tapped_out"), exited: try reader.count("exited"),
      unknown: try reader.count("unknown"))
  }
}

extension DwellSummary {
  /// Reads the object under `dwell_ms` (metrics §5).
  init(_ reader: JSONObjectReader) throws(FunnelDocumentError) {
    self.init(
      count: try reader.count("count"), medianMilliseconds: try reader.optionalNumber("median"),
      ninetiethPercentileMilliseconds: try reader.optionalNumber("p90"))
  }
}
