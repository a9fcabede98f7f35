import Postgres
import TestSupport
import Testing

@Suite struct ValueTests {
  /// One server for all values: each test has its own connection.
  private static let database = Result { try TestDatabase() }

  private func roundTrip<Value: PostgresDecodable>(_ parameter: PostgresValue) throws -> Value {
    var connection = try PostgresTests.connect(Self.database.get())
    return try connection.execute("SELECT $1", [parameter])[0, 0]
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 0x0102_0304_0506_0708, .max])
  func `bigint comes back as it went`(_ value: Int64) throws {
    #expect(try roundTrip(.int64(value)) == value)
  }

  @Test(arguments: [Int32.min, -1, 0, 0x0102_0304, .max])
  func `integer comes back as it went, also as a wider type`(_ value: Int32) throws {
    #expect(try roundTrip(.int32(value)) == value)
    #expect(try roundTrip(.int32(value)) == Int64(value))
    #expect(try roundTrip(.int32(value)) == Int(value))
  }

  @Test(arguments: [Int16.min, -1, 0, 258, .max])
  func `smallint comes back as it went, also as a wider type`(_ value: Int16) throws {
    #expect(try roundTrip(.int16(value)) == value)
    #expect(try roundTrip(.int16(value)) == Int32(value))
    #expect(try roundTrip(.int16(value)) == Int(value))
  }

  @Test(arguments: [
    0.0, -0.0, 0.1, -1.5, .pi, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ])
  func `double precision comes back bit for bit`(_ value: Double) throws {
    let back: Double = try roundTrip(.double(value))
    #expect(back.bitPattern == value.bitPattern)
  }

  @Test func `not a number stays not a number`() throws {
    let back: Double = try roundTrip(.double(.nan))
    #expect(back.isNaN)
  }

  @Test(arguments: ["", "a", "'; DROP TABLE t; --", "ü ✓ 👩‍👩‍👧 \u{1F1E9}\u{1F1EA}", "\u{1}\t\r\n\\x", "e\u{301}"])
  func `text comes back byte for byte`(_ value: String) throws {
    let back: String = try roundTrip(.text(value))
    #expect(Array(back.utf8) == Array(value.utf8))
  }

  @Test func `text of a megabyte comes back`() throws {
    let value = String(repeating: "0123456789abcdef", count: 65_536)
    #expect(try roundTrip(.text(value)) == value)
  }

  @Test(arguments: [[], [0], [0, 255, 92, 39, 10], [UInt8](0...255)] as [[UInt8]])
  func `bytea comes back as it went`(_ value: [UInt8]) throws {
    #expect(try roundTrip(.bytes(value)) == value)
  }

  @Test(arguments: [true, false])
  func `boolean comes back as it went`(_ value: Bool) throws {
    #expect(try roundTrip(.bool(value)) == value)
  }

  @Test func `uuid comes back as it went, and reads as PostgreSQL writes it`() throws {
    let text = "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f"
    let value = try #require(PostgresUUID(text))
    #expect(try roundTrip(.uuid(value)) == value)
    var connection = try PostgresTests.connect(Self.database.get())
    let written: String = try connection.execute("SELECT $1::text", [.uuid(value)])[0, 0]
    #expect(written == text)
    let all: PostgresUUID = try connection.execute("SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid")[0, 0]
    #expect(all == PostgresUUID(high: .max, low: .max))
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00+00:00"), (-1, "1969-12-31T23:59:59.999999+00:00"),
      (946_684_800_000_000, "2000-01-01T00:00:00+00:00"), (1_796_083_200_123_456, "2026-12-01T00:00:00.123456+00:00"),
      (-62_135_596_800_000_000, "0001-01-01T00:00:00+00:00"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999+00:00"),
      (-210_866_803_200_000_000, "-4713-11-24"), (.max, "infinity"), (.min, "-infinity"),
    ] as [(Int64, String)])
  func `timestamptz is counted from 1970`(_ microseconds: Int64, _ written: String) throws {
    let value = PostgresTimestamp(microsecondsSince1970: microseconds)
    #expect(try roundTrip(.timestamp(value)) == value)
    var connection = try PostgresTests.connect(Self.database.get(), ["options": "-c TimeZone=UTC"])
    let text: String = try connection.execute("SELECT to_json($1)#>>'{}'", [.timestamp(value)])[0, 0]
    #expect(text.hasPrefix(written) || (written == "-4713-11-24" && text.hasPrefix("4714-11-24")))
  }

  @Test func `timestamps beyond PostgreSQL's range are refused and beyond ours reported`() throws {
    let early = PostgresTests.failure {
      let _: PostgresTimestamp = try roundTrip(.timestamp(PostgresTimestamp(microsecondsSince1970: .min + 1)))
    }
    #expect(early?.kind == .server(.datetimeFieldOverflow))
    var connection = try PostgresTests.connect(Self.database.get())
    let late = PostgresTests.failure {
      let _: PostgresTimestamp = try connection.execute("SELECT '294276-01-01 00:00+00'::timestamptz AS late")[0, 0]
    }
    #expect(late?.kind == .decoding(.outOfRange))
    #expect(late?.columnName == "late")
  }

  @Test(arguments: ["{}", #"{"a": [1, 2.50, "ü", null]}"#, "\"text\"", "18446744073709551616"])
  func `jsonb comes back as text`(_ value: String) throws {
    #expect(try roundTrip(.jsonb(value)) == value)
  }

  @Test(arguments: [
    "0", "0.00", "1", "-1", "10000", "9999.9999", "12345678901234567890.12345", "0.0001", "0.00001", "-0.5", "1000000",
    "100000000000000000000", "18446744073709551615", "0.000000000000000000012", "NaN", "Infinity", "-Infinity",
  ])
  func `numeric reads as PostgreSQL writes it`(_ value: String) throws {
    var connection = try PostgresTests.connect(Self.database.get())
    if value.hasSuffix("Infinity") && connection.serverVersion < 140_000 { return }
    let result = try connection.execute("SELECT $1::numeric AS n, $1::numeric::text AS t", [.untyped(value)])
    let read: String = try result[0, "n"]
    let written: String = try result[0, "t"]
    #expect(read == written)
  }

  @Test func `NULL is nil, and an error where none is expected`() throws {
    #expect(try roundTrip(.null) == nil as String?)
    var connection = try PostgresTests.connect(Self.database.get())
    let result = try connection.execute("SELECT $1::bigint AS amount, 5::bigint", [nil])
    let amount: Int64? = try result[0, "amount"]
    let five: Int64? = try result[0, 1]
    #expect(amount == nil)
    #expect(five == 5)
    #expect(try result.isNull(row: 0, column: 0))
    #expect(try !result.isNull(row: 0, column: 1))
    let error = PostgresTests.failure { let _: Int64 = try result[0, "amount"] }
    #expect(error?.kind == .decoding(.unexpectedNull))
    #expect(error?.columnName == "amount")
    #expect(error?.isRetryable == false)
  }

  @Test func `types do not pass for one another`() throws {
    var connection = try PostgresTests.connect(Self.database.get())
    let result = try connection.execute(
      "SELECT 1::bigint AS a, 'x' AS b, 1.5::numeric AS c, ROW(1, 2) AS d, now() AS e")
    #expect(PostgresTests.failure { let _: Int32 = try result[0, "a"] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: String = try result[0, "a"] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: Int64 = try result[0, "b"] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: [UInt8] = try result[0, "b"] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: Double = try result[0, "c"] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: String = try result[0, "d"] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: PostgresUUID = try result[0, "e"] }?.kind == .decoding(.typeMismatch))
  }

  @Test func `a database's own enum reads as text, its composite does not`() throws {
    let database = try TestDatabase()
    var connection = try PostgresTests.connect(database)
    try connection.executeScript(
      "CREATE TYPE mood AS ENUM ('calm', 'wild'); CREATE TYPE pair AS (a integer, b integer)")
    let result = try connection.execute("SELECT $1::mood, ROW(7, 8)::pair", [.untyped("wild")])
    let mood: String = try result[0, 0]
    #expect(mood == "wild")
    #expect(PostgresTests.failure { let _: String = try result[0, 1] }?.kind == .decoding(.typeMismatch))
  }

  @Test func `any type reads as text in the text format`() throws {
    var connection = try PostgresTests.connect(Self.database.get(), ["options": "-c DateStyle=ISO"])
    let result = try connection.execute("SELECT date '2026-11-29' AS day, 5 AS five", format: .text)
    let day: String = try result[0, "day"]
    #expect(day == "2026-11-29")
    #expect(PostgresTests.failure { let _: Int = try result[0, "five"] }?.kind == .decoding(.typeMismatch))
  }

  @Test func `real, oid and the single-byte char are read`() throws {
    var connection = try PostgresTests.connect(Self.database.get())
    let result = try connection.execute("SELECT 1.5::real, 4294967295::oid, 'x'::\"char\", 'pg'::name")
    #expect(try result.value(Float.self, row: 0, column: 0) == 1.5)
    #expect(try result.value(Double.self, row: 0, column: 0) == 1.5)
    #expect(try result.value(Int64.self, row: 0, column: 1) == 4_294_967_295)
    #expect(try result.value(UInt8.self, row: 0, column: 2) == UInt8(ascii: "x"))
    #expect(try result.value(String.self, row: 0, column: 3) == "pg")
  }

  @Test func `literals are parameters`() throws {
    var connection = try PostgresTests.connect(Self.database.get())
    let result = try connection.execute("SELECT $1, $2, $3, $4, $5::text", [7, 0.5, true, "text", nil])
    #expect(try result.value(Int64.self, row: 0, column: 0) == 7)
    #expect(try result.value(Double.self, row: 0, column: 1) == 0.5)
    #expect(try result.value(Bool.self, row: 0, column: 2))
    #expect(try result.value(String.self, row: 0, column: 3) == "text")
    #expect(try result.isNull(row: 0, column: 4))
  }
}
