import Postgres

/// Sessions that count alike: of one app, story, environment, clock and group.
struct Cohort {
  /// The app's number in the database.
  var appID: Int32
  /// Nil for sessions without one.
  var storyID: String?
  /// Nil where it was not said.
  var environment: String?
  /// The clock was not believable, so the session counts at its arrival (contract §3).
  var hasSuspectClock: Bool
  /// The value of the field that groups are made by; nil where it was not said, and for periods of time.
  var group: String?

  /// Reads the cohort's columns of a row.
  init(_ bytes: UnsafeRawBufferPointer) throws(CopyRowReader.Damaged) {
    var row = CopyRowReader(bytes: bytes)
    guard let appID = try row.field(), appID.count == 4 else { throw CopyRowReader.Damaged() }
    self.appID = Int32(bigEndian: appID.loadUnaligned(as: Int32.self))
    storyID = try row.field().map { String(decoding: $0, as: UTF8.self) }
    environment = try row.field().map { String(decoding: $0, as: UTF8.self) }
    guard let flag = try row.field(), flag.count == 1 else { throw CopyRowReader.Damaged() }
    hasSuspectClock = flag[0] != 0
    group = try row.field().map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Finds what belongs to a cohort by the bytes of its columns, so that texts are read once a cohort and not once a session.
///
/// It is a cache: beyond a number of cohorts it begins anew, so a sender who makes up stories cannot grow it.
struct CohortCache<Value> {
  private var places: [Int: [Int]] = [:]
  private var entries: [(bytes: [UInt8], value: Value)] = []
  private let capacity: Int

  init(capacity: Int = 20_000) {
    self.capacity = capacity
  }

  /// The value of these columns, made by `make` where it is not known.
  mutating func value<Failure: Error>(
    for bytes: UnsafeRawBufferPointer, make: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let hash = hasher.finalize()
    for place in places[hash] ?? [] where entries[place].bytes.elementsEqual(bytes) { return entries[place].value }
    let value = try make()
    if entries.count >= capacity {
      entries.removeAll()
      places.removeAll()
    }
    places[hash, default: []].append(entries.count)
    entries.append((Array(bytes), value))
    return value
  }
}
