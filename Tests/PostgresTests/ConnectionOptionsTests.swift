import Foundation
import Postgres
import TestSupport
import Testing

@Suite struct ConnectionOptionsTests {
  @Test(
    arguments: [
      ("host=/tmp port=5433 dbname=shop user=ann", ["host": "/tmp", "port": "5433", "dbname": "shop", "user": "ann"]),
      ("dbname='with space' user='it\\'s'", ["dbname": "with space", "user": "it's"]),
      (
        "postgresql://ann@db.example:6000/shop?sslmode=require",
        ["host": "db.example", "port": "6000", "dbname": "shop", "user": "ann", "sslmode": "require"]
      ),
      ("postgres://a%40b:p%2Fq@/shop?host=/var/run", ["user": "a@b", "password": "p/q", "host": "/var/run"]),
      ("postgresql://one:1,two:2/shop", ["host": "one,two", "port": "1,2"]),
      ("postgresql://[2001:db8::1]/shop", ["host": "2001:db8::1"]),
      ("shop", ["dbname": "shop"]), ("", [:]), ("service=night", ["service": "night"]),
    ] as [(String, [String: String])])
  func `connection strings are read as libpq documents`(_ text: String, _ expected: [String: String]) throws {
    let options = try ConnectionOptions(text)
    for (keyword, value) in expected { #expect(options[keyword] == value) }
    #expect(options["client_encoding"] == nil)
  }

  @Test func `overrides win, and unknown ones are refused`() throws {
    let options = try ConnectionOptions("dbname=a user=b", overrides: ["dbname": "c"])
    #expect(options["dbname"] == "c")
    #expect(options["user"] == "b")
    let error = PostgresTests.failure { _ = try ConnectionOptions(nil, overrides: ["databse": "c"]) }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("databse") == true)
  }

  @Test(arguments: [
    "host=h passwd=sesame", "host=h password='sesame", "host=h password=open sesame", "postgresql://u:ses/ame@h/d",
    "postgresql://u:sesame@h:port/d?x", "postgresql://u:%00sesame@h/d", "host=h password=sesame\0",
    "postgresql://u:se%zzsame@h", "postgresql://h/d?sesame=1", "=sesame",
    "postgresql://u:sesame:5432/d", "postgresql://u:p@sesame@h/d", "postgresql://u:12/sesame@h/d",
  ])
  func `what cannot be read is refused without quoting it`(_ text: String) throws {
    // libpq takes some of these; none of them may show the password.
    do {
      let options = try ConnectionOptions(text)
      #expect(!options.redacted.contains("sesame"))
    } catch {
      #expect(error.kind == .usage)
      for words in [error.description, error.debugDescription] {
        #expect(!words.contains("sesame") && !words.contains("ses/") && !words.contains("zzsame"))
      }
    }
  }

  @Test func `a description has no password`() throws {
    let options = try ConnectionOptions(
      "postgresql://ann:sesame@db/shop?sslpassword=key", overrides: ["options": "-c a=b"])
    #expect(options.description == "host=db dbname=shop user=ann")
    #expect("\(options)" == options.redacted)
    #expect(try ConnectionOptions().redacted == "libpq's defaults")
  }

  @Test func `PG variables fill in what the string leaves open`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    let name: String = try connection.execute("SHOW application_name")[0, 0]
    #expect(name == "from the environment")
    var named = try PostgresTests.connect(database, ["application_name": "given"])
    let given: String = try named.execute("SHOW application_name")[0, 0]
    #expect(given == "given")
  }

  @Test func `session options and UTF-8 are set`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(
      database, ["options": "-c statement_timeout=1234", "client_encoding": "LATIN1"])
    let timeout: String = try connection.execute("SHOW statement_timeout")[0, 0]
    #expect(timeout == "1234ms")
    #expect(connection.parameterStatus("client_encoding") == "UTF8")
  }

  @Test func `a service names the host, and what the string says wins`() throws {
    Environment.prepare()
    let error = PostgresTests.failure { _ = try PostgresConnection(try ConnectionOptions("service=night")) }
    #expect(error?.kind == .connection)
    #expect(error?.isRetryable == true)
    #expect(error?.description.contains("/nowhere/night/.s.PGSQL.6001") == true)
    let other = PostgresTests.failure { _ = try PostgresConnection(try ConnectionOptions("service=night port=7")) }
    #expect(other?.description.contains("/nowhere/night/.s.PGSQL.7") == true)
    let unknown = PostgresTests.failure { _ = try PostgresConnection(try ConnectionOptions("service=day")) }
    #expect(unknown?.kind == .usage)
    #expect(unknown?.description.contains("day") == true)
  }

  @Test func `identifiers and literals are quoted as the server reads them`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    for text in ["", "a", "it's", #"back\slash"#, #"\'; --"#, "'\u{301}", "ü\n\"x\""] {
      let back: String = try connection.execute("SELECT \(try SQLText.literal(text))")[0, 0]
      #expect(Array(back.utf8) == Array(text.utf8))
    }
    for name in ["a", "A b", "with \"quotes\"", "\"\u{301}", "select", "ü"] {
      let result = try connection.execute("SELECT 1 AS \(try SQLText.identifier(name))")
      #expect(result.columnNames == [name])
    }
    #expect(PostgresTests.failure { _ = try SQLText.identifier("") }?.kind == .usage)
    #expect(PostgresTests.failure { _ = try SQLText.identifier("a\0") }?.kind == .usage)
    #expect(PostgresTests.failure { _ = try SQLText.literal("a\0") }?.kind == .usage)
  }
}
