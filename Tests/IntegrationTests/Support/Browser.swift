import Foundation
import FunnelDocument
import TestSupport

/// A real Chromium without a window, spoken to over a pair of pipes in its DevTools protocol: messages in JSON, a zero byte
/// after each. `scripts/setup` installs it.
final class Browser {
  /// What was not the answer to a command so far, in its order.
  private(set) var events: [JSONValue] = []

  private let directory: TemporaryDirectory
  private let running: PagefallProcess.Running
  private let commands: Int32
  private let answers: Int32
  private var received: [UInt8] = []
  private var lastNumber = 0
  private var session: String?

  /// Longer than any command takes on a busy machine.
  private static let patience = Duration.seconds(30)

  /// Starts it with one empty page.
  init() throws {
    let program = try Self.program()
    directory = try TemporaryDirectory()
    let path = directory.path
    for name in ["commands", "answers"] where mkfifo("\(path)/\(name)", 0o600) != 0 {
      throw BrowserError("no pipe in \(path)")
    }
    // Open for both, so that neither waits for the other side; that the browser ends is seen by its silence.
    commands = open("\(path)/commands", O_RDWR | O_CLOEXEC)
    answers = open("\(path)/answers", O_RDWR | O_CLOEXEC)
    // Its sandbox needs rights that a container or root does not give; it loads files of this test alone.
    let command = """
      exec "$0" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
      --disable-background-networking --disable-component-update --remote-debugging-pipe \
      --user-data-dir="$1/profile" about:blank 3< "$1/commands" 4> "$1/answers"
      """
    running = try PagefallProcess.start(
      ["-c", command, program, path], environment: ["HOME": path], binary: "/bin/bash")
    let target = try call("Target.createTarget", ["url": .string("about:blank")])["targetId"]
    session = try call("Target.attachToTarget", ["targetId": target ?? .null, "flatten": .bool(true)])["sessionId"]?
      .stringValue
    for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
  }

  deinit {
    close(commands)
    close(answers)
  }

  /// Forgets what has happened.
  func forgetEvents() { events = [] }

  /// Sends a command and waits for its answer.
  @discardableResult
  func call(_ method: String, _ parameters: [String: JSONValue] = [:]) throws -> JSONValue {
    lastNumber += 1
    var members = [
      JSONMember("id", .integer(Int64(lastNumber))), JSONMember("method", .string(method)),
      JSONMember("params", .object(parameters.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })),
    ]
    if let session { members.append(JSONMember("sessionId", .string(session))) }
    try send(JSONValue.object(members).text(layout: .compact))
    let deadline = ContinuousClock.now + Self.patience
    while true {
      let message = try receive(until: deadline)
      guard message["id"]?.integerValue == lastNumber else {
        events.append(message)
        continue
      }
      if let error = message["error"] { throw BrowserError("\(method): \(error.text(layout: .compact))") }
      return message["result"] ?? .null
    }
  }

  /// Waits until an event of this name has come.
  func wait(for method: String) throws {
    let deadline = ContinuousClock.now + Self.patience
    while !events.contains(where: { $0["method"]?.stringValue == method }) {
      events.append(try receive(until: deadline))
    }
  }

  private func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    bytes.append(0)
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
      guard written > 0 else { throw BrowserError("Chromium takes no commands") }
      bytes = bytes.dropFirst(written)
    }
  }

  private func receive(until deadline: ContinuousClock.Instant) throws -> JSONValue {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = received[..<end]
        received.removeSubrange(...end)
        return try JSONValue(text: message)
      }
      var waiting = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 200) > 0 {
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = max(0, read(answers, buffer.baseAddress, buffer.count))
        }
        received += piece
      } else if ContinuousClock.now > deadline {
        throw BrowserError("Chromium does not answer; it said: \(running.standardError.suffix(2_000))")
      }
    }
  }

  /// Where Chromium is.
  private static func program() throws -> String {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates =
      paths.flatMap { path in ["chromium", "chromium-browser", "google-chrome"].map { "\(path)/\($0)" } }
      + ["Chromium", "Google Chrome"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw BrowserError("these tests need Chromium, and there is none; scripts/setup installs it")
    }
    return found
  }
}

/// Why the browser did not do what a test needs.
struct BrowserError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
