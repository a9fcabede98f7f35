import CLibPQ

/// The fields of a server's message by which they are asked for (protocol documentation, "Error and Notice Message
/// Fields"). libpq has them as character macros, which Swift does not see.
enum MessageField {
  static let severity = Int32(UInt8(ascii: "V"))
  static let severityInServerLanguage = Int32(UInt8(ascii: "S"))
  static let sqlState = Int32(UInt8(ascii: "C"))
  static let primaryMessage = Int32(UInt8(ascii: "M"))
  static let detail = Int32(UInt8(ascii: "D"))
  static let hint = Int32(UInt8(ascii: "H"))
  static let context = Int32(UInt8(ascii: "W"))
  static let schemaName = Int32(UInt8(ascii: "s"))
  static let tableName = Int32(UInt8(ascii: "t"))
  static let columnName = Int32(UInt8(ascii: "c"))
  static let constraintName = Int32(UInt8(ascii: "n"))

  static func text(_ field: Int32, of result: OpaquePointer) -> String? {
    PQresultErrorField(result, field).map { String(cString: $0) }
  }

  static func severity(of result: OpaquePointer) -> Severity? {
    (text(severity, of: result) ?? text(severityInServerLanguage, of: result)).map(Severity.init(serverWord:))
  }
}

extension PostgresError {
  /// From a failed result: the server's error, or libpq's own where the connection broke.
  init(failedResult result: OpaquePointer, connection: OpaquePointer) {
    let code = MessageField.text(MessageField.sqlState, of: result)
    if let state = code.flatMap(SQLState.init(_:)) {
      self.init(.server(state), "")
    } else if PQstatus(connection) == CONNECTION_BAD {
      self.init(.connection, "the connection to the server was lost")
    } else {
      self.init(.protocolViolation, "the server's answer could not be understood")
    }
    severity = MessageField.severity(of: result)
    serverMessage =
      MessageField.text(MessageField.primaryMessage, of: result)
      ?? PQresultErrorMessage(result).map { String(cString: $0) }
    detail = MessageField.text(MessageField.detail, of: result)
    hint = MessageField.text(MessageField.hint, of: result)
    context = MessageField.text(MessageField.context, of: result)
    schemaName = MessageField.text(MessageField.schemaName, of: result)
    tableName = MessageField.text(MessageField.tableName, of: result)
    columnName = MessageField.text(MessageField.columnName, of: result)
    constraintName = MessageField.text(MessageField.constraintName, of: result)
  }

  /// The connection broke: libpq's own words are kept for debugging.
  init(brokenConnection connection: OpaquePointer) {
    self.init(.connection, "the connection to the server was lost")
    serverMessage = String(cString: PQerrorMessage(connection))
  }
}
