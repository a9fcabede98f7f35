import Postgres
import TestSupport
import Testing

@Suite struct CancellationTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase() }

  @Test func `another thread cancels a statement, and the connection stays usable`() throws {
    var connection = try PostgresTests.connect(database)
    let cancellation = connection.cancellation
    PostgresTests.later(100) { cancellation.cancelQuery() }
    let error = PostgresTests.failure { try connection.execute("SELECT pg_sleep(10)") }
    #expect(error?.kind == .server(.queryCanceled))
    #expect(error?.isRetryable == false)
    let one: Int = try connection.execute("SELECT 1")[0, 0]
    #expect(one == 1)
  }

  @Test func `cancelling when nothing runs, and after the end, does no harm`() throws {
    var connection = try PostgresTests.connect(database)
    let cancellation = connection.cancellation
    #expect(cancellation.cancelQuery())
    let one: Int = try connection.execute("SELECT 1")[0, 0]
    #expect(one == 1)
    connection.close()
    #expect(cancellation.cancelQuery())
    cancellation.interrupt()
  }

  @Test func `an interrupt ends a wait, and nothing more is sent`() throws {
    var connection = try PostgresTests.connect(database)
    let cancellation = connection.cancellation
    PostgresTests.later(100) { cancellation.interrupt() }
    let took = PostgresTests.duration {
      let error = PostgresTests.failure { try connection.execute("SELECT pg_sleep(10)") }
      #expect(error?.kind == .interrupted)
      #expect(error?.isRetryable == false)
    }
    #expect(took < .seconds(3))
    #expect(connection.isUsable == false)
  }

  @Test func `one interrupt ends the waits of all that know it, connecting too`() throws {
    let interrupt = try WaitInterrupt()
    var options = try ConnectionOptions(database.connectionString)
    options.interrupt = interrupt
    var first = try PostgresConnection(options)
    var second = try PostgresConnection(options)
    PostgresTests.later(100) { interrupt.trigger() }
    #expect(PostgresTests.failure { try first.execute("SELECT pg_sleep(10)") }?.kind == .interrupted)
    #expect(interrupt.isTriggered)
    // The second was idle: nothing was sent, so it is not spoilt, but will not wait any more either.
    #expect(PostgresTests.failure { try second.execute("SELECT 1") }?.kind == .interrupted)
    #expect(second.isUsable == true)
    #expect(PostgresTests.failure { _ = try PostgresConnection(options) }?.kind == .interrupted)
  }

  @Test func `an interrupt ends an attempt to connect under way`() throws {
    let server = try DedicatedServer()
    server.pause()
    defer { server.resume() }
    let interrupt = try WaitInterrupt()
    var options = try ConnectionOptions(server.connectionString)
    options.interrupt = interrupt
    PostgresTests.later(100) { interrupt.trigger() }
    let took = PostgresTests.duration {
      #expect(PostgresTests.failure { _ = try PostgresConnection(options) }?.kind == .interrupted)
    }
    #expect(took < .seconds(3))
  }

  @Test func `an interrupt ends COPY in both directions`() throws {
    for isIn in [true, false] {
      var connection = try PostgresTests.connect(database)
      let cancellation = connection.cancellation
      PostgresTests.later(100) { cancellation.interrupt() }
      let error = PostgresTests.failure {
        if isIn {
          try connection.executeScript("CREATE TEMPORARY TABLE t (x text)")
          try connection.copyIn("COPY t FROM STDIN") { writer in
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: 9999) + [10]
            // A writer that never has to wait ends by itself: then the wait for the answer is what is interrupted.
            while !cancellation.isInterrupted { try line.withUnsafeBytes { try writer.write($0) } }
          }
        } else {
          try connection.copyOut("COPY (SELECT pg_sleep(10)) TO STDOUT") { _ in }
        }
      }
      #expect(error?.kind == .interrupted)
      #expect(connection.isUsable == false)
    }
  }
}
