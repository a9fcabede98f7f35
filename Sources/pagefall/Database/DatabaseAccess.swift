import EventStore
import Postgres
import PrivatePostgres
import ServiceLog

/// A database that a command may use: connection options, and for the private cluster the lease that keeps it running.
///
/// Hold it as long as connections are open; the last command that lets go of the private cluster stops it.
struct DatabaseAccess: ~Copyable {
  /// How to connect.
  let options: ConnectionOptions
  private let lease: ClusterLease?

  /// What the command is going to do: decides whether a private cluster may be made.
  enum Purpose {
    /// Makes the private cluster where there is none.
    case writing
    /// Never makes one: exits 3 and says where it looked, so that a forgotten variable is not answered by an empty report.
    case reading
  }

  /// Finds the database, makes sure that its schema is the present one, and returns access to it.
  ///
  /// A private cluster is migrated on use; any other database only by `pagefall database migrate`, and the error says so.
  static func open(_ invocation: Invocation, for purpose: Purpose) throws(CommandError) -> DatabaseAccess {
    let access = try connectable(invocation, for: purpose)
    do {
      try makeCurrent(access, access.options)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return access
  }

  /// For the collector: a database that cannot be reached now is no reason not to take events, one without the schema is.
  static func openForService(_ invocation: Invocation, log: ServiceLog) throws(CommandError) -> DatabaseAccess {
    let access = try connectable(invocation, for: .writing)
    do {
      var options = access.options
      options.connectTimeout = .seconds(3)
      options.queryTimeout = .seconds(30)
      try makeCurrent(access, options)
    } catch let error as PostgresError where error.isRetryable {
      log.warning("the database cannot be reached; events are taken and loaded later", ["error": .string("\(error)")])
    } catch EventStoreError.database(let error) where error.isRetryable {
      log.warning("the database does not answer; events are taken and loaded later", ["error": .string("\(error)")])
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return access
  }

  /// Migrates a private cluster; of any other database only asks that it is up to date.
  private static func makeCurrent(_ access: borrowing DatabaseAccess, _ options: ConnectionOptions) throws {
    var connection = try PostgresConnection(options)
    if access.isPrivate {
      try Migrator.migrate(&connection)
    } else {
      try Migrator.requireUpToDate(&connection)
    }
  }

  /// The same without looking at the schema: for `database migrate`, `status` and `psql`.
  static func connectable(_ invocation: Invocation, for purpose: Purpose) throws(CommandError) -> DatabaseAccess {
    let overrides = ["fallback_application_name": invocation.command.name]
    do {
      switch DatabaseTarget(invocation) {
      case .named(let connectionString):
        return DatabaseAccess(options: try ConnectionOptions(connectionString, overrides: overrides), lease: nil)
      case .privateCluster:
        let lease = try invocation.privateCluster().acquire(purpose == .writing ? .createIfMissing : .existingOnly)
        let options = try ConnectionOptions(lease.connectionString, overrides: overrides)
        return DatabaseAccess(options: options, lease: consume lease)
      }
    } catch {
      throw DatabaseFailure.commandError(error)
    }
  }

  private init(options: ConnectionOptions, lease: consuming ClusterLease?) {
    self.options = options
    self.lease = lease
  }

  /// Whether this is the cluster that Pagefall made for itself.
  var isPrivate: Bool { lease != nil }

  /// Opens a connection.
  func connect() throws(CommandError) -> PostgresConnection {
    do {
      return try PostgresConnection(options)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
  }
}
