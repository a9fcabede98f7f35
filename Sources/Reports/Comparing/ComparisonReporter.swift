import FunnelDocument
import Postgres
import PrintedText

/// A side of a comparison as it is asked for.
public struct ComparedScope: Sendable, Equatable {
  /// How it was asked for, such as `story=spring-sale`.
  public var label: String
  /// Which sessions it is of. Groups are not compared.
  public var scope: ReportScope

  /// Makes a side.
  public init(label: String, scope: ReportScope) {
    self.label = label
    self.scope = scope
  }
}

/// Makes comparisons out of what is stored.
public enum ComparisonReporter {
  /// Reads both sides and what they share, in one read-only snapshot; blocks until it is done.
  ///
  /// Takes time in proportion to the events of both sides; see `FunnelReporter.run`.
  ///
  /// - Parameters:
  ///   - connection: idle, and with the schema of this version.
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  /// - Throws: `.usage` for an app or story that is not there; `.database`; `.conservation`.
  public static func run(
    a: ComparedScope, b: ComparedScope, on connection: inout PostgresConnection, nowMicroseconds: Int64
  ) throws(ReportError) -> Comparison {
    try ReportSnapshot.read(&connection) { connection in
      let first = try side("A", a, nowMicroseconds, &connection)
      let second = try side("B", b, nowMicroseconds, &connection)
      return Comparison(
        a: first, b: second, presentationsInBoth: try SharedPresentations.count(a.scope, b.scope, &connection))
    }
  }

  private static func side(
    _ name: String, _ side: ComparedScope, _ nowMicroseconds: Int64, _ connection: inout PostgresConnection
  ) throws -> ComparedSide {
    do {
      var scope = side.scope
      scope.groupBy = nil
      scope.mostGroups = nil
      let funnel = try FunnelReading(scope, &connection).funnel(nowMicroseconds: nowMicroseconds, &connection)
      return ComparedSide(label: side.label, funnel: funnel)
    } catch let error as ReportError where error.kind == .usage {
      throw ReportError.usage("side \(name), '\(DisplayText.escaped(side.label))': \(error.description)")
    }
  }
}
