import Foundation
import StoryClient
import TestSupport
import Testing

/// A phone in a process of its own: this very test program, started by another test with an environment that says so.
enum PhoneUploadChild {
  private static let prefix = "PHONE_UPLOAD_"

  /// What the environment says; nil in the test program itself.
  static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[prefix + name] }

  /// Starts one, on Linux. It watches 20 stories, writes a line into its journal after each event that it has recorded, and ends soon
  /// after, whatever is still queued.
  static func start(
    queue: String, journal: String, port: Int, key: String, seed: UInt64
  ) throws -> PagefallProcess.Running {
    let values = ["QUEUE": queue, "JOURNAL": journal, "PORT": "\(port)", "KEY": key, "SEED": "\(seed)"]
    let environment = Dictionary(uniqueKeysWithValues: values.map { (prefix + $0.key, $0.value) })
    _ = FileManager.default.createFile(atPath: journal, contents: nil)
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return try PagefallProcess.start(
      ["--testing-library", "swift-testing", "--filter", "PhoneUploadChildTests"], environment: environment,
      binary: program)
  }
}

@Suite(.enabled(if: PhoneUploadChild.setting("QUEUE") != nil, "started by PhoneUploadTests"))
struct PhoneUploadChildTests {
  @Test func `a phone records and uploads`() throws {
    func setting(_ name: String) throws -> String { try #require(PhoneUploadChild.setting(name)) }
    let journal = open(try setting("JOURNAL"), O_WRONLY | O_APPEND)
    defer { close(journal) }
    let port = try #require(Int(setting("PORT")))
    var random = SeededGenerator(seed: try #require(UInt64(setting("SEED"))))
    let phone = try Phone(setting("QUEUE"), port: port, key: setting("KEY"))
    phone.watch(20, &random) { sessionID in
      let line = Array("\(sessionID)\n".utf8)
      _ = write(journal, line, line.count)
    }
    _ = phone.empty(within: .milliseconds(500))
  }
}
