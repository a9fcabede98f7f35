import Foundation
import Postgres
import TestSupport
import Testing

/// A server that is there and does not answer: no wait may outlast its limit.
@Suite struct StoppedServerTests {
  /// Long enough for a busy machine, far from for ever.
  private static let bearable = Duration.seconds(3)

  @Test func `a stopped backend ends a statement in time, and closing does not wait`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    let backend = connection.backendProcessID
    kill(backend, SIGSTOP)
    defer { kill(backend, SIGCONT) }
    let took = PostgresTests.duration {
      let error = PostgresTests.failure { try connection.execute("SELECT 1", timeout: .milliseconds(200)) }
      #expect(error?.kind == .timeout)
      #expect(error?.isRetryable == true)
      #expect(connection.isUsable == false)
      #expect(connection.transactionStatus == .unknown)
      let again = PostgresTests.failure { try connection.execute("SELECT 1") }
      #expect(again?.kind == .connection)
    }
    #expect(took > .milliseconds(190))
    #expect(took < Self.bearable)
    let closingFrom = ContinuousClock.now
    connection.close()
    #expect(closingFrom.duration(to: .now) < .milliseconds(500))
  }

  @Test func `a stopped backend ends sending COPY data in time`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE t (x text)")
    let backend = connection.backendProcessID
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 99_999) + [10]
    let took = PostgresTests.duration {
      let error = PostgresTests.failure {
        try connection.copyIn("COPY t FROM STDIN", timeout: .milliseconds(200)) { writer in
          kill(backend, SIGSTOP)
          while true { try line.withUnsafeBytes { try writer.write($0) } }
        }
      }
      #expect(error?.kind == .timeout)
    }
    kill(backend, SIGCONT)
    #expect(took < Self.bearable)
    #expect(connection.isUsable == false)
  }

  @Test func `a stopped backend ends the end of COPY in time`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE t (x text)")
    let backend = connection.backendProcessID
    let error = PostgresTests.failure {
      try connection.copyIn("COPY t FROM STDIN", timeout: .milliseconds(200)) { _ in kill(backend, SIGSTOP) }
    }
    kill(backend, SIGCONT)
    #expect(error?.kind == .timeout)
    #expect(connection.isUsable == false)
  }

  @Test func `a stopped backend ends the abortion of COPY in time, and the caller's error wins`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE t (x text)")
    let backend = connection.backendProcessID
    let took = PostgresTests.duration {
      #expect(throws: Refusal.self) {
        try connection.copyIn("COPY t FROM STDIN", timeout: .milliseconds(200)) { _ in
          kill(backend, SIGSTOP)
          throw Refusal()
        }
      }
    }
    kill(backend, SIGCONT)
    #expect(took < Self.bearable)
    #expect(connection.isUsable == false)
  }

  @Test func `a time-out kept secret by the closure still ends the COPY`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE t (x text)")
    let backend = connection.backendProcessID
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 99_999) + [10]
    let error = PostgresTests.failure {
      try connection.copyIn("COPY t FROM STDIN", timeout: .milliseconds(200)) { writer in
        kill(backend, SIGSTOP)
        for _ in 0..<100 { try? line.withUnsafeBytes { try writer.write($0) } }
      }
    }
    kill(backend, SIGCONT)
    #expect(error?.kind == .timeout)
    #expect(connection.isUsable == false)
  }

  @Test func `a stopped backend ends streams in time, however long they ran`() throws {
    let database = try TestDatabase()
    for isCopy in [true, false] {
      var connection = try PostgresTests.connect(database)
      let backend = connection.backendProcessID
      let query = "SELECT repeat('x', 1000), generate_series(1, 10000000)"
      var rows = 0
      let error = PostgresTests.failure {
        let limit = Duration.milliseconds(200)
        if isCopy {
          try connection.copyOut("COPY (\(query)) TO STDOUT", timeout: limit) { _ in
            rows += 1
            if rows == 1000 { kill(backend, SIGSTOP) }
          }
        } else {
          try connection.forEachRow(query, timeout: limit) { _ in
            rows += 1
            if rows == 1000 { kill(backend, SIGSTOP) }
          }
        }
      }
      kill(backend, SIGCONT)
      #expect(error?.kind == .timeout)
      #expect(rows >= 1000)
      #expect(connection.isUsable == false)
    }
  }

  @Test func `a stopped server ends connecting and cancelling in time`() throws {
    let server = try DedicatedServer()
    var connection = try PostgresTests.connect(server.connectionString)
    server.pause()
    defer { server.resume() }
    var options = try ConnectionOptions(server.connectionString)
    options.connectTimeout = .milliseconds(300)
    let took = PostgresTests.duration {
      let error = PostgresTests.failure { _ = try PostgresConnection(options) }
      #expect(error?.kind == .timeout)
      #expect(error?.isRetryable == true)
      #expect(error?.description.contains("within 0.3 seconds") == true)
    }
    #expect(took < Self.bearable)

    let cancelling = PostgresTests.duration {
      #expect(!connection.cancellation.cancelQuery(timeout: .milliseconds(200)))
    }
    #expect(cancelling < Self.bearable)

    // However many give up on it: the helpers' number is bounded, and nobody waits for them.
    let many = PostgresTests.duration {
      for _ in 0..<20 { connection.cancellation.cancelQuery(timeout: .milliseconds(10)) }
    }
    #expect(many < Self.bearable)
    let error = PostgresTests.failure { try connection.execute("SELECT 1", timeout: .milliseconds(100)) }
    #expect(error?.kind == .timeout)
  }

  @Test func `where one host does not answer the next one is asked`() throws {
    let stopped = try DedicatedServer()
    let database = try TestDatabase()
    let alive = try ConnectionOptions(database.connectionString)
    let dead = try ConnectionOptions(stopped.connectionString)
    var options = alive
    options["host"] = "\(dead["host"] ?? ""),\(alive["host"] ?? "")"
    options["port"] = "\(dead["port"] ?? "5432"),\(alive["port"] ?? "5432")"
    options.connectTimeout = .milliseconds(300)
    stopped.pause()
    defer { stopped.resume() }
    var connection = try PostgresConnection(options)
    let name: String = try connection.execute("SELECT current_database()")[0, 0]
    #expect(name == database.name)
  }

  @Test func `a statement that took too long does not go on in the server`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    let backend = connection.backendProcessID
    let error = PostgresTests.failure { try connection.execute("SELECT pg_sleep(60)", timeout: .milliseconds(100)) }
    #expect(error?.kind == .timeout)
    connection.close()
    var running = "1"
    for _ in 0..<100 where running != "0" {
      running = try database.psql("SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend)")
    }
    #expect(running == "0")
  }
}
