import Foundation
import TestSupport
import Testing

@testable import StoryClient

/// Several processes on one queue, one of them killed. This test program runs itself as those processes.
@Suite struct QueueProcessTests {
  private static let containerVariable = "PAGEFALL_QUEUE_CHILD"
  private static let childContainer = ProcessInfo.processInfo.environment[containerVariable]
  private static let ownProgram = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  private static let sessionsOfChild = 400
  private static let eventsOfSession = 12

  /// What a process does: records sessions, and notes each event after its call has returned.
  @Test(.enabled(if: childContainer != nil))
  func `be a process that records`() throws {
    let container = try #require(Self.childContainer)
    let log = open("\(container)/log-\(getpid())", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    defer { close(log) }
    var configuration = StoryClientConfiguration(collector: URL(fileURLWithPath: "/nowhere"), writeKey: "pfw_test")
    configuration.queueDirectory = URL(fileURLWithPath: container, isDirectory: true)
    let client = StoryClient(configuration)
    for _ in 0..<Self.sessionsOfChild {
      let story = client.beginStory(userInfo: storyPayload())
      for seq in 0..<Self.eventsOfSession {
        if seq == Self.eventsOfSession - 1 { story.didDismiss() } else { story.didShow(pageIndex: seq % 3) }
        let line = Array("\(story.sessionID) \(seq)\n".utf8)
        _ = write(log, line, line.count)
      }
    }
  }

  @Test(.enabled(if: childContainer == nil && ownProgram != nil))
  func `two write, one reads and removes, one is killed: each event whose call returned is read, whole`() throws {
    let directory = try TemporaryDirectory()
    let phone = try TestPhone(container: directory.path)
    let queue = phone.client().eventQueue
    let children = try (0..<2).map { _ in try start(directory.path) }
    var read: [String: [UInt8]] = [:]
    func readOn() {
      while let batch = queue.nextBatch(mostEvents: 50) {
        for event in batch.parts.flatMap(\.events) {
          let waiting = WaitingEvent(context: [], json: event.json)
          let key = "\(waiting.session) \(waiting.seq)"
          #expect(read[key] == nil || read[key] == event.json)
          read[key] = event.json
        }
        queue.remove(batch)
      }
    }
    let end = Date().addingTimeInterval(60)
    while read.count < 1_500, Date() < end { readOn() }
    kill(children[0].processIdentifier, SIGKILL)
    while children[1].isRunning, Date() < end { readOn() }
    for child in children { child.waitUntilExit() }
    readOn()
    let noted = try phone.logs(directory.path)
    #expect(children[1].terminationStatus == 0)
    #expect(noted.count > 1_500 && noted.allSatisfy { read[$0] != nil })
    // A killed writer may have had one more on the disk than it could note.
    #expect(Set(read.keys).subtracting(noted).count <= 1)
    #expect(queue.droppedEventsTotal == 0 && queue.damagedEntriesTotal == 0)
    #expect(phone.names.filter { $0.hasSuffix(".closed") || $0.hasSuffix(".removing") } == [])
    #expect(phone.names.filter { $0.hasSuffix(".open") }.count <= 1)
  }

  private func start(_ container: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.ownProgram))
    process.arguments = ["--testing-library", "swift-testing", "--filter", "QueueProcessTests"]
    process.environment = ProcessInfo.processInfo.environment.merging([Self.containerVariable: container]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}

extension TestPhone {
  /// What the processes have noted: `SESSION SEQ` each.
  fileprivate func logs(_ container: String) throws -> Set<String> {
    var noted: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: container) where name.hasPrefix("log-") {
      let text = String(decoding: FileManager.default.contents(atPath: "\(container)/\(name)") ?? Data(), as: UTF8.self)
      noted.formUnion(text.split(separator: "\n").map { String($0) })
    }
    return noted
  }
}
