import EventStore

/// A key as the collector keeps it: its hash, never the key.
struct KnownKey: Sendable, Equatable {
  let hash: KeyHash
  let app: String
  let right: KeyRight

  init(hash: KeyHash, app: String, right: KeyRight) {
    self.hash = hash
    self.app = app
    self.right = right
  }

  /// As the database has it; nil where it is revoked.
  init?(_ key: WriteKey) {
    guard !key.isRevoked, let hash = KeyHash(bytes: key.hash) else { return nil }
    self.init(hash: hash, app: key.app, right: key.right)
  }
}
