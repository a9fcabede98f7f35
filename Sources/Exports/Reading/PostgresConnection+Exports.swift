import Postgres

/// The calls of Postgres that run a closure and throw what it throws, whatever that is: here either side's error is an
/// `ExportError`.
extension PostgresConnection {
  /// A transaction that reads one snapshot.
  mutating func snapshot<Value>(
    _ body: (inout PostgresConnection) throws(ExportError) -> Value
  ) throws(ExportError) -> Value {
    try toldApart { try self.transaction(isolation: .repeatableRead, readOnly: true) { try body(&$0) } }
  }

  /// `copyOut`; a day with few sessions among very many may take long to find the first.
  mutating func copyDay(
    _ sql: String, _ body: (UnsafeRawBufferPointer) throws(ExportError) -> Void
  ) throws(ExportError) {
    try toldApart { try self.copyOut(sql, timeout: .seconds(600)) { try body($0) } }
  }

  /// `forEachRow`, for statements that may take long.
  mutating func forEachExportRow(
    _ sql: String, _ parameters: [PostgresValue], _ body: (borrowing QueryRow) throws(ExportError) -> Void
  ) throws(ExportError) {
    try toldApart { try self.forEachRow(sql, parameters, timeout: .seconds(600)) { try body($0) } }
  }
}

/// Gives what is rethrown its type back.
private func toldApart<Value>(_ body: () throws -> Value) throws(ExportError) -> Value {
  do {
    return try body()
  } catch let error as ExportError {
    throw error
  } catch let error as PostgresError {
    throw ExportError(error)
  } catch {
    // There is no third; only the type of what is rethrown does not say so.
    throw ExportError(.database, "the database could not be read: \(error)")
  }
}
