import EventStore
import Foundation
import Postgres
import PrivatePostgres

/// `pagefall database migrate`: brings the schema to the present version.
enum DatabaseMigrateCommand {
  static let printSQL = Option("print-sql", help: "print the SQL of every migration and do nothing")

  static let command = Command(
    "database", "migrate", summary: "Make or update the tables", options: [printSQL],
    discussion: """
      Migrations go forward only, each in a transaction, under a lock, so that two at once
      do no harm. Needs the right to create tables; no superuser.
      """,
    examples: ["pagefall database migrate --database postgresql://db.example/stories"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    if try invocation.flag(printSQL) {
      try Console.print(Migrator.printSQL())
      return .success
    }
    let access = try DatabaseAccess.connectable(invocation, for: .writing)
    var connection = try access.connect()
    do {
      for migration in try Migrator.migrate(&connection) { try Console.print("applied \(migration.name)\n") }
      try Console.print("the schema is at version \(Migrator.latestVersion)\n")
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }
}

/// `pagefall database status`: which database, whether it answers, and where its schema stands.
enum DatabaseStatusCommand {
  static let command = Command(
    "database", "status", summary: "Say which database is used and where its schema stands",
    discussion: "Exits 3 where there is no database, or its schema is not the present one.", run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let access = try DatabaseAccess.connectable(invocation, for: .reading)
    var connection = try access.connect()
    var text = "database:   \(access.isPrivate ? "private, under \(invocation.dataDirectory)" : "as configured")\n"
    text += "connection: \(access.options.redacted)\n"
    text += "server:     PostgreSQL \(connection.parameterStatus("server_version") ?? "of unknown version")\n"
    let status: SchemaStatus
    do {
      status = try Migrator.status(&connection)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    text += "schema:     version \(Migrator.latestVersion) is wanted; \(status)\n"
    try Console.print(text)
    return status == .upToDate ? .success : .environment
  }
}

/// `pagefall database start`: starts the private PostgreSQL and keeps it running after the command.
enum DatabaseStartCommand {
  static let command = Command(
    "database", "start", summary: "Start the private PostgreSQL and keep it running",
    discussion: """
      Without this, commands start it when they need it and the last one stops it.
      `pagefall database stop` ends it.
      """, run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard DatabaseTarget(invocation) == .privateCluster else {
      throw .usage("database start is for the private PostgreSQL; another database is configured")
    }
    do {
      try Console.print(describe(try invocation.privateCluster().start(keepRunning: true)))
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }

  private static func describe(_ status: ClusterStatus) -> String {
    switch status {
    case .absent(let path): "no private PostgreSQL in \(path)\n"
    case .stopped(let directory, _): "the private PostgreSQL in \(directory) is stopped\n"
    case .running(_, let version, let process, _, let connection):
      "PostgreSQL \(version) runs as process \(process)\nconnection: \(connection)\n"
    }
  }
}

/// `pagefall database stop`: stops the private PostgreSQL.
enum DatabaseStopCommand {
  static let command = Command(
    "database", "stop", summary: "Stop the private PostgreSQL",
    discussion: "Commands that use it lose their connection; a collector goes on and loads later.", run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard DatabaseTarget(invocation) == .privateCluster else {
      throw .usage("database stop is for the private PostgreSQL; another database is configured")
    }
    do {
      let wasRunning = try invocation.privateCluster().stop()
      try Console.print(wasRunning ? "stopped\n" : "it was not running\n")
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }
}

/// `pagefall database psql`: PostgreSQL's own terminal on the database that the other commands use.
enum DatabasePsqlCommand {
  static let command = Command(
    "database", "psql", summary: "Open psql on the database", operands: "[-- ARGUMENTS]",
    examples: ["pagefall database psql -- -c 'SELECT count(*) FROM events'"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    if let surplus = invocation.operands.first {
      throw .usage("write psql's own arguments behind --, as in: pagefall database psql -- \(surplus)")
    }
    let arguments = invocation.arguments.passedThrough
    let status: Int32
    do {
      switch DatabaseTarget(invocation) {
      case .privateCluster:
        let lease = try invocation.privateCluster().acquire(.existingOnly)
        status = try lease.runClient(arguments: arguments)
      case .named(let connectionString):
        status = try Self.runPsql(try ConnectionOptions(connectionString), arguments)
      }
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    switch status {
    case 0: return .success
    // psql's own: it got no connection, or lost it.
    case 2: return .environment
    case _: return .dataFault
    }
  }

  /// A password goes by the environment: arguments can be read by everybody on the machine.
  private static func runPsql(
    _ options: ConnectionOptions, _ arguments: [String]
  ) throws(PrivatePostgresError) -> Int32 {
    let password = options["password"].map { ["PGPASSWORD=\($0)"] } ?? []
    return try ForegroundClient.run(
      "psql", arguments: ["--dbname", options.connectionString(without: ["password"])] + arguments,
      variables: password, removing: password.isEmpty ? [] : ["PGPASSWORD="])
  }
}
