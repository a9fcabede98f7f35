import FunnelDocument
import TestSupport
import Testing

/// Compares the funnel of a report with the one that a simulation says it must be.
enum FunnelComparison {
  /// The funnel of a database, as JSON.
  static func report(_ connectionString: String, _ arguments: [String] = []) throws -> JSONValue {
    let run = try PagefallProcess.run(
      ["report", "funnel", "--database", connectionString, "--format", "json"] + arguments)
    try #require(run.exitCode == 0, "\(run.standardError)")
    return try JSONValue(text: run.standardOutput)
  }

  /// Where the report differs from the truth, in every key that the truth has; quantiles may differ by 1 %
  /// (metrics.md). Empty where it does not.
  static func differences(_ report: JSONValue, _ truth: JSONValue) -> [String] {
    // What was asked, and when, is not what was counted; groups are compared by name.
    let apart: Set = ["generated_at", "data_through", "scope", "groups", "group"]
    var found: [String] = []
    for member in truth.objectValue ?? [] where !apart.contains(member.key) {
      collect(report[member.key], member.value, at: member.key, &found)
    }
    return found
  }

  /// The same without titles and links, which belong to a story, and groups have none.
  static func countDifferences(_ report: JSONValue, _ group: JSONValue) -> [String] {
    differences(report, group).filter { !$0.contains(".title:") && !$0.contains(".link:") }
  }

  /// How the groups of a report, added up, differ from its total; without quantiles, which do not add up.
  static func sumFaults(_ document: JSONValue) throws -> [String] {
    let report = try FunnelReport(text: document.text().utf8)
    let groups = try #require(report.groups)
    let sum = groups.reduce(FunnelCounts()) { $0 + $1.counts }
    let isSum = bare(sum) == bare(report.total)
    return report.conservationFaults() + (isSum ? [] : ["\(groups.count) groups give \(sum), not \(report.total)"])
  }

  /// Counts without what does not add up: quantiles, titles, and rejected events, which belong to no session.
  private static func bare(_ counts: FunnelCounts) -> FunnelCounts {
    var counts = counts
    for page in counts.pages.indices {
      counts.pages[page].title = nil
      counts.pages[page].link = nil
      counts.pages[page].dwell = DwellSummary(count: counts.pages[page].dwell.count)
    }
    counts.completeness.rejectedEvents = [:]
    // A device may have sessions in several groups, and counts once in the total.
    counts.completeness.droppedByDevices = 0
    return counts
  }

  private static func collect(_ found: JSONValue?, _ expected: JSONValue, at path: String, _ faults: inout [String]) {
    switch (found, expected) {
    case (.object?, .object(let members)):
      for member in members { collect(found?[member.key], member.value, at: "\(path).\(member.key)", &faults) }
    case (.array(let elements)?, .array(let wanted)) where elements.count == wanted.count:
      for (place, pair) in zip(elements, wanted).enumerated() {
        collect(pair.0, pair.1, at: "\(path)[\(place)]", &faults)
      }
    default:
      if found == expected || isNear(found, expected, path) { return }
      faults.append("\(path): \(found?.text() ?? "nothing") instead of \(expected.text())")
    }
  }

  private static func isNear(_ found: JSONValue?, _ expected: JSONValue, _ path: String) -> Bool {
    guard let found = found?.doubleValue, let expected = expected.doubleValue else { return false }
    let isQuantile = path.hasSuffix("_ms.median") || path.hasSuffix("_ms.p90")
    return found == expected || (isQuantile && abs(found - expected) <= abs(expected) * 0.01)
  }
}
