import Postgres
import Reports

/// Why there is no set.
package struct ExportError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is; decides the exit code of a command.
  package enum Kind: Sendable, Equatable {
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
  package var kind: Kind
  /// What the database said, of `.database`.
  package var cause: PostgresError?
  /// One line that says what is wrong and what to do.
  package var description: String

  init(_ kind: Kind, _ description: String, cause: PostgresError? = nil) {
    self.kind = kind
    self.description = description
    self.cause = cause
  }

  /// The database could not be read.
  init(_ error: PostgresError) {
    self.init(.database, "the day could not be read from the database: \(error.description)", cause: error)
  }

  /// What an export asks of the reports' reading.
  init(_ error: ReportError) {
    switch error.kind {
    case .usage: self.init(.usage, error.description)
    case .database: self.init(.database, error.description, cause: error.cause)
    case .conservation: self.init(.conservation, error.description)
    }
  }

  /// A row that is not as this version asked for it.
  init(_ error: CopyRowReader.Damaged) {
    self.init(.database, "the database sent a row that this version cannot read; migrate it, or update pagefall")
  }
}

/// Runs a call to the database, and makes its error one of an export.
func reading<Value>(_ body: () throws(PostgresError) -> Value) throws(ExportError) -> Value {
  do { return try body() } catch { throw ExportError(error) }
}
