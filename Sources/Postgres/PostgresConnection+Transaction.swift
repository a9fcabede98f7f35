/// How far a transaction is kept apart from others (PostgreSQL documentation, chapter 13).
public enum IsolationLevel: Sendable {
  /// Each statement sees what is committed when it starts.
  case readCommitted
  /// All statements see what was committed when the transaction began.
  case repeatableRead
  /// As if transactions ran one after another; may fail with 40001.
  case serializable

  fileprivate var sql: String {
    switch self {
    case .readCommitted: "READ COMMITTED"
    case .repeatableRead: "REPEATABLE READ"
    case .serializable: "SERIALIZABLE"
    }
  }
}

extension PostgresConnection {
  /// Runs `body` in a transaction: committed where it returns, rolled back where it throws (its error is then thrown,
  /// whatever the rollback says).
  ///
  /// Where the connection is lost, or a limit passes, between sending COMMIT and its answer, the error has
  /// `commitOutcomeUnknown`. A transaction in which a statement failed cannot be committed: where `body` kept that
  /// error to itself, this throws `.server(.inFailedSQLTransaction)`.
  ///
  /// - Parameter timeout: of BEGIN, COMMIT and ROLLBACK each; nil takes `ConnectionOptions.queryTimeout`.
  public mutating func transaction<Value>(
    isolation: IsolationLevel = .readCommitted, readOnly: Bool = false, timeout: Duration? = nil,
    _ body: (inout PostgresConnection) throws -> Value
  ) throws -> Value {
    try checkUsable()
    guard transactionStatus == .idle else { throw PostgresError(.usage, "a transaction is already under way") }
    try execute("BEGIN ISOLATION LEVEL \(isolation.sql) \(readOnly ? "READ ONLY" : "READ WRITE")", timeout: timeout)
    let value: Value
    do {
      value = try body(&self)
    } catch {
      rollBack(timeout: timeout)
      throw error
    }
    try commit(timeout: timeout)
    return value
  }

  private mutating func commit(timeout: Duration?) throws(PostgresError) {
    switch transactionStatus {
    case .inTransaction: break
    case .failed:
      rollBack(timeout: timeout)
      throw PostgresError(
        .server(.inFailedSQLTransaction), "a statement of the transaction had failed, so it was rolled back")
    case .idle:
      throw PostgresError(.usage, "the transaction was ended inside of its own body")
    case .active, .unknown:
      isGivenUp = true
      throw PostgresError(.connection, "the connection was lost within the transaction, which was not committed")
    }
    do throws(PostgresError) {
      try checkUsable()
      try session.send(script: "COMMIT")
    } catch {
      // COMMIT never left: closing the connection rolls back.
      isGivenUp = true
      throw error
    }
    do throws(PostgresError) {
      let result = try session.finishStatement(within: .total(timeout ?? options.queryTimeout))
      if result.commandTag != "COMMIT" {
        throw PostgresError(.server(.transactionRollback), "the server rolled the transaction back")
      }
    } catch {
      settle(after: error)
      var complete = error
      complete.statement = "COMMIT"
      complete.commitOutcomeUnknown = error.leavesCommitOpen
      throw complete
    }
  }

  /// Ends the transaction; where that fails the connection is given up, which ends it too.
  private mutating func rollBack(timeout: Duration?) {
    guard transactionStatus != .idle else { return }
    do throws(PostgresError) {
      try execute("ROLLBACK", timeout: timeout)
    } catch {
      isGivenUp = true
    }
  }
}

extension PostgresError {
  /// Whether a COMMIT that ended so may have been carried out: its answer is missing, or says that nobody knows. A
  /// session that ends (FATAL) may end after its commit was written.
  fileprivate var leavesCommitOpen: Bool {
    endsConnection || kind == .server(.transactionResolutionUnknown) || kind == .server(.statementCompletionUnknown)
  }
}
