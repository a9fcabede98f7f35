// The conditions that programs meet and decide by; the names are PostgreSQL's (documentation, appendix A).

/// Classes: as a pattern each matches all its codes.
extension SQLState {
  /// Class 00: success.
  public static let successfulCompletion = SQLState(known: "00000")
  /// Class 01: a warning; the statement did what it should.
  public static let warningClass = SQLState(known: "01000")
  /// Class 08: any trouble with the connection.
  public static let connectionException = SQLState(known: "08000")
  /// Class 0A: something this server cannot do.
  public static let featureNotSupported = SQLState(known: "0A000")
  /// Class 22: a value that a type or function does not take.
  public static let dataException = SQLState(known: "22000")
  /// Class 23: a constraint said no.
  public static let integrityConstraintViolation = SQLState(known: "23000")
  /// Class 25: not possible in this state of the transaction.
  public static let wrongTransactionStatus = SQLState(known: "25000")
  /// Class 28: who connects was not accepted.
  public static let invalidAuthorizationSpecification = SQLState(known: "28000")
  /// Class 40: the transaction has to be run again.
  public static let transactionRollback = SQLState(known: "40000")
  /// Class 42: a wrong statement, or a missing right.
  public static let syntaxErrorOrAccessRuleViolation = SQLState(known: "42000")
  /// Class 53: the server lacks memory, disk or connections.
  public static let insufficientResources = SQLState(known: "53000")
  /// Class 54: beyond a fixed limit of the server.
  public static let programLimitExceeded = SQLState(known: "54000")
  /// Class 55: the object is not in the needed state.
  public static let objectNotReady = SQLState(known: "55000")
  /// Class 57: somebody stopped it.
  public static let operatorIntervention = SQLState(known: "57000")
  /// Class 58: an error outside PostgreSQL, such as I/O.
  public static let systemError = SQLState(known: "58000")
  /// Class P0: an error of PL/pgSQL.
  public static let raisedByFunction = SQLState(known: "P0000")
  /// Class XX: a fault inside the server.
  public static let internalError = SQLState(known: "XX000")
}

