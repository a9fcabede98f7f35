import Postgres
import TestSupport
import Testing

@Suite struct CopyTests {
  let database: TestDatabase

  init() throws {
    database = try TestDatabase()
    _ = try database.psql("CREATE TABLE points (id bigint PRIMARY KEY, name text)")
  }

  private static let copyPoints = "COPY points (id, name) FROM STDIN (FORMAT binary)"

  private func write(_ ids: some Sequence<Int64>, _ writer: inout CopyWriter) throws(PostgresError) {
    var encoder = BinaryCopyEncoder(capacityBytes: 64)
    encoder.appendHeader()
    for id in ids {
      encoder.beginRow(fieldCount: 2)
      encoder.append(id)
      encoder.append(text: "point \(id)")
      if encoder.byteCount > 65_536 { try writer.write(&encoder) }
    }
    encoder.appendTrailer()
    try writer.write(&encoder)
  }

  @Test func `every type goes in by COPY as it goes in by INSERT`() throws {
    var connection = try PostgresTests.connect(database)
    try connection.execute(
      """
      CREATE TABLE kinds (a boolean, b smallint, c integer, d bigint, e double precision, f uuid, g timestamptz, h text,
        i bytea, j jsonb, k text)
      """)
    let uuid = PostgresUUID(high: 0x01a2_26bf_4900_7cc1, low: 0x9d2e_5a1b_2c3d_4e5f)
    let blob: [UInt8] = [0, 1, 254, 255]
    let json = #"{"a": 1}"#
    let rows = try connection.copyIn("COPY kinds FROM STDIN (FORMAT binary)") { writer throws(PostgresError) in
      var encoder = BinaryCopyEncoder()
      encoder.appendHeader()
      for time in [Int64.min, -1, 1_796_083_200_123_456, .max] {
        encoder.beginRow(fieldCount: 11)
        encoder.append(true)
        encoder.append(Int16.min)
        encoder.append(Int32.max)
        encoder.append(Int64.min)
        encoder.append(-Double.infinity)
        encoder.append(uuid)
        encoder.append(timestampMicrosecondsSince1970: time)
        encoder.append(text: "ü")
        blob.withUnsafeBytes { encoder.append(bytes: $0) }
        Array(json.utf8).withUnsafeBytes { encoder.append(jsonb: $0) }
        encoder.appendNull()
      }
      encoder.appendTrailer()
      try writer.write(&encoder)
    }
    #expect(rows == 4)
    let parameters: [PostgresValue] = [
      .bool(true), .int16(.min), .int32(.max), .int64(.min), .double(-.infinity), .uuid(uuid),
      .timestamp(.infinity), .text("ü"), .bytes(blob), .jsonb(json), .null,
    ]
    let same: Int = try connection.execute(
      """
      SELECT count(*) FROM kinds WHERE (a, b, c, d, e, f, h, i, j) = ($1, $2, $3, $4, $5, $6, $8, $9, $10)
      AND k IS NOT DISTINCT FROM $11 AND g <= $7
      """, parameters)[0, 0]
    #expect(same == 4)
    let times = try connection.execute("SELECT g FROM kinds ORDER BY g")
    #expect(try times.value(PostgresTimestamp.self, row: 0, column: 0) == .negativeInfinity)
    #expect(try times.value(PostgresTimestamp.self, row: 1, column: 0).microsecondsSince1970 == -1)
    #expect(try times.value(PostgresTimestamp.self, row: 2, column: 0).microsecondsSince1970 == 1_796_083_200_123_456)
    #expect(try times.value(PostgresTimestamp.self, row: 3, column: 0) == .infinity)
  }

  @Test func `the encoder's bytes are those of the documentation`() {
    var encoder = BinaryCopyEncoder(capacityBytes: 1)
    encoder.appendHeader()
    encoder.beginRow(fieldCount: 3)
    encoder.append(Int32(258))
    encoder.appendNull()
    encoder.append(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    encoder.appendTrailer()
    let bytes = encoder.withUnsafeBytes { Array($0) }
    let header: [UInt8] = Array("PGCOPY\n".utf8) + [255, 13, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(bytes == header + [0, 3, 0, 0, 0, 4, 0, 0, 1, 2, 255, 255, 255, 255, 0, 0, 0, 0, 255, 255])
    encoder.removeAll()
    #expect(encoder.byteCount == 0)
  }

  @Test func `many rows go in, cut at any place`() throws {
    var connection = try PostgresTests.connect(database)
    let rows = try connection.copyIn(Self.copyPoints) { writer throws(PostgresError) in
      try write(0..<200_000, &writer)
    }
    #expect(rows == 200_000)
    // Byte by byte, as text.
    let more = try connection.copyIn("COPY points FROM STDIN") { writer throws(PostgresError) in
      for byte in "-1\ta\n-2\t\\N\n".utf8 {
        try withUnsafeBytes(of: byte) { (bytes) throws(PostgresError) in try writer.write(bytes) }
      }
    }
    #expect(more == 2)
    let empty = try connection.copyIn("COPY points FROM STDIN") { _ throws(PostgresError) in }
    #expect(empty == 0)
  }

  @Test func `a throwing closure stores nothing, and its error wins`() throws {
    var connection = try PostgresTests.connect(database)
    #expect(throws: Refusal.self) {
      try connection.copyIn(Self.copyPoints) { writer in
        try write(0..<50_000, &writer)
        throw Refusal()
      }
    }
    // Also where the server had an error of its own to tell.
    #expect(throws: Refusal.self) {
      try connection.copyIn(Self.copyPoints) { writer in
        try write([1, 1], &writer)
        throw Refusal()
      }
    }
    let count: Int = try connection.execute("SELECT count(*) FROM points")[0, 0]
    #expect(count == 0)
    #expect(connection.isUsable == true)
  }

