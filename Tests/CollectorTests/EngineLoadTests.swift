import Foundation
import Testing

@testable import Collector

/// Real load by `wrk`, where it is installed.
@Suite(.serialized) struct EngineLoadTests {
  static let wrk = ["/usr/bin/wrk", "/usr/local/bin/wrk", "/opt/homebrew/bin/wrk"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// libmicrohttpd 0.9.75 waits without limit when one `epoll_wait` returns exactly 128 events, so that its own loop
  /// stalls for good with that many connections (architecture §3).
  @Test(.enabled(if: wrk != nil), arguments: [127, 128, 129], ["/commit", "/lookup"])
  func `no number of connections stalls the loop`(connections: Int, path: String) throws {
    let engine = try EngineHarness()
    let script = FileManager.default.temporaryDirectory.appending(path: "pagefall-\(UUID()).lua")
    try Data(#"wrk.method = "POST" wrk.body = "x" wrk.path = "\#(path)""#.utf8).write(to: script)
    defer { try? FileManager.default.removeItem(at: script) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.wrk))
    process.arguments = [
      "-t1", "-c\(connections)", "-d1s", "--timeout", "1s", "-s", script.path, "http://127.0.0.1:\(engine.port)\(path)",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(!text.contains("timeout"), "\(text)")
    #expect(!text.contains("Non-2xx"), "\(text)")
    // Each connection is served over and over; a stall would leave each with its first few answers.
    let total = text.split(separator: "\n").first { $0.contains(" requests in ") }
    let answered = total?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    #expect(answered > connections * 20, "\(text)")
    if path == "/commit" {
      #expect(engine.commits.requests.load(ordering: .relaxed) >= answered)
      #expect(engine.commits.largest.load(ordering: .relaxed) > 1)
    }
  }
}
