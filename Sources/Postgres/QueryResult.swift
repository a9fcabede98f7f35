import CLibPQ

/// A result of a statement, whole in memory, freed when it goes out of scope. It does not need the connection any more.
///
/// ```swift
/// let result = try connection.execute("SELECT id, name FROM apps")
/// for row in 0..<result.rowCount {
///   let id: Int64 = try result[row, "id"]
///   let name: String? = try result[row, "name"]
/// ```
public struct QueryResult: ~Copyable {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    PQclear(pointer)
  }

  /// The number of rows; 0 for a statement that returns none.
  public var rowCount: Int { Int(PQntuples(pointer)) }

  /// The number of columns; 0 for a statement that returns none.
  public var columnCount: Int { Int(PQnfields(pointer)) }

  /// The columns' names in their order; names may repeat.
  public var columnNames: [String] {
    (0..<PQnfields(pointer)).map { index in PQfname(pointer, index).map { String(cString: $0) } ?? "" }
  }

  /// The number of rows that the statement inserted, updated, deleted, copied or selected; 0 where it counts none.
  public var affectedRows: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// What the server calls what it did, such as `INSERT 0 1`.
  public var commandTag: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

  var status: ExecStatusType { PQresultStatus(pointer) }

  var isFailure: Bool {
    let status = status
    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE || status == PGRES_NONFATAL_ERROR
  }
}

/// `@unchecked Sendable`: libpq does not change a result after it was made, and documents reading one as thread-safe.
extension QueryResult: @unchecked Sendable {}

extension QueryResult {
  /// Whether a value is NULL.
  ///
  /// - Throws: `.usage` for a row or column that is not there.
  public func isNull(row: Int, column: Int) throws(PostgresError) -> Bool {
    try cells(row).isNull(column: column)
  }

  /// A value, by the place of its column from 0. See `value(_:row:column:)`.
  public subscript<Value: PostgresDecodable>(row: Int, column: Int) -> Value {
    get throws(PostgresError) { try cells(row).value(column: column) }
  }

  /// A value, by the name of its column. See `value(_:row:column:)`.
  public subscript<Value: PostgresDecodable>(row: Int, column: String) -> Value {
    get throws(PostgresError) { try cells(row).value(column: column) }
  }

  /// A value as a Swift type: an optional takes NULL as nil.
  ///
  /// - Throws: `.decoding` with the column's name where the value is not of that type; `.usage` for a row or column
  ///   that is not there.
  public func value<Value: PostgresDecodable>(
    _ type: Value.Type = Value.self, row: Int, column: Int
  ) throws(PostgresError) -> Value {
    try cells(row).value(column: column)
  }

  /// A value as a Swift type, by the exact name of its column; of equal names the first.
  public func value<Value: PostgresDecodable>(
    _ type: Value.Type = Value.self, row: Int, column: String
  ) throws(PostgresError) -> Value {
    try cells(row).value(column: column)
  }

  /// Calls `body` with each row.
  public func forEachRow(_ body: (borrowing QueryRow) throws -> Void) rethrows {
    for row in 0..<rowCount { try body(QueryRow(of: pointer, row: Int32(row))) }
  }

  private func cells(_ row: Int) throws(PostgresError) -> QueryRow {
    guard row >= 0 && row < rowCount else {
      throw PostgresError(.usage, "the result has \(rowCount) rows, row \(row) is not among them")
    }
    return QueryRow(of: pointer, row: Int32(row))
  }
}