  @Test func `a unique violation is told with its constraint and without the key`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.copyIn(Self.copyPoints) { writer throws(PostgresError) in
        try write([4711, 4712, 4711], &writer)
      }
    }
    #expect(error?.kind == .server(.uniqueViolation))
    #expect(error?.constraintName == "points_pkey")
    #expect(error?.tableName == "points")
    #expect(error?.description.contains("4711") == false)
    #expect(error?.debugDescription.contains("4711") == true)
    #expect(connection.isUsable == true)
  }

  @Test func `a violation early in a long COPY ends it with the server's error`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.copyIn(Self.copyPoints) { writer throws(PostgresError) in
        try write([1, 1] + Array(2..<300_000), &writer)
      }
    }
    #expect(error?.kind == .server(.uniqueViolation))
    #expect(connection.isUsable == true)
  }

  @Test(arguments: [
    "SELECT 1", "COPY points TO STDOUT", "COPY nowhere FROM STDIN", "", "COPY points FROM STDIN; SELECT 1/0",
  ])
  func `what is no single COPY FROM STDIN is refused`(_ sql: String) throws {
    var connection = try PostgresTests.connect(database)
    #expect(throws: PostgresError.self) { try connection.copyIn(sql) { _ in } }
    #expect(throws: PostgresError.self) { try connection.copyOut("COPY points FROM STDIN") { _ in } }
    let one: Int = try connection.execute("SELECT 1")[0, 0]
    #expect(one == 1)
  }

  @Test func `broken binary data is refused by the server`() throws {
    var connection = try PostgresTests.connect(database)
    let error = PostgresTests.failure {
      try connection.copyIn(Self.copyPoints) { writer throws(PostgresError) in
        var encoder = BinaryCopyEncoder()
        encoder.appendHeader()
        encoder.beginRow(fieldCount: 1)
        encoder.append(Int64(1))
        encoder.appendTrailer()
        try writer.write(&encoder)
      }
    }
    #expect(error?.kind == .server(.badCopyFileFormat))
    #expect(connection.isUsable == true)
  }

  @Test func `a lost connection in the middle is told`() throws {
    var connection = try PostgresTests.connect(database)
    let backend = connection.backendProcessID
    let error = PostgresTests.failure {
      try connection.copyIn(Self.copyPoints) { writer in
        try write(0..<1000, &writer)
        _ = try database.psql("SELECT pg_terminate_backend(\(backend), 5000)")
        for _ in 0..<100 { try [UInt8](repeating: 0, count: 100_000).withUnsafeBytes { try writer.write($0) } }
      }
    }
    #expect(error?.isRetryable == true)
    #expect(connection.isUsable == false)
  }

  @Test func `COPY out hands over each row, and its closure may leave`() throws {
    var connection = try PostgresTests.connect(database)
    try connection.execute("INSERT INTO points SELECT n, 'p' FROM generate_series(1, 50000) AS t (n)")
    var lines = 0
    var bytes = 0
    try connection.copyOut("COPY (SELECT id FROM points ORDER BY id) TO STDOUT") { row in
      lines += 1
      bytes += row.count
    }
    #expect(lines == 50_000)
    #expect(bytes == 288_894)
    #expect(throws: Refusal.self) {
      try connection.copyOut("COPY (SELECT repeat('x', 1000), generate_series(1, 10000000)) TO STDOUT") { _ in
        throw Refusal()
      }
    }
    #expect(connection.isUsable == true)
    let error = PostgresTests.failure {
      try connection.copyOut("COPY (SELECT 10 / (5 - n) FROM generate_series(1, 10) AS t (n)) TO STDOUT") { _ in }
    }
    #expect(error?.kind == .server(.divisionByZero))
    #expect(connection.isUsable == true)
  }
}
