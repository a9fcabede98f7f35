import Compression
import Foundation
import Glibc
import Reports
import TestSupport
import Testing

@testable import Exports

@Suite struct `A file under way` {
  @Test(arguments: ExportCompression.allCases, [0, 1, 127 * 1_024, 128 * 1_024, 3_000_000])
  func `is read back by other programs`(_ compression: ExportCompression, _ count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    // Half of it cannot be compressed, so that more comes out than there is room for at once.
    let bytes = (0..<count).map { $0 < count / 2 ? UInt8(truncatingIfNeeded: random.next()) : UInt8($0 & 7) }
    let directory = try TemporaryDirectory()
    let name = "file" + compression.fileExtension
    let path = directory.path + "/" + name
    var file = try ExportFile(OutputDescriptor(EntryName(name), in: OpenDirectory(path: directory.path)), compression)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...300_000, using: &random))
      try Array(piece).withUnsafeBytes { try file.write($0) }
      rest = rest.dropFirst(piece.count)
    }
    let contents = try file.finish()
    let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(contents.bytes == written.count && contents.uncompressedBytes == count)
    #expect(try PlainBytes.of(written, named: path) == bytes)
    #expect(try Program.sha256(path) == contents.sha256)
    switch compression {
    case .gzip:
      _ = try Program.run("gzip", ["-t", path])
      let python = "import gzip,sys;print(len(gzip.open(sys.argv[1]).read()))"
      #expect(try Program.run("python3", ["-c", python, path]) == "\(count)\n")
    case .zstd: _ = try Program.run("zstd", ["-q", "-t", path])
    case .none: break
    }
  }

  @Test(arguments: ExportCompression.allCases)
  func `says that the disk is full`(_ compression: ExportCompression) throws {
    let full = try OpenFile(path: "/dev/full", O_WRONLY)
    var file = try ExportFile(OutputDescriptor(full, path: "/exports/events.csv"), compression)
    var random = SeededGenerator(seed: 1)
    let bytes = random.bytes(500_000)
    let error = #expect(throws: ExportError.self) { try bytes.withUnsafeBytes { try file.write($0) } }
    #expect(error?.kind == .file)
    #expect(error?.description == "/exports/events.csv cannot be written: the disk is full; make room and run it again")
  }

  @Test func `is never one that is there, and is made in the directory that was opened`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/events.csv"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let opened = try OpenDirectory(path: directory.path)
    let error = #expect(throws: ExportError.self) { _ = try OutputDescriptor("events.csv", in: opened) }
    #expect(error?.description == "\(path) cannot be made: File exists")
    let (first, moved) = (directory.path + "/first", directory.path + "/moved")
    try FileManager.default.createDirectory(atPath: first, withIntermediateDirectories: false)
    let set = try OpenDirectory(path: first)
    try FileManager.default.moveItem(atPath: first, toPath: moved)
    _ = try OutputDescriptor("events.csv", in: set)
    #expect(FileManager.default.fileExists(atPath: moved + "/events.csv"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test(.enabled(if: SmallDisk.canBeMounted, "this user may not mount a small file system"))
  func `fails a day whole where the disk is full`() throws {
    let disk = try SmallDisk("size=64k")
    try #require(disk.fill())
    let error = try failure(into: disk.path)
    #expect(error.kind == .file && error.description.hasPrefix("\(disk.path)/"))
    #expect(error.description.contains("the disk is full"))
  }

  @Test func `fails a day whole where a link is in its place, and follows none`() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/events.csv", withDestinationPath: directory.path + "/elsewhere")
    #expect(try failure(into: directory.path).description.contains("events.csv"))
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/elsewhere"))
  }

  /// Why a day cannot be written; the connection must be good for the next one.
  private func failure(into directory: String) throws -> ExportError {
    var connection = try `The files of a day`.world.get().connect()
    let opened = try OpenDirectory(path: directory)
    let error = #expect(throws: ExportError.self) {
      try connection.transaction(isolation: .repeatableRead, readOnly: true) { connection in
        _ = try DayWriter.write(
          ExportDay(.init(dayNumber: 20_786), in: .utc), try AppDirectory(&connection), appIDs: nil,
          ExportOptions(compression: .none), into: opened, &connection)
      }
    }
    #expect(connection.transactionStatus == .idle)
    return try #require(error)
  }
}

@Suite struct `Numbers of a file` {
  private func text(_ write: (inout CellWriter) -> Void) -> String {
    var cells = CellWriter([ExportColumn("n", .number, "N.")], ExportOptions(), capacity: 64)
    write(&cells)
    return String(decoding: cells.buffer.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (5, "5"), (-5, "-5"), (4.5, "4.5"), (0.001, "0.001"), (0.0001, "0.0001"),
    (0.1 + 0.2, "0.30000000000000004"),
    (1e15, "1000000000000000"), (1e16, "1e+16"), (1e300, "1e+300"), (123_456_789.125, "123456789.125"), (.infinity, ""),
    (.nan, ""),
    (.leastNonzeroMagnitude, "5e-324"),
    (9_007_199_254_740_992, "9007199254740992"), (-0.125, "-0.125"), (999_999_999_999.999, "999999999999.999"),
  ])
  func `are as short as they can be`(_ value: Double, _ expected: String) {
    #expect(text { $0.number(value) } == expected)
  }

  @Test func `read back as they were`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let values = [
        Double(bitPattern: random.next()), Double.random(in: -1e6...1e6, using: &random),
        Double(Int.random(in: -100_000...100_000, using: &random)) / 1_000,
      ]
      for value in values where value.isFinite {
        let written = text { $0.number(value) }
        #expect(Double(written) == value && written.utf8.count <= value.description.utf8.count)
      }
      let integer = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      #expect(text { $0.integer(integer) } == String(integer))
    }
    for integer in [Int64.min, .max, 0, -1, 9, 10, -10, 99, 100] {
      #expect(text { $0.integer(integer) } == String(integer))
    }
  }
}
