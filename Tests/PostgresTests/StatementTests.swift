import Postgres
import TestSupport
import Testing

@Suite struct StatementTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase() }

  @Test func `a statement has rows, names, a tag and a count`() throws {
    var connection = try PostgresTests.connect(database)
    let result = try connection.execute("SELECT n, n::text AS \"Name\", n FROM generate_series(1, 3) AS t (n)")
    #expect(result.rowCount == 3)
    #expect(result.columnCount == 3)
    #expect(result.columnNames == ["n", "Name", "n"])
    #expect(result.commandTag == "SELECT 3")
    let second: Int = try result[1, 0]
    let name: String = try result[2, "Name"]
    #expect(second == 2)
    #expect(name == "3")
  }

  @Test func `affected rows are counted, and statements without a count have none`() throws {
    var connection = try PostgresTests.connect(database)
    let created = try connection.execute("CREATE TABLE t (id integer)")
    #expect(created.affectedRows == 0)
    let inserted = try connection.execute("INSERT INTO t SELECT generate_series(1, 7)")
    #expect(inserted.affectedRows == 7)
    let deleted = try connection.execute("DELETE FROM t WHERE id > $1", [.int64(4)])
    #expect(deleted.affectedRows == 3)
    #expect(deleted.rowCount == 0)
  }

  @Test func `an empty statement is no error`() throws {
    var connection = try PostgresTests.connect(database)
    let result = try connection.execute("")
    #expect(result.rowCount == 0)
    try connection.executeScript(" -- nothing\n")
    try connection.executeScript(";;")
  }

  @Test func `a result outlives its connection`() throws {
    var connection = try PostgresTests.connect(database)
    let result = try connection.execute("SELECT 'kept'")
    connection.close()
    let text: String = try result[0, 0]
    #expect(text == "kept")
    let row = PostgresTests.failure { let _: Int = try result[1, 0] }
    #expect(row?.kind == .usage)
    let column = PostgresTests.failure { let _: Int = try result[0, 1] }
    #expect(column?.kind == .usage)
    let negative = PostgresTests.failure { let _: Int = try result[-1, -1] }
    #expect(negative?.kind == .usage)
    let name = PostgresTests.failure { let _: Int = try result[0, "missing"] }
    #expect(name?.kind == .usage)
  }

  @Test func `a script runs many statements, or none of them`() throws {
    var connection = try PostgresTests.connect(database)
    try connection.executeScript("CREATE TABLE a (id integer); INSERT INTO a VALUES (1); SELECT * FROM a;")
    let error = PostgresTests.failure {
      try connection.executeScript("INSERT INTO a VALUES (2); SELECT 1 / 0; INSERT INTO a VALUES (3)")
    }
    #expect(error?.kind == .server(.divisionByZero))
    let count: Int = try connection.execute("SELECT count(*) FROM a")[0, 0]
    #expect(count == 1)
  }

  @Test func `one statement only goes by the extended protocol`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure { try connection.execute("SELECT 1; SELECT 2") }
    #expect(error?.kind == .server(.syntaxError))
    #expect(connection.isUsable == true)
  }

  @Test func `prepared statements take parameters again and again`() throws {
    var connection = try PostgresTests.connect(database)
    try connection.prepare("twice", "SELECT $1::integer * 2")
    for number in [1, -7, 21] as [Int32] {
      let doubled: Int32 = try connection.executePrepared("twice", [.int32(number)])[0, 0]
      #expect(doubled == number * 2)
    }
    let error = PostgresTests.failure { try connection.executePrepared("thrice") }
    #expect(error?.kind == .server(.undefinedPreparedStatement))
  }

  @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "COPY t FROM STDIN", "COPY t FROM STDIN; COPY t FROM STDIN"])
  func `COPY outside of its calls is refused, and the connection stays usable`(_ sql: String) throws {
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE t (id integer)")
    let error = PostgresTests.failure { try connection.executeScript(sql) }
    #expect(error?.kind == .usage)
    let one: Int = try connection.execute("SELECT 1")[0, 0]
    #expect(one == 1)
  }

  @Test func `zero bytes are refused before they cut a statement off`() throws {
    var connection = try PostgresTests.connect(database)
    #expect(PostgresTests.failure { try connection.execute("SELECT 1\0 + 1") }?.kind == .usage)
    #expect(PostgresTests.failure { try connection.executeScript("SELECT 1\0") }?.kind == .usage)
    #expect(PostgresTests.failure { try connection.prepare("a\0b", "SELECT 1") }?.kind == .usage)
    #expect(PostgresTests.failure { try connection.execute("SELECT $1", [.untyped("a\0b")]) }?.kind == .usage)
    let text = PostgresTests.failure { try connection.execute("SELECT $1", ["a\0b"]) }
    #expect(text?.kind == .server(.characterNotInRepertoire))
    #expect(connection.isUsable == true)
  }

  @Test func `too many parameters are refused with a way out`() throws {
    var connection = try PostgresTests.connect(database)
    let parameters = [PostgresValue](repeating: .bool(true), count: 65_536)
    let error = PostgresTests.failure { try connection.execute("SELECT 1", parameters) }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("array or COPY") == true)
  }

  @Test func `the state of the connection is known`() throws {
    var connection = try PostgresTests.connect(database)
    #expect(connection.serverVersion >= 130_000)
    #expect(connection.backendProcessID > 0)
    #expect(connection.parameterStatus("server_encoding") == "UTF8")
    #expect(connection.parameterStatus("no such") == nil)
    #expect(connection.transactionStatus == .idle)
    try connection.execute("BEGIN")
    #expect(connection.transactionStatus == .inTransaction)
    _ = PostgresTests.failure { try connection.execute("SELECT 1/0") }
    #expect(connection.transactionStatus == .failed)
    try connection.execute("ROLLBACK")
    #expect(connection.transactionStatus == .idle)
  }
}
