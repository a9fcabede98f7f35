import Postgres
import Spool

/// What can go wrong between the program and its tables: one type for the whole module.
public enum EventStoreError: Error, Sendable {
  /// PostgreSQL, or the way to it. `PostgresError.isRetryable` says whether the same may succeed later.
  case database(PostgresError)
  /// The tables are not those that this program works with; `pagefall database migrate` makes them so where it can.
  case schema(SchemaStatus)
  /// A migration that was applied is not the one of this name that this program carries.
  case migrationChanged(name: String)
  /// The database's encoding cannot hold every text.
  case unsuitableEncoding(String)
  /// No key has this id or begins like this.
  case noSuchKey
  /// More than one key begins like this.
  case ambiguousKey
  /// An app's name is empty or too long.
  case invalidAppName
  /// The database's position of this spool is not where the batch begins: somebody else moved it, or a backup was restored.
  /// Nothing was stored. Nil: it knows no such spool.
  case positionMoved(SpoolPosition?)
  /// Nothing was stored: PostgreSQL took another number of rows than was sent (a trigger or rule of somebody else's?).
  case rowsMissing(sent: Int, stored: Int)
  /// The system gives no random bytes, and a key without them could be guessed.
  case noRandomBytes
  /// What should never come about, in a few words: a fault of this program.
  case unexpected(String)

  /// Whether the same may succeed later without anybody changing anything.
  public var isRetryable: Bool {
    switch self {
    case .database(let error): error.isRetryable
    case .schema, .migrationChanged, .unsuitableEncoding, .noSuchKey, .ambiguousKey, .invalidAppName, .positionMoved,
      .rowsMissing, .noRandomBytes, .unexpected:
      false
    }
  }

  /// The one type for what a closure threw.
  init(wrapping error: any Error) {
    if let error = error as? EventStoreError {
      self = error
    } else if let error = error as? PostgresError {
      self = .database(error)
    } else {
      self = .unexpected("an error of the type \(type(of: error))")
    }
  }
}

extension EventStoreError: CustomStringConvertible {
  /// One line that says what to do; no row values, no secrets.
  public var description: String {
    switch self {
    case .database(let error): error.description
    case .schema(let status): status.description
    case .migrationChanged(let name):
      "the migration \(name) in the database is not the one of this program: it was changed after it was applied"
    case .unsuitableEncoding(let name):
      "the database has the encoding \(name), which cannot hold every text: make it with ENCODING 'UTF8'"
    case .noSuchKey: "there is no such key; 'pagefall key list' shows all"
    case .ambiguousKey: "several keys begin like this: give more of it, or the id that 'pagefall key list' shows"
    case .invalidAppName: "an app's name has 1 to 200 bytes and no control characters"
    case .positionMoved(let position):
      "the database's position of this spool is now \(position.map(\.description) ?? "unknown")"
    case .rowsMissing(let sent, let stored):
      "PostgreSQL stored \(stored) rows of \(sent): has somebody put a trigger or a rule on Pagefall's tables?"
    case .noRandomBytes: "the system gives no random bytes, so no key can be made"
    case .unexpected(let what): "\(what), which should not come about: please report it"
    }
  }
}
