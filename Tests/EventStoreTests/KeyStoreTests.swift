import EventStore
import Postgres
import TestSupport
import Testing

@Suite struct `Write keys` {
  @Test func `a key is shown once, and only its hash is kept`() throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    let created = try KeyStore.create(app: "shop", right: .ingest, &connection)
    #expect(created.plaintext.hasPrefix("pfw_") && created.plaintext.count == 36)
    let found = try #require(try KeyStore.lookup(hash: KeyStore.hash(of: created.plaintext), &connection))
    #expect(found.id == created.id && found.app == "shop" && found.right == .ingest && !found.isRevoked)
    #expect(created.plaintext.hasPrefix(found.prefix) && found.prefix.count == 8)
    let everything = try database.psql("SELECT w::text FROM pagefall.write_keys w")
    #expect(!everything.contains(String(created.plaintext.dropFirst(8))))
  }

  @Test func `keys differ, and several may belong to one app`() throws {
    try withConnection { (connection) in
      let keys = try (0..<20).map { _ in try KeyStore.create(app: "shop", right: .read, &connection).plaintext }
      #expect(Set(keys).count == 20)
      #expect(try KeyStore.list(&connection).map(\.app) == Array(repeating: "shop", count: 20))
    }
  }

  @Test func `a revoked key stays in the list and leaves the active ones`() throws {
    try withConnection { (connection) in
      let first = try KeyStore.create(app: "shop", right: .ingest, &connection)
      let second = try KeyStore.create(app: "shop", right: .ingest, &connection)
      let third = try KeyStore.create(app: "shop", right: .ingest, &connection)
      #expect(try KeyStore.revoke(String(first.id), &connection).isRevoked)
      #expect(try KeyStore.revoke(second.plaintext, &connection).id == second.id)
      #expect(try KeyStore.activeKeys(&connection).map(\.id) == [third.id])
      #expect(try KeyStore.list(&connection).count == 3)
      #expect(try KeyStore.lookup(hash: KeyStore.hash(of: first.plaintext), &connection)?.isRevoked == true)
      let before = try KeyStore.list(&connection)
      try KeyStore.revoke(String(first.id), &connection)
      #expect(try KeyStore.list(&connection) == before)
    }
  }

  @Test func `a beginning revokes only where it means one key`() throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    for _ in 0..<2 { _ = try KeyStore.create(app: "shop", right: .ingest, &connection) }
    _ = try database.psql("UPDATE pagefall.write_keys SET prefix = 'pfw_ab' || chr(66 + key_id)")
    #expect(try KeyStore.revoke("abC", &connection).prefix == "pfw_abC")
    for unusable in ["pfw_ab", "pfw_", "", "zz", "99", "pfw_abCx", "%", "'"] {
      #expect(throws: EventStoreError.self) { try KeyStore.revoke(unusable, &connection) }
    }
  }

  @Test(arguments: ["", "a\nb", String(repeating: "x", count: 201)])
  func `an app's name must be one`(name: String) throws {
    try withConnection { (connection) in
      #expect(throws: EventStoreError.self) { try KeyStore.create(app: name, right: .ingest, &connection) }
    }
  }
}
