import Postgres

/// Why there is no set.
public struct ExportError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is; decides the exit code of a command.
  public enum Kind: Sendable, Equatable {
    /// What was asked for cannot be: a day that has not begun, an app that is not there, a directory of another zone.
    case usage
    /// Another run holds the directory.
    case busy
    /// A file or directory cannot be read or written.
    case file
    /// The database could not be read; `cause` says why.
    case database
    /// The counts contradict each other: nothing of them may be written.
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
}
