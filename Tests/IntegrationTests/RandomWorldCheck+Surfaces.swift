import FunnelDocument
import Reports
import TestSupport

extension RandomWorldCheck {
  /// Where the reports of rich media and of buttons differ from their truth; a world without them must show nothing.
  mutating func surfaceFaults(_ world: RandomWorld, _ truth: RandomWorldTruth) throws -> [String] {
    var faults = try surfaceFaults(
      world, by: SessionField(argument: world.fieldName), truth.surfacesByField, "by \(world.fieldName)")
    if world.hasExactTimes { faults += try surfaceFaults(world, by: .time(.day), truth.surfacesByDay, "by day") }
    return faults
  }

  private mutating func surfaceFaults(
    _ world: RandomWorld, by field: SessionField, _ truth: RandomSurfaceTruth, _ name: String
  ) throws -> [String] {
    // Faults of conservation are errors of the reporters'.
    var scope = ReportScope(apps: [world.app], groupBy: field)
    scope.timeZone = try .init(named: world.zone.identifier == "GMT" ? "UTC" : world.zone.identifier)
    // Where there is nothing to find some worlds are looked at all the same.
    let looksAnyway = world.number.isMultiple(of: 9)
    var faults: [String] = []
    if truth.richMedia != nil || looksAnyway {
      let report = try RichMediaReporter.run(scope, on: &connection, nowMicroseconds: 0).report
      if let truth = truth.richMedia {
        faults += compare(report.json, truth.json).map { "rich media \(name): \($0)" }
      } else if report.total != RichMediaCounts() {
        faults.append("rich media that nobody saw")
      }
    }
    if truth.buttons != nil || looksAnyway {
      let report = try ButtonsReporter.run(scope, on: &connection, nowMicroseconds: 0).report
      if let truth = truth.buttons {
        faults += compare(report.json, truth.json).map { "buttons \(name): \($0)" }
      } else if report.total != ResponseCounts() {
        faults.append("responses that nobody gave")
      }
    }
    return faults
  }

  /// Groups are told apart by name; what has one order is compared in it.
  private func compare(_ report: JSONValue, _ truth: JSONValue) -> [String] {
    var faults = FunnelComparison.differences(report, truth)
    let expected = truth["groups"]?.arrayValue ?? []
    let found = report["groups"]?.arrayValue ?? []
    let names = { (groups: [JSONValue]) in groups.compactMap { $0["group"]?.stringValue }.sorted() }
    if names(expected) != names(found) { faults.append("groups \(names(found)) instead of \(names(expected))") }
    for group in expected {
      guard let same = found.first(where: { $0["group"] == group["group"] }) else { continue }
      faults += FunnelComparison.differences(same, group).map { "\(group["group"]?.stringValue ?? ""): \($0)" }
    }
    return faults
  }
}
