/// How a database's tables stand to this program.
public enum SchemaStatus: Equatable, Sendable, CustomStringConvertible {
  /// All migrations of this program are applied, and no other.
  case upToDate
  /// The database has none of Pagefall's tables.
  case missing
  /// So many migrations are not applied yet.
  case behind(Int)
  /// The database has so many migrations that this program does not know: it is of an older version.
  case ahead(Int)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .upToDate: "the database is up to date"
    case .missing: "the database has no Pagefall tables: run 'pagefall database migrate'"
    case .behind(let count):
      "the database lacks \(count) migration\(count == 1 ? "" : "s"): run 'pagefall database migrate'"
    case .ahead(let count):
      "the database is \(count) migration\(count == 1 ? "" : "s") newer than this program: update pagefall"
    }
  }
}
