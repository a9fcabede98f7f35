import Foundation
import Postgres
import TestSupport
import Testing

@Suite struct StreamingTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase() }

  @Test func `rows come one by one, in order`() throws {
    var connection = try PostgresTests.connect(database)
    var sum: Int64 = 0
    try connection.forEachRow("SELECT n, 'row ' || n AS name FROM generate_series(1, $1) AS t (n)", [.int64(1000)]) {
      row in
      let number: Int64 = try row[0]
      let name: String = try row["name"]
      #expect(name == "row \(number)")
      sum += number
    }
    #expect(sum == 500_500)
    try connection.forEachRow("SELECT 1 WHERE false") { _ in Issue.record("there is no row") }
    try connection.forEachRow("CREATE TABLE t (id integer)") { _ in Issue.record("there is no row") }
  }

  @Test func `an error after some rows is told`() throws {
    var connection = try PostgresTests.connect(database)
    var rows = 0
    let error = PostgresTests.failure {
      try connection.forEachRow("SELECT 10 / (5 - n) FROM generate_series(1, 10) AS t (n)") { _ in rows += 1 }
    }
    #expect(rows == 4)
    #expect(error?.kind == .server(.divisionByZero))
    #expect(connection.isUsable == true)
  }

  @Test func `a closure that throws ends the statement and keeps the connection`() throws {
    var connection = try PostgresTests.connect(database)
    for _ in 0..<3 {
      #expect(throws: Refusal.self) {
        try connection.forEachRow("SELECT repeat('x', 1000), generate_series(1, 100000000)") { _ in throw Refusal()
        }
      }
      let one: Int = try connection.execute("SELECT 1")[0, 0]
      #expect(one == 1)
    }
  }

  @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "COPY t FROM STDIN"])
  func `COPY is no stream of rows`(_ sql: String) throws {
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE t (id integer)")
    let error = PostgresTests.failure { try connection.forEachRow(sql) { _ in } }
    #expect(error?.kind == .usage)
    #expect(connection.isUsable == true)
  }

  #if os(Linux)
    @Test func `memory stays bounded while much more flows by`() throws {
      var connection = try PostgresTests.connect(database)
      let before = try residentBytes()
      var largest = 0
      var rows = 0
      try connection.forEachRow("SELECT repeat('x', 4000), generate_series(1, 50000)") { row in
        rows += 1
        if rows % 10_000 == 0 { largest = max(largest, try residentBytes()) }
      }
      try connection.copyOut("COPY (SELECT repeat('x', 4000), generate_series(1, 50000)) TO STDOUT") { _ in
        rows += 1
        if rows % 10_000 == 0 { largest = max(largest, try residentBytes()) }
      }
      try connection.execute("CREATE TEMPORARY TABLE sink (x text)")
      let line = [UInt8](repeating: UInt8(ascii: "x"), count: 3999) + [10]
      try connection.copyIn("COPY sink FROM STDIN") { writer in
        for _ in 0..<30_000 {
          rows += 1
          try line.withUnsafeBytes { try writer.write($0) }
          if rows % 10_000 == 0 { largest = max(largest, try residentBytes()) }
        }
      }
      #expect(rows == 130_000)
      // Half a gigabyte flowed by. Other tests run beside this one, so there is room for theirs.
      #expect(largest - before < 100_000_000)
    }

    private func residentBytes() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }
  #endif
}
