import EventStore
import Postgres
import TestSupport

/// A migrated database of a test's own.
func makeDatabase() throws -> TestDatabase {
  try TestDatabase(template: "migrated") { connectionString in
    var connection = try PostgresConnection(ConnectionOptions(connectionString))
    try Migrator.migrate(&connection)
  }
}

/// A connection to it.
func connect(_ database: TestDatabase, overrides: [String: String] = [:]) throws -> PostgresConnection {
  try PostgresConnection(ConnectionOptions(database.connectionString, overrides: overrides))
}

/// A connection to a migrated database of a test's own; the database lives as long as `body` runs.
@discardableResult
func withConnection<Value>(_ body: (inout PostgresConnection) throws -> Value) throws -> Value {
  let database = try makeDatabase()
  return try withExtendedLifetime(database) {
    var connection = try connect(database)
    return try body(&connection)
  }
}
