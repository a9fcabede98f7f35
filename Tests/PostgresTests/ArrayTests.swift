import Postgres
import TestSupport
import Testing

@Suite struct ArrayTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase() }

  private func roundTrip<Element: PostgresDecodable & Equatable>(
    _ parameter: PostgresValue, _ expected: [Element]
  ) throws {
    var connection = try PostgresTests.connect(database)
    let back: [Element] = try connection.execute("SELECT $1", [parameter])[0, 0]
    #expect(back == expected)
  }

  @Test func `arrays of every type come back as they went`() throws {
    try roundTrip(.int16Array([.min, 0, .max]), [Int16.min, 0, .max])
    try roundTrip(.int32Array([.min, 0, .max]), [Int32.min, 0, .max])
    try roundTrip(.int64Array([.min, 0, .max]), [Int64.min, 0, .max])
    try roundTrip(.doubleArray([-.infinity, 0.1]), [-.infinity, 0.1])
    try roundTrip(.boolArray([true, false]), [true, false])
    try roundTrip(.textArray(["", "a,b", "{\"}", "NULL", "ü"]), ["", "a,b", "{\"}", "NULL", "ü"])
    try roundTrip(.bytesArray([[], [0, 255]]), [[], [0, 255]] as [[UInt8]])
    let uuids = [PostgresUUID(high: 0, low: 0), PostgresUUID(high: 1, low: .max)]
    try roundTrip(.uuidArray(uuids), uuids)
    let times = [PostgresTimestamp.negativeInfinity, PostgresTimestamp(microsecondsSince1970: -1)]
    try roundTrip(.timestampArray(times), times)
  }

  @Test func `empty arrays and NULL elements are kept`() throws {
    try roundTrip(.int64Array([]), [] as [Int64])
    try roundTrip(.textArray([nil, "", nil]), [nil, "", nil] as [String?])
    try roundTrip(.int64Array([nil]), [nil] as [Int64?])
  }

  @Test func `a NULL element is an error where none is expected`() throws {
    var connection = try PostgresTests.connect(database)
    let result = try connection.execute("SELECT ARRAY[1, NULL]::bigint[] AS numbers, ARRAY[[1, 2], [3, 4]] AS square")
    #expect(PostgresTests.failure { let _: [Int64] = try result[0, 0] }?.kind == .decoding(.unexpectedNull))
    #expect(PostgresTests.failure { let _: [String?] = try result[0, 0] }?.kind == .decoding(.typeMismatch))
    #expect(PostgresTests.failure { let _: [Int32] = try result[0, 1] }?.kind == .decoding(.typeMismatch))
  }

  @Test func `a NULL array is nil, and what is no array is reported`() throws {
    var connection = try PostgresTests.connect(database)
    let result = try connection.execute("SELECT NULL::int[], 5::bigint, 'some longer text than twelve bytes'")
    let none: [Int32]? = try result[0, 0]
    #expect(none == nil)
    #expect(PostgresTests.failure { let _: [Int64] = try result[0, 1] } != nil)
    #expect(PostgresTests.failure { let _: [Int64] = try result[0, 2] } != nil)
  }

  @Test func `a large array feeds an insert`() throws {
    var connection = try PostgresTests.connect(database)
    try connection.execute("CREATE TABLE numbers (n bigint)")
    let numbers = (0..<100_000).map { Int64($0) }
    let result = try connection.execute("INSERT INTO numbers SELECT unnest($1::bigint[])", [.int64Array(numbers)])
    #expect(result.affectedRows == 100_000)
    let sum: Int64 = try connection.execute("SELECT sum(n)::bigint FROM numbers")[0, 0]
    #expect(sum == 4_999_950_000)
  }
}
