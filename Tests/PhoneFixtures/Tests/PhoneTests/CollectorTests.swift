import Foundation
import PushwooshCore
import StoryClient
import Testing
import UserNotifications

@testable import ExampleFiles

/// The commands of docs/ios.md, run one after the other in one shell, with a phone in the place of the Simulator.
@MainActor @Suite struct CollectorTests {
  @Test func `who follows the page sees the events arrive, each once`() async throws {
    let shell = try Shell()
    let commands = try blocks("sh")
    #expect(commands.count == 4)
    for command in commands.dropLast() { try shell.run(command) }
    let key = try #require(shell.output.components(separatedBy: "\n").first { $0.hasPrefix("pfw_") })
    let payload = try shell.payload("story.apns")
    #expect((payload["aps"] as? [String: Any])?["category"] as? String == "PW_STORIES")
    #expect(payload["Simulator Target Bundle"] as? String == "com.example.shop")

    let queue = try PhoneQueue(collector: shell.collector, writeKey: key, device: .custom("phone-1"))
    let controller = TestedController(client: queue.client)
    controller.didReceive(UNNotification(userInfo: payload, categoryIdentifier: "PW_STORIES"))
    controller.play(until: 20 * second)
    controller.viewWillDisappear(false)
    let delegate = PagefallRichMediaDelegate(client: queue.client, window: RichMediaWindow(position: "top"))
    let richMedia = PWRichMedia(source: .inApp, content: "BBBBB-00002")
    delegate.richMediaManager(nil, didPresent: richMedia)
    delegate.richMediaManager(nil, didClose: richMedia)
    PagefallNotificationDelegate(client: queue.client).userNotificationCenter(
      UNUserNotificationCenter(),
      didReceive: UNNotificationResponse(
        notification: UNNotification(userInfo: [:], categoryIdentifier: "12345"), actionIdentifier: "1")
    ) {}
    for _ in 0..<200 where queue.client.queue.waitingEvents > 0 {
      queue.client.upload()
      try await Task.sleep(nanoseconds: 100_000_000)
    }
    #expect(queue.client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 0))

    var lines: [String] = []
    for _ in 0..<100 where lines.count < 8 {
      try await Task.sleep(nanoseconds: 100_000_000)
      lines = try shell.run(commands[3]).components(separatedBy: "\n").filter { !$0.isEmpty }
    }
    for type in [
      "start", "page_shown", "page_shown", "finish", "dismiss", "rich_media_presented", "rich_media_closed",
      "notification_response",
    ] {
      let place = try #require(lines.firstIndex { $0.contains("  \(type)") }, "\(type) in \(lines)")
      lines.remove(at: place)
    }
    #expect(lines.isEmpty)
  }
}

/// One shell in a folder that is as far a checkout as the page needs one, with a collector on a port that was free.
@MainActor final class Shell {
  private let folder: URL
  private var collectorProcess: Process?
  private(set) var collector: URL?
  /// What all commands have printed.
  private(set) var output = ""

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("phone-shell-\(UUID().uuidString)")
    let binary = try #require(
      ProcessInfo.processInfo.environment["PAGEFALL_BINARY"],
      "PAGEFALL_BINARY names no pagefall; use scripts/phone-check")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent("bin/pagefall").path, withDestinationPath: binary)
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("Examples"),
      withDestinationURL: projectFolder.appendingPathComponent("Examples"))
  }

  deinit {
    collectorProcess?.terminate()
    collectorProcess?.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs the lines of a block, which has to succeed. `pagefall serve &` is started apart and waited for.
  @discardableResult
  func run(_ block: String) throws -> String {
    var printed = ""
    for line in block.components(separatedBy: "\n") {
      if line == "pagefall serve &" {
        try serve()
        continue
      }
      let process = process(line)
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      printed += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(line)")
    }
    output += printed
    return printed
  }

  /// A JSON object that a command has written.
  func payload(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func process(_ line: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("PAGEFALL")
    }
    environment["PATH"] = "\(folder.path)/bin:\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["PAGEFALL_LISTEN"] = "127.0.0.1:0"
    process.environment = environment
    return process
  }

  private func serve() throws {
    let process = process("exec pagefall serve 2> serve.log")
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    collectorProcess = process
    var line = ""
    while !line.hasSuffix("\n") {
      let data = pipe.fileHandleForReading.availableData
      try #require(!data.isEmpty, "pagefall serve ended; see its log")
      line += String(decoding: data, as: UTF8.self)
    }
    let address = try #require(line.components(separatedBy: " ").first { $0.hasPrefix("http") })
    collector = URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
