import Postgres

/// Locks by number, of the class 1885824620 (the letters "pgfl" as a number); the same numbers stand in sql/.
enum AdvisoryLock {
  /// Held by whoever migrates.
  static let migration = "SELECT pg_advisory_xact_lock(1885824620, 1)"
  /// Held by whoever imports categories.
  static let categories = "SELECT pg_advisory_xact_lock(1885824620, 4)"
  /// Held by every transaction that stores events; who removes events takes it exclusively. The same statement turns JIT off
  /// for the transaction (it would take a second to compile what is done in twenty milliseconds), and says that the transaction
  /// keeps the account of changes and the sessions' histories: the database stops programs of before.
  static let storing = storing(lock: "pg_advisory_xact_lock_shared")
  /// The same, held alone: while it lasts no other program stores or removes events.
  static let storingAlone = storing(lock: "pg_advisory_xact_lock")

  private static func storing(lock: String) -> String {
    """
    SELECT \(lock)(1885824620, 2), set_config('jit', 'off', true),
      set_config('pagefall.keeps_account', 'changes, histories', true)
    """
  }
}

extension PostgresConnection {
  /// Runs one statement; the module's own error.
  @discardableResult
  mutating func run(
    _ sql: String, _ parameters: [PostgresValue] = [], timeout: Duration? = nil
  ) throws(EventStoreError) -> QueryResult {
    do throws(PostgresError) {
      return try execute(sql, parameters, timeout: timeout)
    } catch {
      throw .database(error)
    }
  }

  /// Runs any number of statements; the module's own error.
  mutating func runScript(_ sql: String) throws(EventStoreError) {
    do throws(PostgresError) { try executeScript(sql) } catch { throw .database(error) }
  }

  /// Runs `body` in a transaction; the module's own error.
  mutating func inTransaction<Value>(
    readOnly: Bool = false, _ body: (inout PostgresConnection) throws(EventStoreError) -> Value
  ) throws(EventStoreError) -> Value {
    do {
      return try transaction(readOnly: readOnly) { (connection) in try body(&connection) }
    } catch {
      throw EventStoreError(wrapping: error)
    }
  }
}

/// Reads a value of a result; the module's own error.
func decoding<Value>(_ read: () throws(PostgresError) -> Value) throws(EventStoreError) -> Value {
  do throws(PostgresError) { return try read() } catch { throw .database(error) }
}