/// Single conditions.
extension SQLState {
  /// `connection_failure`
  public static let connectionFailure = SQLState(known: "08006")
  /// `connection_does_not_exist`
  public static let connectionDoesNotExist = SQLState(known: "08003")
  /// `sqlclient_unable_to_establish_sqlconnection`
  public static let cannotEstablishConnection = SQLState(known: "08001")
  /// `sqlserver_rejected_establishment_of_sqlconnection`
  public static let connectionRejected = SQLState(known: "08004")
  /// `transaction_resolution_unknown`
  public static let transactionResolutionUnknown = SQLState(known: "08007")
  /// `protocol_violation`
  public static let protocolViolation = SQLState(known: "08P01")
  /// `cardinality_violation`
  public static let cardinalityViolation = SQLState(known: "21000")
  /// `string_data_right_truncation`
  public static let stringDataRightTruncation = SQLState(known: "22001")
  /// `numeric_value_out_of_range`
  public static let numericValueOutOfRange = SQLState(known: "22003")
  /// `datetime_field_overflow`
  public static let datetimeFieldOverflow = SQLState(known: "22008")
  /// `division_by_zero`
  public static let divisionByZero = SQLState(known: "22012")
  /// `character_not_in_repertoire`
  public static let characterNotInRepertoire = SQLState(known: "22021")
  /// `invalid_parameter_value`
  public static let invalidParameterValue = SQLState(known: "22023")
  /// `invalid_text_representation`
  public static let invalidTextRepresentation = SQLState(known: "22P02")
  /// `invalid_binary_representation`
  public static let invalidBinaryRepresentation = SQLState(known: "22P03")
  /// `bad_copy_file_format`
  public static let badCopyFileFormat = SQLState(known: "22P04")
  /// `untranslatable_character`
  public static let untranslatableCharacter = SQLState(known: "22P05")
  /// `not_null_violation`
  public static let notNullViolation = SQLState(known: "23502")
  /// `foreign_key_violation`
  public static let foreignKeyViolation = SQLState(known: "23503")
  /// `unique_violation`
  public static let uniqueViolation = SQLState(known: "23505")
  /// `check_violation`
  public static let checkViolation = SQLState(known: "23514")
  /// `exclusion_violation`
  public static let exclusionViolation = SQLState(known: "23P01")
  /// `active_sql_transaction`
  public static let activeSQLTransaction = SQLState(known: "25001")
  /// `read_only_sql_transaction`
  public static let readOnlySQLTransaction = SQLState(known: "25006")
  /// `no_active_sql_transaction`
  public static let noActiveSQLTransaction = SQLState(known: "25P01")
  /// `in_failed_sql_transaction`
  public static let inFailedSQLTransaction = SQLState(known: "25P02")
  /// `idle_in_transaction_session_timeout`
  public static let idleInTransactionSessionTimeout = SQLState(known: "25P03")
  /// `invalid_password`
  public static let invalidPassword = SQLState(known: "28P01")
  /// `invalid_catalog_name`
  public static let invalidCatalogName = SQLState(known: "3D000")
  /// `invalid_schema_name`
  public static let invalidSchemaName = SQLState(known: "3F000")
  /// `serialization_failure`
  public static let serializationFailure = SQLState(known: "40001")
  /// `statement_completion_unknown`
  public static let statementCompletionUnknown = SQLState(known: "40003")
  /// `deadlock_detected`
  public static let deadlockDetected = SQLState(known: "40P01")
  /// `insufficient_privilege`
  public static let insufficientPrivilege = SQLState(known: "42501")
  /// `syntax_error`
  public static let syntaxError = SQLState(known: "42601")
  /// `undefined_column`
  public static let undefinedColumn = SQLState(known: "42703")
  /// `datatype_mismatch`
  public static let datatypeMismatch = SQLState(known: "42804")
  /// `undefined_function`
  public static let undefinedFunction = SQLState(known: "42883")
  /// `undefined_table`
  public static let undefinedTable = SQLState(known: "42P01")
  /// `undefined_object`
  public static let undefinedObject = SQLState(known: "42704")
  /// `duplicate_database`
  public static let duplicateDatabase = SQLState(known: "42P04")
  /// `duplicate_schema`
  public static let duplicateSchema = SQLState(known: "42P06")
  /// `duplicate_table`
  public static let duplicateTable = SQLState(known: "42P07")
  /// `duplicate_object`
  public static let duplicateObject = SQLState(known: "42710")
  /// `duplicate_function`
  public static let duplicateFunction = SQLState(known: "42723")
  /// `duplicate_prepared_statement`
  public static let duplicatePreparedStatement = SQLState(known: "42P05")
  /// `invalid_sql_statement_name`
  public static let undefinedPreparedStatement = SQLState(known: "26000")
  /// `disk_full`
  public static let diskFull = SQLState(known: "53100")
  /// `out_of_memory`
  public static let outOfMemory = SQLState(known: "53200")
  /// `too_many_connections`
  public static let tooManyConnections = SQLState(known: "53300")
  /// `object_in_use`
  public static let objectInUse = SQLState(known: "55006")
  /// `lock_not_available`
  public static let lockNotAvailable = SQLState(known: "55P03")
  /// `query_canceled`
  public static let queryCanceled = SQLState(known: "57014")
  /// `admin_shutdown`
  public static let adminShutdown = SQLState(known: "57P01")
  /// `crash_shutdown`
  public static let crashShutdown = SQLState(known: "57P02")
  /// `cannot_connect_now`
  public static let cannotConnectNow = SQLState(known: "57P03")
  /// `database_dropped`
  public static let databaseDropped = SQLState(known: "57P04")
  /// `idle_session_timeout`
  public static let idleSessionTimeout = SQLState(known: "57P05")
  /// `io_error`
  public static let inputOutputError = SQLState(known: "58030")
  /// `raise_exception`
  public static let raiseException = SQLState(known: "P0001")
  /// `assert_failure`
  public static let assertFailure = SQLState(known: "P0004")
  /// `data_corrupted`
  public static let dataCorrupted = SQLState(known: "XX001")
  /// `index_corrupted`
  public static let indexCorrupted = SQLState(known: "XX002")
}

