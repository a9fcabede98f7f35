/// The page details that were stored last, as hashes: events repeat them all day long, and a repeat costs no SQL.
///
/// Filled only after a commit. A place is taken over by whichever page came last, and everything is forgotten after a minute, so
/// that what another collector stored does not stay hidden.
struct PageMemory: ~Copyable {
  /// Hashes of a page's fields; 0: not known. The texts by `PageText`, then duration, then payload index.
  typealias Fields = SIMD8<UInt32>

  private struct Entry: BitwiseCopyable {
    var key: UInt64 = 0
    var fields = Fields()
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let hash: KeyedHash
  /// What the transaction under way stores, by the page's key.
  private var unconfirmed: [UInt64: Fields] = [:]
  private static let places = 4096
  private static let keepMicroseconds: Int64 = 60_000_000
  private var emptiedAtMicroseconds: Int64 = 0

  init(hash: KeyedHash) {
    self.hash = hash
    entries = .allocate(capacity: Self.places)
    entries.initialize(repeating: Entry(), count: Self.places)
  }

  deinit { entries.deallocate() }

  mutating func removeAll() {
    entries.update(repeating: Entry(), count: Self.places)
    unconfirmed.removeAll()
  }

  /// Forgets everything where a minute has passed.
  mutating func expire(nowMicroseconds: Int64) {
    if (emptiedAtMicroseconds...(emptiedAtMicroseconds + Self.keepMicroseconds)).contains(nowMicroseconds) { return }
    removeAll()
    emptiedAtMicroseconds = nowMicroseconds
  }

  /// Whether the fields that are given (not 0) are what is stored, or about to be.
  func isKnown(_ key: UInt64, _ fields: Fields) -> Bool {
    let entry = entries[place(key)]
    guard let stored = unconfirmed[key] ?? (entry.key == key ? entry.fields : nil) else { return false }
    return all(fields .== stored .| fields .== Fields())
  }

  /// The fields are about to be stored.
  mutating func note(_ key: UInt64, _ fields: Fields) {
    var merged = fields
    let entry = entries[place(key)]
    if let before = unconfirmed[key] ?? (entry.key == key ? entry.fields : nil) {
      merged.replace(with: before, where: fields .== Fields())
    }
    unconfirmed[key] = merged
  }

  /// The transaction was not committed, or another attempt begins.
  mutating func forgetUnconfirmed() { unconfirmed.removeAll() }

  /// The transaction was committed.
  mutating func confirm() {
    for (key, fields) in unconfirmed { entries[place(key)] = Entry(key: key, fields: fields) }
    unconfirmed.removeAll()
  }

  /// A field's hash, never 0.
  func field(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: hash.bytes(7, bytes)) | 1
  }

  private func place(_ key: UInt64) -> Int { Int(key & UInt64(Self.places - 1)) }
}
