import Postgres

/// Brings a database's tables to the state that this program works with: forward only, each migration in a transaction of its
/// own, under a lock so that two programs never migrate at once. Works through PgBouncer in transaction mode.
public enum Migrator {
  /// The number of the newest migration that this program carries.
  public static var latestVersion: Int { Migration.all.count }

  /// How the database stands to this program.
  ///
  /// - Throws: `.migrationChanged` where an applied migration is not the one of this program, `.database`.
  public static func status(_ connection: inout PostgresConnection) throws(EventStoreError) -> SchemaStatus {
    let applied = try appliedVersions(&connection)
    let unknown = applied.filter { $0 > latestVersion }.count
    if unknown > 0 { return .ahead(unknown) }
    if applied.isEmpty { return .missing }
    return applied.count == latestVersion ? .upToDate : .behind(latestVersion - applied.count)
  }

  /// Throws `.schema` unless the database is up to date: what every command but `database migrate` asks first.
  public static func requireUpToDate(_ connection: inout PostgresConnection) throws(EventStoreError) {
    let status = try status(&connection)
    if status != .upToDate { throw .schema(status) }
  }

  /// What `migrate` would apply, in order.
  ///
  /// - Throws: as `status`, and `.schema(.ahead)` where the database is newer than this program.
  public static func plan(_ connection: inout PostgresConnection) throws(EventStoreError) -> [Migration] {
    let applied = try appliedVersions(&connection)
    let unknown = applied.filter { $0 > latestVersion }.count
    if unknown > 0 { throw .schema(.ahead(unknown)) }
    return Migration.all.filter { !applied.contains($0.version) }
  }

  /// Applies what is missing.
  ///
  /// - Returns: what was applied; empty where the database was up to date.
  /// - Throws: as `plan`; `.unsuitableEncoding`. What was applied before an error stays applied.
  @discardableResult
  public static func migrate(_ connection: inout PostgresConnection) throws(EventStoreError) -> [Migration] {
    if let encoding = connection.parameterStatus("server_encoding"), encoding != "UTF8" {
      throw .unsuitableEncoding(encoding)
    }
    if try appliedVersions(&connection).isEmpty { try apply(bookkeeping, &connection) }
    var done: [Migration] = []
    for migration in try plan(&connection) where try apply(migration, &connection) {
      done.append(migration)
    }
    return done
  }

  /// Everything that `migrate` would do to an empty database, to be read or to be run with psql.
  public static func printSQL() -> String {
    var text = """
      -- Pagefall's tables, for PostgreSQL 13 and later. Run this as the owner-to-be, or let 'pagefall database migrate' do it.
      -- Afterwards, where other roles load and read (all of it can be repeated):
      --   SELECT pagefall.grant_ingest('the role of pagefall serve and pagefall ingest');
      --   SELECT pagefall.grant_report('the role of those who read');

      BEGIN;
      \(bookkeeping)
      COMMIT;

      """
    for migration in Migration.all {
      text += "\n-- \(migration.name)\nBEGIN;\n\(AdvisoryLock.migration);\n\(migration.sql)"
      text += "\(record(migration));\nCOMMIT;\n"
    }
    return text
  }

  /// The schema and the table of what was applied; nothing where they are there. (CREATE SCHEMA IF NOT EXISTS would ask
  /// for the right to create one even then.)
  private static let bookkeeping = """
    \(AdvisoryLock.migration);
    DO $$ BEGIN
      IF to_regnamespace('pagefall') IS NULL THEN
        CREATE SCHEMA pagefall;
        COMMENT ON SCHEMA pagefall IS 'Pagefall: funnels of push stories.';
      END IF;
      IF to_regclass('pagefall.migrations') IS NULL THEN
        CREATE TABLE pagefall.migrations (
          version integer PRIMARY KEY,
          name text NOT NULL,
          checksum bytea NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT now()
        );
        COMMENT ON TABLE pagefall.migrations IS 'The migrations that were applied.';
      END IF;
    END $$;
    """

  private static func record(_ migration: Migration) -> String {
    let checksum = HexadecimalText.text(migration.checksum)
    return "INSERT INTO pagefall.migrations (version, name, checksum) "
      + "VALUES (\(migration.version), '\(migration.name)', '\\x\(checksum)')"
  }

  private static func apply(_ script: String, _ connection: inout PostgresConnection) throws(EventStoreError) {
    try connection.inTransaction { (connection) throws(EventStoreError) in
      try connection.runScript(script)
    }
  }

  /// Applies one migration; false where somebody else did while this waited for the lock.
  private static func apply(
    _ migration: Migration, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> Bool {
    try connection.inTransaction { (connection) throws(EventStoreError) in
      try connection.run(AdvisoryLock.migration)
      let present = try connection.run(
        "SELECT FROM pagefall.migrations WHERE version = $1", [.int32(Int32(migration.version))])
      if present.rowCount > 0 { return false }
      try connection.runScript(migration.sql)
      try connection.run(record(migration))
      return true
    }
  }

  /// The versions that the database has, checked against this program's own.
  private static func appliedVersions(_ connection: inout PostgresConnection) throws(EventStoreError) -> Set<Int> {
    let table = try connection.run("SELECT to_regclass('pagefall.migrations') IS NOT NULL")
    guard try decoding({ () throws(PostgresError) -> Bool in try table[0, 0] }) else { return [] }
    let result = try connection.run("SELECT version, name, checksum FROM pagefall.migrations")
    var versions: Set<Int> = []
    for row in 0..<result.rowCount {
      let version = try decoding { () throws(PostgresError) -> Int32 in try result[row, 0] }
      let checksum = try decoding { () throws(PostgresError) -> [UInt8] in try result[row, 2] }
      if let own = Migration.all.first(where: { $0.version == Int(version) }), own.checksum != checksum {
        throw .migrationChanged(name: own.name)
      }
      versions.insert(Int(version))
    }
    return versions
  }
}
