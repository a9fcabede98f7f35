import Postgres
import Spool

extension BatchStore {
  /// Connects, and reads how far this source is loaded. Whatever was remembered of the database is forgotten: it may be
  /// another one, or the same with a backup restored.
  mutating func connect() throws(EventStoreError) -> SpoolPosition {
    connection = nil
    forgetDatabase()
    var fresh: PostgresConnection
    do throws(PostgresError) {
      fresh = try PostgresConnection(options)
    } catch {
      throw .database(error)
    }
    try Migrator.requireUpToDate(&fresh)
    let found = try readPosition(&fresh)
    connection = consume fresh
    return found
  }

  func readPosition(_ connection: inout PostgresConnection) throws(EventStoreError) -> SpoolPosition {
    try connection.run(
      """
      INSERT INTO pagefall.spools (spool_id, kind, segment, "offset") VALUES ($1, $2, 0, 0)
      ON CONFLICT (spool_id) DO NOTHING
      """, [.uuid(positionID), .text(source.positionKind)])
    let result = try connection.run(
      "SELECT segment, \"offset\" FROM pagefall.spools WHERE spool_id = $1", [.uuid(positionID)])
    return try decoding { () throws(PostgresError) -> SpoolPosition in
      SpoolPosition(segment: try result[0, 0], offset: try result[0, 1])
    }
  }

  /// Forgets everything that only the database can know.
  mutating func forgetDatabase() {
    knownSessions.removeAll()
    repeats.removeAll()
    pages.removeAll()
    for place in appIDs.indices { appIDs[place] = 0 }
    epoch = -1
    packing = -1
    forgetAnswers()
  }

  /// Forgets what the database said of the batch's events; but that it refused a row stays true.
  func forgetAnswers() {
    for index in 0..<batch.events.count where batch.events.base[index].known != .refused {
      batch.events.base[index].known = .nothing
    }
  }

  /// Ends a run of ingest or of a replay: packs the sessions that came in several batches, and removes its position, which is of
  /// no use to anybody any more. What a killed run leaves behind, housekeeping does.
  public mutating func finish() {
    switch source {
    case .spool: return
    case .file, .replay: break
    }
    guard var open = connection.take() else { return }
    // A day ahead: what came now has come already, whatever the clock of the database says.
    _ = try? HistoryPacking.run(&open, quiet: .seconds(-86_400), maximumSessions: unpackedSessions)
    _ = try? open.run("DELETE FROM pagefall.spools WHERE spool_id = $1", [.uuid(positionID)])
    position = nil
  }
}
