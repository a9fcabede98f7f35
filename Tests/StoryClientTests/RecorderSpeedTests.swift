import Foundation
import TestSupport
import Testing

@testable import StoryClient

/// What a callback costs: `swift test -c release -Xswiftc -enable-testing --filter RecorderSpeedTests` prints the figures of
/// docs/phone-queue.md.
@Suite(.serialized) struct RecorderSpeedTests {
  private let directory: TemporaryDirectory
  private let client: StoryClient

  init() throws {
    directory = try TemporaryDirectory()
    var configuration = StoryClientConfiguration(collector: URL(fileURLWithPath: "/nowhere"), writeKey: "pfw_test")
    configuration.queueDirectory = URL(fileURLWithPath: directory.path, isDirectory: true)
    client = StoryClient(configuration)
  }

  @Test func `a callback takes far less than a display's frame`() {
    var costs: [String: [UInt64]] = [:]
    func measure<Value>(_ name: String, _ call: () -> Value) -> Value {
      let start = DispatchTime.now().uptimeNanoseconds
      let value = call()
      costs[name, default: []].append(DispatchTime.now().uptimeNanoseconds - start)
      return value
    }
    for _ in 0..<200 {
      let story = measure("beginStory") { client.beginStory(userInfo: storyPayload(5)) }
      measure("didStart") { story.didStart(pageCount: 5) }
      for page in 0..<8 { measure("didShow") { story.didShow(pageIndex: page % 5) } }
      measure("didDismiss") { story.didDismiss() }
    }
    costs["all callbacks"] = ["didStart", "didShow", "didDismiss"].flatMap { costs[$0] ?? [] }
    for (name, costs) in costs.sorted(by: { $0.key < $1.key }) {
      print("\(name): median \(Self.part(0.5, costs)) µs, 99 % within \(Self.part(0.99, costs)) µs")
    }
    // A tenth of what would be seen even in a debug build on a busy machine.
    #expect(Self.part(0.5, costs["all callbacks"] ?? []) < 1_000)
  }

  private static func part(_ share: Double, _ nanoseconds: [UInt64]) -> Double {
    let sorted = nanoseconds.sorted()
    guard let last = sorted.indices.last else { return 0 }
    return Double(sorted[Int(Double(last) * share)] / 100) / 10
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func `a recorder of five pages takes some kilobytes`() {
    func anonymousKilobytes() -> Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    let before = anonymousKilobytes()
    let stories = (0..<500).map { _ in client.beginStory(userInfo: storyPayload(5)) }
    for story in stories { story.didStart(pageCount: 5) }
    let each = Double(anonymousKilobytes() - before) / 500
    print("a recorder: \(each) KiB")
    // Other tests run beside it; a megabyte each would be a leak.
    #expect(each < 1_000)
    withExtendedLifetime(stories) {}
  }
}
