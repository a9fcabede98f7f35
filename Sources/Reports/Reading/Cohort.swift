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

  /// What is asked of each session for this; the group stands last.
  static func columns(groupedBy field: SessionField?) -> [SessionColumn] {
    [.appID, .context(.storyID), .context(.environment), .hasSuspectClock] + (groupColumn(field).map { [$0] } ?? [])
  }

  /// The column with the value of a field; nil where the others say it, or the session.
  static func groupColumn(_ field: SessionField?) -> SessionColumn? {
    switch field {
    case .context(let field): .context(field)
    case .property(let name): .property(name)
    case .fallbackReason: .fallbackReason
    case .app, .time, .fact, nil: nil
    }
  }

  /// Reads the columns of a row.
  init(_ bytes: UnsafeRawBufferPointer) throws(CopyRowReader.Damaged) {
    var row = CopyRowReader(bytes: bytes)
    appID = try row.int32()
    storyID = try row.text()
    environment = try row.text()
    hasSuspectClock = try row.flag()
    group = row.remainder.isEmpty ? nil : try row.text()
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
