import Synchronization

/// A fresh database in the shared server for one test; dropped when it is let go.
public final class TestDatabase: Sendable {
  /// Its name, unique in the process.
  public let name: String
  /// How libpq connects to it.
  public let connectionString: String

  private static let nextNumber = Atomic<Int>(1)

  /// Templates by key. Held while one is prepared, so that each is prepared once.
  private static let templates = Mutex<[String: String]>([:])

  /// An empty database.
  public convenience init() throws { try self.init(template: nil) }

  /// A copy of a database that was prepared once in this process.
  /// - Parameters:
  ///   - key: names the preparation.
  ///   - prepare: gets the connection string of an empty database; its connections must be closed when it returns.
  public convenience init(template key: String, _ prepare: (String) throws -> Void) throws {
    let template = try Self.templates.withLock { templates in
      if let made = templates[key] { return made }
      let server = try TestServer.shared
      let name = "template_\(templates.count + 1)"
      _ = try server.administrate("CREATE DATABASE \(name)")
      do {
        try prepare(server.connectionString(database: name))
      } catch {
        _ = try? server.administrate("DROP DATABASE \(name) WITH (FORCE)")
        throw error
      }
      templates[key] = name
      return name
    }
    try self.init(template: template)
  }

  private init(template: String?) throws {
    let server = try TestServer.shared
    name = "test_\(Self.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)"
    connectionString = server.connectionString(database: name)
    _ = try server.administrate("CREATE DATABASE \(name)" + (template.map { " TEMPLATE \($0)\(server.copying)" } ?? ""))
  }

  deinit { _ = try? TestServer.shared.administrate("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }

  /// Runs SQL with the program `psql`.
  /// - Returns: the rows, a line each, columns parted by `|`.
  public func psql(_ sql: String) throws -> String { try Psql.run(sql, connectionString: connectionString) }
}
