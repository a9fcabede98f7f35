import Foundation
import Postgres
import TestSupport
import Testing

/// What the tests of this module share.
enum PostgresTests {
  /// A connection with a short limit, so that a test that would hang fails instead.
  static func connect(
    _ database: TestDatabase, _ overrides: [String: String] = [:],
    log: @escaping @Sendable (Notice) -> Void = { _ in }
  ) throws -> PostgresConnection {
    try connect(database.connectionString, overrides, log: log)
  }

  static func connect(
    _ connectionString: String, _ overrides: [String: String] = [:],
    log: @escaping @Sendable (Notice) -> Void = { _ in }
  ) throws -> PostgresConnection {
    Environment.prepare()
    var options = try ConnectionOptions(connectionString, overrides: overrides)
    options.queryTimeout = .seconds(20)
    return try PostgresConnection(options, log: log)
  }

  /// The error that `body` ends with; nil where it is another, or none.
  static func failure(_ body: () throws -> Void) -> PostgresError? {
    do { try body() } catch { return error as? PostgresError }
    return nil
  }

  /// Runs `body` on a thread of its own after a while.
  static func later(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
  }

  /// How long `body` takes.
  static func duration(_ body: () throws -> Void) rethrows -> Duration {
    try ContinuousClock().measure(body)
  }
}

/// libpq's environment for these tests. Set once, before anything reads it: the C library's environment is not safe to
/// change under readers.
enum Environment {
  static let directory = try? TemporaryDirectory()

  static func prepare() { _ = once }

  private static let once: Void = {
    guard let directory else { return }
    let services = directory.path + "/services.conf"
    let text = "[night]\nhost=/nowhere/night\nport=6001\ndbname=nightly\nconnect_timeout=3\n"
    try? text.write(toFile: services, atomically: true, encoding: .utf8)
    setenv("PGSERVICEFILE", services, 1)
    setenv("PGAPPNAME", "from the environment", 1)
  }()
}

/// An error of a test's own, to see whose error wins.
struct Refusal: Error, Equatable {}
