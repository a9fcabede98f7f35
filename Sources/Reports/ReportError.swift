import Postgres

/// Why there is no report.
public struct ReportError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is; decides the exit code of a command.
  public enum Kind: Sendable, Equatable {
    /// The question cannot be asked so: a time, zone, field or range that cannot be read, or an app or story that is not
    /// there.
    case usage
    /// The database could not be read; `cause` says why.
    case database
    /// The counts contradict each other (metrics §2): nothing of them may be shown.
    case conservation
  }

  /// What kind of fault it is.
  public var kind: Kind
  /// What the database said, of `.database`.
  public var cause: PostgresError?
  /// One line that says what is wrong and what to do.
  public var description: String

  init(_ kind: Kind, _ description: String, cause: PostgresError? = nil) {
    self.kind = kind
    self.description = description
    self.cause = cause
  }

  static func usage(_ description: String) -> ReportError { ReportError(.usage, description) }

  static func database(_ cause: PostgresError) -> ReportError {
    ReportError(.database, "the report could not be read from the database: \(cause.description)", cause: cause)
  }

  static func conservation(_ faults: [String]) -> ReportError {
    ReportError(
      .conservation,
      "the counts of the report contradict each other, so it is not shown; please report this: "
        + faults.prefix(3).joined(separator: "; ") + (faults.count > 3 ? "; and \(faults.count - 3) more" : ""))
  }
}
