import Postgres

extension BatchStore {
  /// Finds the events whose rows PostgreSQL refuses, by halving, each half under a savepoint of its own; they are marked and
  /// end as `refused_by_database`. What is not refused stays written.
  ///
  /// - Parameter isUniqueViolationRefusal: a key that is not ours is violated again and again: that is a refusal too.
  /// - Returns: how many were found.
  mutating func findRefusedRows(
    _ connection: inout PostgresConnection, _ range: Range<Int>, isUniqueViolationRefusal: Bool
  ) throws(EventStoreError) -> Int {
    let events = batch.events.base
    var stored = 0
    for index in range where events[index].fate == .stored { stored += 1 }
    if stored == 0 { return 0 }
    try connection.run("SAVEPOINT part")
    do throws(EventStoreError) {
      try writeRows(&connection, range, packs: false)
      try connection.run("RELEASE SAVEPOINT part")
      return 0
    } catch {
      guard case .database(let failure) = error, let state = failure.sqlState, !failure.isRetryable,
        state.refusesARow || (isUniqueViolationRefusal && state == .uniqueViolation)
      else { throw error }
    }
    try connection.run("ROLLBACK TO SAVEPOINT part")
    try connection.run("RELEASE SAVEPOINT part")
    if stored == 1 {
      for index in range where events[index].fate == .stored {
        events[index].fate = .refusedByDatabase
        events[index].known = .refused
      }
      return 1
    }
    let middle = range.lowerBound + range.count / 2
    return try findRefusedRows(
      &connection, range.lowerBound..<middle, isUniqueViolationRefusal: isUniqueViolationRefusal)
      + findRefusedRows(&connection, middle..<range.upperBound, isUniqueViolationRefusal: isUniqueViolationRefusal)
  }
}
