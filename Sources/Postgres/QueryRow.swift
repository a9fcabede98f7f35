import CLibPQ

/// One row of a result, lent to a closure. It cannot be kept; its values can.
public struct QueryRow: ~Copyable {
  /// Owned by the `QueryResult` that lends this row.
  private let result: OpaquePointer
  private let row: Int32

  init(of result: OpaquePointer, row: Int32) {
    self.result = result
    self.row = row
  }

  /// The number of columns.
  public var columnCount: Int { Int(PQnfields(result)) }

  /// A value, by the place of its column from 0. See `value(_:column:)`.
  public subscript<Value: PostgresDecodable>(column: Int) -> Value {
    get throws(PostgresError) { try value(column: column) }
  }

  /// A value, by the name of its column. See `value(_:column:)`.
  public subscript<Value: PostgresDecodable>(column: String) -> Value {
    get throws(PostgresError) { try value(column: column) }
  }

  /// Whether a value is NULL.
  ///
  /// - Throws: `.usage` for a column that is not there.
  public func isNull(column: Int) throws(PostgresError) -> Bool {
    try cell(column).bytes == nil
  }

  /// A value as a Swift type: an optional takes NULL as nil.
  ///
  /// - Throws: `.decoding` with the column's name where the value is not of that type; `.usage` for a column that is
  ///   not there.
  public func value<Value: PostgresDecodable>(
    _ type: Value.Type = Value.self, column: Int
  ) throws(PostgresError) -> Value {
    let cell = try cell(column)
    do throws(DecodingFault) {
      return try Value.decode(cell)
    } catch {
      let name = PQfname(result, Int32(column)).map { String(cString: $0) }
      var failure = PostgresError(
        .decoding(error), "column \(column) (type \(cell.type)) \(error.text), read as \(Value.self)")
      failure.columnName = name
      throw failure
    }
  }

  /// A value as a Swift type, by the exact name of its column; of equal names the first.
  public func value<Value: PostgresDecodable>(
    _ type: Value.Type = Value.self, column: String
  ) throws(PostgresError) -> Value {
    try value(column: try index(of: column))
  }

  private func cell(_ column: Int) throws(PostgresError) -> PostgresCell {
    guard column >= 0 && column < columnCount else {
      throw PostgresError(.usage, "the result has \(columnCount) columns, column \(column) is not among them")
    }
    let index = Int32(column)
    let isNull = PQgetisnull(result, row, index) != 0
    return PostgresCell(
      type: PQftype(result, index), format: PQfformat(result, index) == 1 ? .binary : .text,
      bytes: isNull
        ? nil
        : UnsafeRawBufferPointer(start: PQgetvalue(result, row, index), count: Int(PQgetlength(result, row, index))))
  }

  /// Not PQfnumber, which folds the case of names.
  private func index(of column: String) throws(PostgresError) -> Int {
    for index in 0..<PQnfields(result) {
      if let name = PQfname(result, index), String(cString: name) == column { return Int(index) }
    }
    throw PostgresError(.usage, "the result has no column of the name \(column.onOneLine)")
  }
}
