import Foundation
import TestSupport
import Testing

/// `pagefall rejected` against a database whose rejected events the test wrote by hand: their bodies may be good now, as after
/// an update with wider rules.
struct RejectedRows {
  let database: TestDatabase

  init(apps: [String] = ["shop"]) throws {
    database = try TestDatabase.migrated()
    for app in apps { _ = try database.psql("INSERT INTO pagefall.apps (name) VALUES ('\(app)')") }
  }

  /// Keeps a body as rejected.
  /// - Parameters:
  ///   - field: the field at fault; nil: none.
  ///   - received, sent: SQL of a time.
  func reject(
    _ body: some Sequence<UInt8>, app: String = "shop", code: String = "unknown_type", field: String? = "type",
    message: String = "as it was then", place: Int = 0, received: String = "'2026-11-29T10:00:05Z'",
    sent: String = "NULL", count: Int = 1
  ) throws {
    let hex = body.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try reject(
      sql: "decode('\(hex)', 'hex')", app: app, code: code, field: field, message: message, place: place,
      received: received, sent: sent, count: count)
  }

  /// The same with SQL of the body, for what is too long for a command line.
  func reject(
    sql body: String, app: String = "shop", code: String = "unknown_type", field: String? = "type",
    message: String = "as it was then", place: Int = 0, received: String = "'2026-11-29T10:00:05Z'",
    sent: String = "NULL", count: Int = 1
  ) throws {
    let message = message.replacingOccurrences(of: "'", with: "''")
    _ = try database.psql(
      """
      INSERT INTO pagefall.rejected (app_id, sha256, code, field, message, place, body, sent_at, first_received_at,
        last_received_at, count)
      SELECT app_id, sha256(b), '\(code)', \(field.map { "'\($0)'" } ?? "NULL"), '\(message)', \(place), b, \(sent), \(received),
        \(received), \(count)
      FROM pagefall.apps, (SELECT \(body)) AS v(b) WHERE name = '\(app)'
      """)
  }

  /// Runs `pagefall rejected`.
  func run(_ arguments: String...) throws -> PagefallProcess.Result {
    try PagefallProcess.run(["rejected"] + arguments + ["--database", database.connectionString])
  }

  /// The first 12 digits of the only row that is kept.
  func onlyHandle() throws -> String { try handles().joined() }

  /// Those of all, sorted.
  func handles() throws -> [String] {
    try database.psql("SELECT left(encode(sha256, 'hex'), 12) FROM pagefall.rejected ORDER BY 1")
      .split(separator: "\n").map(String.init)
  }

  /// Events by session and number.
  func events() throws -> String {
    try database.psql("SELECT right(session_id::text, 2), seq FROM events ORDER BY 1, 2").replacing("\n", with: " ")
  }
}
