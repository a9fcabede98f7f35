import Foundation
import FunnelDocument
import Postgres
import Reports
import TestSupport
import Testing

/// Compares every number of the reports of a world with its truth.
struct RandomWorldCheck: ~Copyable {
  private let connectionString: String
  var connection: PostgresConnection

  init(_ connectionString: String) throws {
    self.connectionString = connectionString
    connection = try PostgresConnection(ConnectionOptions(connectionString))
  }

  /// Where report and truth differ; empty where they do not.
  mutating func faults(_ world: RandomWorld, _ truth: RandomWorldTruth) throws -> [String] {
    var faults = try compare(world, by: .context(.storyID), with: truth.byStory, "by story")
    faults += try compare(
      world, by: SessionField(argument: world.fieldName), with: truth.byField, "by \(world.fieldName)")
    if world.hasExactTimes {
      faults += try compare(world, by: .time(.day), with: truth.byDay, "by day")
      faults += try compare(world, by: .time(.hour), with: truth.byHour, "by hour")
    }
    faults += try surfaceFaults(world, truth)
    for group in truth.byStory.groups ?? [] where group.counts.presentations > 0 {
      var scope = ReportScope(apps: [world.app], story: StorySelection(argument: group.name))
      scope.order = world.number.isMultiple(of: 2) ? .strict : .reached
      let alone = try FunnelReporter.run(scope, on: &connection, nowMicroseconds: 0).report
      let expected = FunnelReport(generatedAt: "", scope: FunnelScope(order: scope.order), total: group.counts)
      faults += FunnelComparison.countDifferences(alone.json, expected.json).map { "\(group.name) alone: \($0)" }
    }
    if world.number.isMultiple(of: 20) {
      let printed = try FunnelComparison.report(connectionString, ["--app", world.app])
      faults += differences(world, printed, truth.byStory.json).map { "printed: \($0)" }
    }
    return faults
  }

  private mutating func compare(
    _ world: RandomWorld, by field: SessionField, with truth: FunnelReport, _ name: String
  ) throws -> [String] {
    // A fault of conservation is an error of the reporter's.
    var scope = ReportScope(apps: [world.app], groupBy: field)
    scope.timeZone = try .init(named: world.zone.identifier == "GMT" ? "UTC" : world.zone.identifier)
    let json = try FunnelReporter.run(scope, on: &connection, nowMicroseconds: 0).report.json
    var faults = differences(world, json, truth.json) + (try FunnelComparison.sumFaults(json))
    let expected = truth.json["groups"]?.arrayValue?.filter { $0["presentations"] != .integer(0) } ?? []
    let found = json["groups"]?.arrayValue ?? []
    let names = { (groups: [JSONValue]) in groups.compactMap { $0["group"]?.stringValue }.sorted() }
    if names(expected) != names(found) { faults.append("groups \(names(found)) instead of \(names(expected))") }
    for group in expected {
      guard let same = found.first(where: { $0["group"] == group["group"] }) else { continue }
      faults += FunnelComparison.countDifferences(same, group).map { "\(group["group"]?.stringValue ?? ""): \($0)" }
    }
    return faults.map { "\(name): \($0)" }
  }

  private func differences(_ world: RandomWorld, _ report: JSONValue, _ truth: JSONValue) -> [String] {
    world.hasSureTitles
      ? FunnelComparison.differences(report, truth) : FunnelComparison.countDifferences(report, truth)
  }
}
