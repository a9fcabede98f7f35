import Postgres
import Synchronization
import TestSupport
import Testing

@Suite struct ErrorTests {
  /// One for all: nothing that these tests do stays in it.
  private static let shared = Result {
    let database = try TestDatabase()
    _ = try database.psql(
      """
      CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL UNIQUE, age integer CHECK (age > 0));
      INSERT INTO people VALUES (1, 'sesame', 5);
      CREATE TABLE parts (id integer) PARTITION BY LIST (id);
      """)
    return database
  }

  let database: TestDatabase

  init() throws { database = try Self.shared.get() }

  @Test(
    arguments: [
      ("INSERT INTO people VALUES (2, 'sesame', 1)", SQLState.uniqueViolation, "people_name_key"),
      ("INSERT INTO people VALUES (2, NULL, 987654)", .notNullViolation, nil),
      ("INSERT INTO people VALUES (2, 'x sesame', -987654)", .checkViolation, "people_age_check"),
      ("SELECT 'sesame'::integer", .invalidTextRepresentation, nil),
      ("SELECT '987654987654'::integer", .numericValueOutOfRange, nil),
      ("SELECT 'sesame'::timestamptz", SQLState("22007") ?? .dataException, nil),
      ("SELECT '{sesame'::jsonb", .invalidTextRepresentation, nil),
      ("INSERT INTO parts VALUES (987654)", .checkViolation, nil),
      ("SELECT 1 sesame 987654", .syntaxError, nil),
      ("DO $$ BEGIN RAISE 'sesame'; END $$", .raiseException, nil),
      ("DO $$ BEGIN RAISE unique_violation USING DETAIL = 'sesame'; END $$", .uniqueViolation, nil),
    ] as [(String, SQLState, String?)])
  func `descriptions hold no values`(_ sql: String, _ state: SQLState, _ constraint: String?) throws {
    var connection = try PostgresTests.connect(database)
    let error = try #require(PostgresTests.failure { try connection.execute(sql) })
    #expect(error.kind == .server(state))
    #expect(error.constraintName == constraint)
    #expect(error.severity == .error)
    for words in [error.description, "\(error)"] {
      #expect(!words.contains("sesame") && !words.contains("987654"))
      #expect(!words.contains("\n"))
      #expect(words.contains(state.code))
    }
    #expect(error.debugDescription.contains("sesame") || error.debugDescription.contains("987654"))
  }

  @Test func `a description names what is concerned`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure { try connection.execute("INSERT INTO people VALUES (1, 'x', 1)") }
    #expect(
      error?.description
        == "unique_violation (23505): duplicate key value violates unique constraint \"people_pkey\""
        + " [table people, constraint people_pkey]")
    let missing = PostgresTests.failure { try connection.execute("SELECT * FROM nowhere") }
    #expect(missing?.description == "undefined_table (42P01): relation \"nowhere\" does not exist")
  }

  @Test func `a statement that mentions a password is not kept`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure { try connection.execute("ALTER ROLE nobody PASSWORD 'sesame'") }
    #expect(error?.kind == .server(.undefinedObject))
    #expect(error?.debugDescription.contains("sesame") == false)
  }

  @Test func `decoding errors name the column, never the value`() throws {
    var connection = try PostgresTests.connect(database)
    let result = try connection.execute("SELECT name FROM people")
    let error = try #require(PostgresTests.failure { let _: Int = try result[0, "name"] })
    #expect(error.columnName == "name")
    #expect(!error.debugDescription.contains("sesame"))
    #expect(error.description == "column 0 (type 25) has another type, read as Int [column name]")
  }

  @Test func `a pattern matches its code, or its class`() throws {
    let unique = SQLState.uniqueViolation
    #expect(SQLState.uniqueViolation ~= unique)
    #expect(SQLState.integrityConstraintViolation ~= unique)
    #expect(!(SQLState.notNullViolation ~= unique))
    #expect(!(SQLState.dataException ~= unique))
    #expect(!(SQLState.uniqueViolation ~= SQLState.integrityConstraintViolation))
    #expect(SQLState.uniqueViolation != SQLState.integrityConstraintViolation)
    switch PostgresError.Kind.server(.diskFull) {
    case .server(.insufficientResources): break
    default: Issue.record("the class did not match")
    }
  }

  @Test(arguments: [
    ("23505", true), ("XX000", true), ("0A000", true), ("2350", false), ("235055", false), ("2350a", false),
    ("2350é", false), ("", false),
  ])
  func `codes are five digits or capitals`(_ code: String, _ isCode: Bool) {
    #expect((SQLState(code) != nil) == isCode)
  }

  @Test(arguments: [
    ("08006", true), ("08001", true), ("08P01", false), ("25006", true), ("40001", true), ("40P01", true),
    ("53100", true),
    ("53300", true),
    ("57P01", true), ("57P03", true), ("57P05", true), ("57014", false), ("40002", false), ("23505", false),
    ("22P02", false), ("25001", false), ("42P01", false), ("58030", false), ("28P01", false),
  ])
  func `what can be tried again is told by the code`(_ code: String, _ isRetryable: Bool) throws {
    var connection = try PostgresTests.connect(database)
    let error = try #require(
      PostgresTests.failure { try connection.execute("DO $$ BEGIN RAISE SQLSTATE '\(code)'; END $$") })
    #expect(error.sqlState?.code == code)
    #expect(error.isRetryable == isRetryable)
  }

  @Test func `a terminated session is told with the server's reason`() throws {
    var connection = try PostgresTests.connect(database)
    _ = try database.psql("SELECT pg_terminate_backend(\(connection.backendProcessID), 5000)")
    let error = PostgresTests.failure { try connection.execute("SELECT 1") }
    #expect(error?.kind == .server(.adminShutdown) || error?.kind == .connection)
    #expect(error?.isRetryable == true)
    #expect(connection.isUsable == false)
  }

  @Test func `notices go to the log, with their first message only`() throws {
    let seen = Mutex<[Notice]>([])
    var connection = try PostgresTests.connect(database) { notice in seen.withLock { $0.append(notice) } }
    try connection.execute(
      "DO $$ BEGIN RAISE WARNING E'two\\nlines' USING DETAIL = 'sesame', ERRCODE = '01999'; RAISE NOTICE 'n'; END $$")
    try connection.execute("DROP TABLE IF EXISTS nowhere")
    let notices = seen.withLock { $0 }
    #expect(notices.map(\.message) == ["two lines", "n", "table \"nowhere\" does not exist, skipping"])
    #expect(notices.map(\.severity) == [.warning, .notice, .notice])
    #expect(notices.first?.sqlState?.code == "01999")
  }

  @Test func `uuids are read and written, in PostgreSQL's order`() throws {
    let text = "01A226BF-4900-7CC1-9D2E-5A1B2C3D4E5F"
    let uuid = try #require(PostgresUUID(text))
    #expect(uuid.description == text.lowercased())
    #expect(PostgresUUID(bytes: uuid.bytes) == uuid)
    #expect(uuid.bytes.first == 1)
    for wrong in [
      "", "01a226bf49007cc19d2e5a1b2c3d4e5f", "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5",
      "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5fa",
      "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5g", "01a226bf+4900-7cc1-9d2e-5a1b2c3d4e5f",
      "{1a226bf-4900-7cc1-9d2e-5a1b2c3d4e5}",
    ] { #expect(PostgresUUID(wrong) == nil) }
    #expect(PostgresUUID(high: 1, low: 0) > PostgresUUID(high: 0, low: .max))
    #expect(PostgresUUID(bytes: [1, 2, 3]) == nil)
  }
}
