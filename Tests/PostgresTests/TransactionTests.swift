import Postgres
import TestSupport
import Testing

@Suite struct TransactionTests {
  let database: TestDatabase

  init() throws {
    database = try TestDatabase()
    // A constraint that is checked at COMMIT: it takes as long as the row says, or fails.
    _ = try database.psql(
      """
      CREATE TABLE t (id integer PRIMARY KEY, seconds double precision DEFAULT 0);
      CREATE FUNCTION slow_check() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.seconds < 0 THEN RAISE check_violation USING MESSAGE = 'no ' || NEW.id; END IF;
        PERFORM pg_sleep(NEW.seconds); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow_check AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION slow_check();
      """)
  }

  private func count() throws -> Int {
    var connection = try PostgresTests.connect(database)
    return try connection.execute("SELECT count(*) FROM t")[0, 0]
  }

  @Test func `a body that returns is committed, with its value`() throws {
    var connection = try PostgresTests.connect(database)
    let value = try connection.transaction { connection in
      try connection.execute("INSERT INTO t VALUES (1)")
      return "done"
    }
    #expect(value == "done")
    #expect(connection.transactionStatus == .idle)
    #expect(try count() == 1)
  }

  @Test func `a body that throws is rolled back, and its error wins`() throws {
    var connection = try PostgresTests.connect(database)
    #expect(throws: Refusal.self) {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        _ = PostgresTests.failure { try connection.execute("INSERT INTO t VALUES (1)") }
        throw Refusal()
      }
    }
    #expect(connection.transactionStatus == .idle)
    #expect(connection.isUsable == true)
    #expect(try count() == 0)
  }

  @Test func `a failed statement kept secret does not pass for a commit`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        _ = PostgresTests.failure { try connection.execute("INSERT INTO t VALUES (1)") }
      }
    }
    #expect(error?.kind == .server(.inFailedSQLTransaction))
    #expect(error?.commitOutcomeUnknown == false)
    #expect(connection.transactionStatus == .idle)
    #expect(try count() == 0)
  }

  @Test func `isolation and access are set`() throws {
    var connection = try PostgresTests.connect(database)
    for (level, name) in [
      (IsolationLevel.readCommitted, "read committed"), (.repeatableRead, "repeatable read"),
      (.serializable, "serializable"),
    ] {
      let shown: String = try connection.transaction(isolation: level) { connection in
        try connection.execute("SHOW transaction_isolation")[0, 0]
      }
      #expect(shown == name)
    }
    let error = PostgresTests.failure {
      try connection.transaction(readOnly: true) { try $0.execute("INSERT INTO t VALUES (1)") }
    }
    #expect(error?.kind == .server(.readOnlySQLTransaction))
    #expect(error?.isRetryable == true)
  }

  @Test func `transactions neither nest nor end inside of themselves`() throws {
    var connection = try PostgresTests.connect(database)
    let nested = PostgresTests.failure { try connection.transaction { try $0.transaction { _ in } } }
    #expect(nested?.kind == .usage)
    let ended = PostgresTests.failure { try connection.transaction { try $0.execute("COMMIT") } }
    #expect(ended?.kind == .usage)
    #expect(connection.isUsable == true)
    #expect(connection.transactionStatus == .idle)
  }

  @Test func `a constraint that fails at COMMIT is a known outcome`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.transaction { try $0.execute("INSERT INTO t VALUES (4711, -1)") }
    }
    #expect(error?.kind == .server(.checkViolation))
    #expect(error?.commitOutcomeUnknown == false)
    #expect(connection.isUsable == true)
    #expect(try count() == 0)
  }

  @Test func `a backend that dies at COMMIT leaves the outcome unknown`() throws {
    var connection = try PostgresTests.connect(database)
    let backend = connection.backendProcessID
    let database = database
    let error = PostgresTests.failure {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1, 10)")
        PostgresTests.later(200) { _ = try? database.psql("SELECT pg_terminate_backend(\(backend))") }
      }
    }
    #expect(error?.kind == .server(.adminShutdown))
    #expect(error?.commitOutcomeUnknown == true)
    #expect(error?.isRetryable == true)
    #expect(error?.description.hasSuffix("whether the transaction was committed is not known") == true)
    #expect(connection.isUsable == false)
  }

  @Test func `a server killed at COMMIT leaves the outcome unknown`() throws {
    let server = try DedicatedServer()
    _ = try server.psql("CREATE TABLE t (id integer)")
    _ = try server.psql(
      """
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(10); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow();
      """)
    var connection = try PostgresTests.connect(server.connectionString)
    let error = PostgresTests.failure {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        PostgresTests.later(200) { try? server.stop(.immediate) }
      }
    }
    #expect(error?.commitOutcomeUnknown == true)
    #expect(error?.isRetryable == true)
    #expect(connection.isUsable == false)
  }

  @Test func `a COMMIT that takes too long leaves the outcome unknown`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.transaction(timeout: .milliseconds(200)) { try $0.execute("INSERT INTO t VALUES (1, 5)") }
    }
    #expect(error?.kind == .timeout)
    #expect(error?.commitOutcomeUnknown == true)
    #expect(connection.isUsable == false)
  }

  @Test func `a connection lost before COMMIT is a known outcome`() throws {
    var connection = try PostgresTests.connect(database)
    let backend = connection.backendProcessID
    let error = PostgresTests.failure {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        _ = try database.psql("SELECT pg_terminate_backend(\(backend), 5000)")
        _ = PostgresTests.failure { try connection.execute("SELECT 1") }
      }
    }
    #expect(error?.kind == .connection)
    #expect(error?.commitOutcomeUnknown == false)
    #expect(try count() == 0)
  }

  @Test func `an interrupt before COMMIT rolls back`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        connection.cancellation.interrupt()
      }
    }
    #expect(error?.kind == .interrupted)
    #expect(error?.commitOutcomeUnknown == false)
    #expect(connection.isUsable == false)
    connection.close()
    #expect(try count() == 0)
  }
}
