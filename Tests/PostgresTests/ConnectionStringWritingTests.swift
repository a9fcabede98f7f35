import Postgres
import Testing

@Suite struct ConnectionStringWritingTests {
  @Test(arguments: [
    "host=/run/pg dbname=stories", #"dbname='it\'s' user='a b' options='-c x=\\y'"#,
    "postgresql://me:p%20w@db.example:5433/stories?sslmode=require",
  ])
  func `a written connection string is read as the same`(text: String) throws {
    let options = try ConnectionOptions(text)
    let again = try ConnectionOptions(options.connectionString())
    for keyword in ["host", "port", "dbname", "user", "password", "options", "sslmode"] {
      #expect(again[keyword] == options[keyword])
    }
  }

  @Test func `a keyword can be left out`() throws {
    let options = try ConnectionOptions("host=db.example password=secret dbname=stories")
    #expect(options.connectionString(without: ["password"]) == "dbname='stories' host='db.example'")
  }
}