extension SQLState {
  /// PostgreSQL's name of the condition; nil for a code that has no constant here.
  var conditionName: String? { Self.conditionNames[code] }

  private static let conditionNames: [String: String] = [
    "00000": "successful_completion",
    "01000": "warning",
    "08000": "connection_exception",
    "08001": "sqlclient_unable_to_establish_sqlconnection",
    "08003": "connection_does_not_exist",
    "08004": "sqlserver_rejected_establishment_of_sqlconnection",
    "08006": "connection_failure",
    "08007": "transaction_resolution_unknown",
    "08P01": "protocol_violation",
    "0A000": "feature_not_supported",
    "21000": "cardinality_violation",
    "22000": "data_exception",
    "22001": "string_data_right_truncation",
    "22003": "numeric_value_out_of_range",
    "22008": "datetime_field_overflow",
    "22012": "division_by_zero",
    "22021": "character_not_in_repertoire",
    "22023": "invalid_parameter_value",
    "22P02": "invalid_text_representation",
    "22P03": "invalid_binary_representation",
    "22P04": "bad_copy_file_format",
    "22P05": "untranslatable_character",
    "23000": "integrity_constraint_violation",
    "23502": "not_null_violation",
    "23503": "foreign_key_violation",
    "23505": "unique_violation",
    "23514": "check_violation",
    "23P01": "exclusion_violation",
    "25000": "invalid_transaction_state",
    "25001": "active_sql_transaction",
    "25006": "read_only_sql_transaction",
    "25P01": "no_active_sql_transaction",
    "25P02": "in_failed_sql_transaction",
    "25P03": "idle_in_transaction_session_timeout",
    "26000": "invalid_sql_statement_name",
    "28000": "invalid_authorization_specification",
    "28P01": "invalid_password",
    "3D000": "invalid_catalog_name",
    "3F000": "invalid_schema_name",
    "40000": "transaction_rollback",
    "40001": "serialization_failure",
    "40003": "statement_completion_unknown",
    "40P01": "deadlock_detected",
    "42000": "syntax_error_or_access_rule_violation",
    "42501": "insufficient_privilege",
    "42601": "syntax_error",
    "42703": "undefined_column",
    "42704": "undefined_object",
    "42710": "duplicate_object",
    "42723": "duplicate_function",
    "42804": "datatype_mismatch",
    "42883": "undefined_function",
    "42P01": "undefined_table",
    "42P04": "duplicate_database",
    "42P05": "duplicate_prepared_statement",
    "42P06": "duplicate_schema",
    "42P07": "duplicate_table",
    "53000": "insufficient_resources",
    "53100": "disk_full",
    "53200": "out_of_memory",
    "53300": "too_many_connections",
    "54000": "program_limit_exceeded",
    "55000": "object_not_in_prerequisite_state",
    "55006": "object_in_use",
    "55P03": "lock_not_available",
    "57000": "operator_intervention",
    "57014": "query_canceled",
    "57P01": "admin_shutdown",
    "57P02": "crash_shutdown",
    "57P03": "cannot_connect_now",
    "57P04": "database_dropped",
    "57P05": "idle_session_timeout",
    "58000": "system_error",
    "58030": "io_error",
    "P0000": "plpgsql_error",
    "P0001": "raise_exception",
    "P0004": "assert_failure",
    "XX000": "internal_error",
    "XX001": "data_corrupted",
    "XX002": "index_corrupted",
  ]
}
