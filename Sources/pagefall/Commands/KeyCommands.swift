import EventStore
import Foundation
import Postgres

/// `pagefall key create`: makes a write key and prints it, once.
enum KeyCreateCommand {
  static let app = Option("app", takes: "NAME", help: "the app that the key's events belong to")
  static let right = Option("right", takes: "RIGHT", help: "ingest (send events) or read (default ingest)")

  static let command = Command(
    "key", "create", summary: "Make a write key for an app and print it once", options: [app, right],
    discussion: "Only the key's hash is stored: keep what this prints. It works at once.",
    examples: ["pagefall key create --app shop"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard let app = invocation.value(app) else { throw .usage("say whose key it is: key create --app NAME") }
    // Before a database is made for it.
    guard AppStore.isName(app) else { throw .usage("\(EventStoreError.invalidAppName)") }
    let right = try invocation.value(right, as: "ingest or read") { KeyRight(rawValue: $0) } ?? .ingest
    let access = try DatabaseAccess.open(invocation, for: .writing)
    var connection = try access.connect()
    do {
      let key = try KeyStore.create(app: app, right: right, &connection)
      Console.note("pagefall: key \(key.id) for \(quoted(app)), right \(right.rawValue); it is shown only now")
      try Console.print(key.plaintext + "\n")
    } catch EventStoreError.invalidAppName {
      throw .usage("\(EventStoreError.invalidAppName)")
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }
}

/// `pagefall key list`: all keys, as far as they may be shown.
enum KeyListCommand {
  static let command = Command(
    "key", "list", summary: "List the write keys: number, beginning, app, right, state",
    examples: ["pagefall key list"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    do {
      let keys = try KeyStore.list(&connection)
      if keys.isEmpty { Console.note("pagefall: no keys yet; make one with `pagefall key create --app NAME`") }
      for key in keys { try Console.print(line(key)) }
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }

  private static func line(_ key: WriteKey) -> String {
    let state = key.revokedAtMicroseconds.map { "revoked \(InstantText.text(microseconds: $0))" } ?? "active"
    let created = InstantText.text(microseconds: key.createdAtMicroseconds)
    return "\(key.id)\t\(key.prefix)…\t\(key.app)\t\(key.right.rawValue)\tcreated \(created)\t\(state)\n"
  }
}

/// `pagefall key revoke`: ends a key; collectors refuse it within 10 seconds.
enum KeyRevokeCommand {
  static let command = Command(
    "key", "revoke", summary: "Revoke a write key; collectors refuse it within 10 s", operands: "KEY",
    discussion: "KEY is the key's number or its beginning, as `pagefall key list` shows them.",
    examples: ["pagefall key revoke 3"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.count == 1, let wanted = invocation.operands.first else {
      throw .usage("say which key: key revoke KEY (pagefall key list shows them)")
    }
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    do {
      let key = try KeyStore.revoke(wanted, &connection)
      try Console.print("key \(key.id) (\(key.prefix)…, \(key.app)) is revoked\n")
    } catch EventStoreError.noSuchKey {
      throw .usage("\(EventStoreError.noSuchKey)")
    } catch EventStoreError.ambiguousKey {
      throw .usage("\(EventStoreError.ambiguousKey)")
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    return .success
  }
}
