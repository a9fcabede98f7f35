/// The keys that are known, found by their hash. Belongs to the HTTP thread.
///
/// A key's slot stays the same for as long as the collector runs, so that a request may keep it while the table is
/// renewed. How long a search takes depends on hashes, which say nothing of the keys; two hashes are compared in
/// constant time.
struct KeyTable {
  /// What belongs to a slot.
  struct Entry {
    var key: KnownKey
    /// Not revoked, as far as is known.
    var isActive: Bool
    var bucket: TokenBucket
  }

  private(set) var entries: ContiguousArray<Entry> = []
  /// Open addressing by the hash's first bytes: a slot or −1; a power of two, at most half full.
  private var places = ContiguousArray<Int32>(repeating: -1, count: 16)
  private let eventsPerSecond: Double?

  init(eventsPerSecond: Double?) { self.eventsPerSecond = eventsPerSecond }

  /// The slot of an active key; nil where there is none.
  func slot(of hash: KeyHash) -> Int32? {
    guard let slot = place(of: hash).slot, entries[Int(slot)].isActive else { return nil }
    return slot
  }

  /// Adds a key, or renews it.
  mutating func add(_ key: KnownKey) {
    let (place, slot) = place(of: key.hash)
    if let slot {
      entries[Int(slot)].key = key
      entries[Int(slot)].isActive = true
      return
    }
    places[place] = Int32(entries.count)
    entries.append(Entry(key: key, isActive: true, bucket: TokenBucket(eventsPerSecond: eventsPerSecond)))
    if entries.count * 2 > places.count { enlarge() }
  }

  /// Takes over all valid keys: what is not among them is revoked.
  mutating func replaceAll(_ keys: [KnownKey]) {
    for index in entries.indices { entries[index].isActive = false }
    for key in keys { add(key) }
  }

  /// A key's app.
  func app(of slot: Int32) -> String { entries[Int(slot)].key.app }

  /// Lets a key's bucket be used.
  mutating func withBucket<Result>(of slot: Int32, _ body: (inout TokenBucket) -> Result) -> Result {
    body(&entries[Int(slot)].bucket)
  }

  private func place(of hash: KeyHash) -> (place: Int, slot: Int32?) {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash.words.0) & mask
    while places[place] >= 0 {
      if entries[Int(places[place])].key.hash == hash { return (place, places[place]) }
      place = (place + 1) & mask
    }
    return (place, nil)
  }

  private mutating func enlarge() {
    places = ContiguousArray(repeating: -1, count: places.count * 2)
    for slot in entries.indices { places[place(of: entries[slot].key.hash).place] = Int32(slot) }
  }
}
