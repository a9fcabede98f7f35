import Foundation
import FunnelDocument
import TestSupport
import Testing

/// Where `report funnel -o` writes.
@Suite struct OutputFileTests {
  let directory: TemporaryDirectory
  let database: TestDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
  }

  @Test func `a file is replaced as a whole, keeps its permissions, and nothing is left beside it`() throws {
    let path = "\(directory.path)/funnel.json"
    _ = FileManager.default.createFile(
      atPath: path, contents: Data("old".utf8), attributes: [.posixPermissions: 0o640])
    let run = try report(to: path)
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput == "")
    #expect(try document(path)["report"] == .string("funnel"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["funnel.json"])
  }

  @Test func `a link leads to its file`() throws {
    let target = "\(directory.path)/target.json"
    let link = "\(directory.path)/link.json"
    _ = FileManager.default.createFile(atPath: target, contents: nil)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(try report(to: link).exitCode == 0)
    #expect(try document(target)["report"] == .string("funnel"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func `a link to a file that is not there makes that file, and a link to itself makes none`() throws {
    let link = "\(directory.path)/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.json")
    #expect(try report(to: link).exitCode == 0)
    #expect(try document("\(directory.path)/new.json")["report"] == .string("funnel"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "new.json")
    let loop = "\(directory.path)/loop.json"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop.json")
    #expect(try report(to: loop).exitCode == 3)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: loop) == "loop.json")
  }

  @Test func `what is no file is written to, and stays what it is`() throws {
    let pipe = "\(directory.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = try PagefallProcess.start([pipe], binary: "/bin/cat")
    #expect(try report(to: pipe).exitCode == 0)
    try reader.waitForExit()
    #expect(try JSONValue(text: reader.standardOutput)["report"] == .string("funnel"))
    var status = stat()
    #expect(stat(pipe, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test(arguments: ["missing/funnel.json", "."]) func `what cannot be written is told in one line`(name: String) throws
  {
    let run = try report(to: "\(directory.path)/\(name)")
    #expect(run.exitCode == 3)
    #expect(run.standardError.hasPrefix("pagefall: cannot write '\(directory.path)/\(name)': "))
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  private func report(to path: String) throws -> PagefallProcess.Result {
    try PagefallProcess.run([
      "report", "funnel", "--database", database.connectionString, "--format", "json", "-o", path,
    ])
  }

  private func document(_ path: String) throws -> JSONValue {
    try JSONValue(text: Array(try #require(FileManager.default.contents(atPath: path))))
  }
}
