import Postgres

/// The apps: whose events they are.
public enum AppStore {
  /// Longest name, in bytes of UTF-8.
  public static let maximumNameBytes = 200

  /// The id of this app; made where there is none.
  ///
  /// Names come from operators only (with a key, or on the command line), so there is no bound on their number.
  ///
  /// - Throws: `.invalidAppName`, `.database`.
  public static func findOrCreate(
    _ name: String, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> Int32 {
    guard isName(name) else { throw .invalidAppName }
    return try findOrCreate(storable: name, &connection)
  }

  /// Whether an app may be called so: 1 to 200 bytes, no control characters.
  public static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= maximumNameBytes
      && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  /// The same for a name that a record carries: it passed when its key was made, and must not hold up the events now.
  static func findOrCreate(
    storable name: String, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> Int32 {
    let name = name.isEmpty ? "(unknown)" : name.replacing("\0", with: "\u{FFFD}")
    while true {
      if let id = try find(name, &connection) { return id }
      // Where another program makes it at the same moment, this does nothing, and the next look finds it.
      try connection.run("INSERT INTO pagefall.apps (name) VALUES ($1) ON CONFLICT DO NOTHING", [.text(name)])
    }
  }

  /// The id of this app; nil where there is none.
  public static func find(_ name: String, _ connection: inout PostgresConnection) throws(EventStoreError) -> Int32? {
    let result = try connection.run("SELECT app_id FROM pagefall.apps WHERE name = $1", [.text(name)])
    if result.rowCount == 0 { return nil }
    return try decoding { () throws(PostgresError) -> Int32 in try result[0, 0] }
  }
}
