import CSodium
import Postgres

/// Write keys in PostgreSQL. A key is `pfw_` and 32 random letters and digits (190 bits, 166 of which no list shows);
/// only its SHA-256 is stored, which needs no salt for a secret of that length.
public enum KeyStore {
  /// What every key begins with.
  public static let marker = "pfw_"
  /// Random characters of a key.
  static let secretCharacters = 32
  /// Characters of the secret that lists show.
  static let shownCharacters = 4

  /// Makes a key, and the app where there is none of this name.
  ///
  /// - Throws: `.invalidAppName`, `.noRandomBytes`, `.database`.
  public static func create(
    app: String, right: KeyRight, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> CreatedKey {
    let appID = try AppStore.findOrCreate(app, &connection)
    let plaintext = try makePlaintext()
    let result = try connection.run(
      """
      INSERT INTO pagefall.write_keys (key_hash, prefix, app_id, access_right) VALUES ($1, $2, $3, $4) RETURNING key_id
      """,
      [
        .bytes(hash(of: plaintext)), .text(String(plaintext.prefix(marker.count + shownCharacters))), .int32(appID),
        .text(right.rawValue),
      ])
    let id = try decoding { () throws(PostgresError) -> Int32 in try result[0, 0] }
    return CreatedKey(id: id, plaintext: plaintext)
  }

  /// All keys, revoked ones included, by number.
  public static func list(_ connection: inout PostgresConnection) throws(EventStoreError) -> [WriteKey] {
    try keys(where: "true", [], &connection)
  }

  /// The keys that are valid now: what the collector keeps in memory.
  public static func activeKeys(_ connection: inout PostgresConnection) throws(EventStoreError) -> [WriteKey] {
    try keys(where: "revoked_at IS NULL", [], &connection)
  }

  /// The key of this hash, revoked or not; nil where there is none.
  ///
  /// The index compares hashes, not keys: how long it takes tells nothing of a key.
  public static func lookup(
    hash: [UInt8], _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> WriteKey? {
    try keys(where: "key_hash = $1", [.bytes(hash)], &connection).first
  }

  /// Revokes a key. A key that is revoked stays as it is.
  ///
  /// - Parameter idOrPrefix: its number, or a beginning that no other key has (`pfw_` may be left out).
  /// - Returns: the key as it is now.
  /// - Throws: `.noSuchKey`, `.ambiguousKey`, `.database`.
  @discardableResult
  public static func revoke(
    _ idOrPrefix: String, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> WriteKey {
    var found: [WriteKey] = []
    if let id = Int32(idOrPrefix) { found = try keys(where: "key_id = $1", [.int32(id)], &connection) }
    if found.isEmpty { found = try list(&connection).filter { $0.beginsLike(idOrPrefix) } }
    guard let key = found.first else { throw .noSuchKey }
    if found.count > 1 { throw .ambiguousKey }
    try connection.run(
      "UPDATE pagefall.write_keys SET revoked_at = now() WHERE key_id = $1 AND revoked_at IS NULL", [.int32(key.id)])
    return try keys(where: "key_id = $1", [.int32(key.id)], &connection).first ?? key
  }

  /// SHA-256 of a key's text: what is stored and looked up.
  public static func hash(of plaintext: String) -> [UInt8] {
    var plaintext = plaintext
    return plaintext.withUTF8 { SHA256.hash(UnsafeRawBufferPointer($0)) }
  }

  private static func makePlaintext() throws(EventStoreError) -> String {
    // sodium_init may be called by every thread, any number of times; before it, random bytes are not safe to take.
    guard sodium_init() >= 0 else { throw .noRandomBytes }
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    return marker + String((0..<secretCharacters).map { _ in letters[Int(randombytes_uniform(UInt32(letters.count)))] })
  }

  private static func keys(
    where condition: String, _ parameters: [PostgresValue], _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [WriteKey] {
    let result = try connection.run(
      """
      SELECT key_id, key_hash, prefix, name, access_right, write_keys.created_at, revoked_at
      FROM pagefall.write_keys JOIN pagefall.apps USING (app_id) WHERE \(condition) ORDER BY key_id
      """, parameters)
    var keys: [WriteKey] = []
    for row in 0..<result.rowCount {
      keys.append(try decoding { () throws(PostgresError) -> WriteKey in try WriteKey(result, row: row) })
    }
    return keys
  }
}

extension WriteKey {
  fileprivate init(_ result: borrowing QueryResult, row: Int) throws(PostgresError) {
    let created: PostgresTimestamp = try result[row, 5]
    let revoked: PostgresTimestamp? = try result[row, 6]
    let right: String = try result[row, 4]
    self.init(
      id: try result[row, 0], hash: try result[row, 1], prefix: try result[row, 2], app: try result[row, 3],
      // The table's own check allows these two only.
      right: KeyRight(rawValue: right) ?? .read, createdAtMicroseconds: created.microsecondsSince1970,
      revokedAtMicroseconds: revoked?.microsecondsSince1970)
  }

  /// Whether what is given is a beginning of the key, as far as the list shows it, or the whole key.
  fileprivate func beginsLike(_ text: String) -> Bool {
    let full = text.hasPrefix(KeyStore.marker) ? text : KeyStore.marker + text
    if full.count <= KeyStore.marker.count { return false }
    if full.count == KeyStore.marker.count + KeyStore.secretCharacters { return KeyStore.hash(of: full) == hash }
    return prefix.hasPrefix(full)
  }
}
