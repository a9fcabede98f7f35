/// What can go wrong with PostgreSQL: one type for the whole module.
///
/// Decide by `kind`, `isRetryable` and `commitOutcomeUnknown`, never by texts. `description` is fit for logs; see
/// there.
public struct PostgresError: Error, Sendable {
  /// What went wrong, to decide by.
  public enum Kind: Sendable, Equatable {
    /// No connection could be made, or it was lost.
    case connection
    /// The server refused, and says why. Patterns match a code or a class: see `SQLState`.
    case server(SQLState)
    /// The server did not answer within the time given. The connection is given up.
    case timeout
    /// A `WaitInterrupt` was triggered.
    case interrupted
    /// The server sent what it must not.
    case protocolViolation
    /// A result could not be read as the type that was asked for.
    case decoding(DecodingFault)
    /// The caller asked for what cannot be, such as a statement with a zero byte.
    case usage
  }

  /// What went wrong.
  public var kind: Kind
  /// The server's grading, of errors that it sent.
  public var severity: Severity?
  /// The schema that the error is about, where the server names one.
  public var schemaName: String?
  /// The table that the error is about, where the server names one.
  public var tableName: String?
  /// The column that the error is about, where the server or the reading of a result names one.
  public var columnName: String?
  /// The constraint that said no, where there is one.
  public var constraintName: String?
  /// COMMIT was sent, and its answer never came: the transaction may or may not be stored. Look before doing it again.
  public var commitOutcomeUnknown = false

  /// Words of our own, free of values.
  var summary: String
  /// The server's primary message. It can quote values (`invalid input syntax for type integer: "…"`).
  var serverMessage: String?
  var detail: String?
  var hint: String?
  var context: String?
  var statement: String?

  init(_ kind: Kind, _ summary: String) {
    self.kind = kind
    self.summary = summary
  }

  /// The server's code, where it sent one.
  public var sqlState: SQLState? {
    switch kind {
    case .server(let state): state
    case .connection, .timeout, .interrupted, .protocolViolation, .decoding, .usage: nil
    }
  }

  /// Whether the same may succeed later, on a new connection or in a new transaction, without anybody changing
  /// anything: loss of the connection, time-outs, class 08 (without 08P01), 25006 (a former primary), 40001, 40P01,
  /// class 53, 57P0x.
  ///
  /// It says nothing of what was already done: after COMMIT look at `commitOutcomeUnknown` first.
  public var isRetryable: Bool {
    switch kind {
    case .connection, .timeout: true
    case .interrupted, .protocolViolation, .decoding, .usage: false
    case .server(let state): state.isTransient
    }
  }

  /// Whether the connection cannot be used after it.
  var endsConnection: Bool {
    switch kind {
    case .connection, .timeout, .interrupted, .protocolViolation: true
    case .server: severity?.endsSession ?? false
    case .decoding, .usage: false
    }
  }
}

extension SQLState {
  /// Whether waiting or trying again can help: see `PostgresError.isRetryable`.
  fileprivate var isTransient: Bool {
    switch self {
    // In class 08, yet a fault of the client: parameters that do not fit the statement, an option that a pooler does
    // not know.
    case .protocolViolation:
      false
    case .connectionException, .insufficientResources, .readOnlySQLTransaction, .serializationFailure,
      .deadlockDetected:
      true
    // A foreign code, not an enumeration of ours: whatever else the server says is not transient.
    default:
      code.hasPrefix("57P0")
    }
  }
}
