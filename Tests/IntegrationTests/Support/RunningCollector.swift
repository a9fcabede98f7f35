import Foundation
import TestSupport
import Testing

/// `pagefall serve` on a free port of 127.0.0.1.
final class RunningCollector {
  /// The process.
  let process: PagefallProcess.Running
  /// Where it takes events.
  let port: Int

  /// Starts it and waits for its ready line.
  /// - Parameters:
  ///   - directory: its data directory, with the spool.
  ///   - database: nil: a private one in the directory.
  init(
    _ directory: String, database: String?, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    let source = database.map { ["--database", $0] } ?? []
    process = try PagefallProcess.start(
      ["serve", "--data-dir", directory, "--listen", "127.0.0.1:0"] + source + arguments, environment: environment)
    let line = try process.waitForLine(containing: "ready on http://127.0.0.1:", timeout: .seconds(60))
    let digits = line.components(separatedBy: "http://127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
    port = try #require(Int(digits))
  }

  /// A counter of `/metrics`, such as `pagefall_events_loaded_total{fate="stored"}`.
  func metric(_ name: String) throws -> Int {
    let text = try HTTPCall.get("/metrics", port: port).body
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return try #require(line.flatMap { Int($0.dropFirst(name.utf8.count + 1)) }, "\(name) in \(text)")
  }

  /// Sends SIGTERM and waits.
  /// - Returns: the exit code, and how long it took.
  func terminate() throws -> (exitCode: Int32, took: Duration) {
    var exitCode: Int32 = -1
    let took = try time {
      process.signal(SIGTERM)
      exitCode = try process.waitForExit(timeout: .seconds(40))
    }
    return (exitCode, took)
  }

  /// Sends SIGKILL and waits until it is gone.
  func kill() throws {
    process.signal(SIGKILL)
    try process.waitForExit()
  }
}

/// Events of sessions that a number decides.
enum EventText {
  /// The id of session `number`: a UUIDv7 of 2026-11-29.
  static func sessionID(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "01a226bf-4900-7cc1-9d2e-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// One event.
  static func pageShown(session: Int, seq: Int = 0, page: String = "") -> String {
    """
    {"type":"page_shown","session_id":"\(sessionID(session))","seq":\(seq),"at":"2026-11-29T10:00:00Z","page_index":0\(page)}
    """
  }
}
