import ExampleFiles
import Foundation
import StoryClient
import Testing

// The files of Examples/, run: what the SDK's stand-ins call back becomes exactly the expected events.
//
//   StoryTests         the Notification Content Extension's controller
//   RichMediaTests     the queueing delegate of rich media
//   ResponseTests      the notification center's delegate
//   CollectorTests     all three into a real collector, and the commands of docs/ios.md
//   DocumentTests      the code in docs/ios.md is the code of the files
//   PhoneQueue         a client with a queue of its own, and what is in it

/// A client whose events stay in a queue of its own, since its collector does not exist.
final class PhoneQueue {
  let client: StoryClient
  let directory: URL

  /// - Parameter collector: nil: one that nobody listens at.
  init(collector: URL? = nil, writeKey: String = "pfw_none", device: InstallIdentifier = .generated) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let nobody = try #require(URL(string: "http://127.0.0.1:1"))
    var configuration = StoryClientConfiguration(collector: collector ?? nobody, writeKey: writeKey)
    configuration.queueDirectory = directory
    configuration.installIdentifier = device
    configuration.environment = "phone-check"
    client = StoryClient(configuration)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// The sessions in the queue's files, the first begun first.
  func sessions() throws -> [QueuedSession] {
    let folder = directory.appendingPathComponent("pagefall")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var sessions: [String: QueuedSession] = [:]
    for name in names.filter({ $0.hasSuffix(".open") || $0.hasSuffix(".closed") }).sorted() {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      try sessions[String(name.prefix(36)), default: QueuedSession()].append(name: name, text: text)
    }
    // Identifiers of one millisecond have no order.
    return sessions.values.sorted { $0.startedAt < $1.startedAt }
  }

  /// The events of each session, as short texts.
  func events() throws -> [[String]] { try sessions().map { try $0.lines() } }
}

/// A session's files: in each a line is the mark, the kind, a checksum of eight digits, a blank, and JSON.
struct QueuedSession {
  private(set) var isClosed = false
  private(set) var context: [String: Any] = [:]
  private(set) var events: [[String: Any]] = []

  var startedAt: String { events.first?["at"] as? String ?? "" }

  mutating func append(name: String, text: String) throws {
    isClosed = name.hasSuffix(".closed")
    for line in text.split(separator: "\n") {
      try #require(line.hasPrefix("\u{1E}"))
      let json = try #require(line.firstIndex(of: "{").map { line[$0...] })
      let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      if line.dropFirst().hasPrefix("h") { context = object } else { events.append(object) }
    }
  }

  /// What is said about the session beside the fields.
  var properties: [String: Any] { context["properties"] as? [String: Any] ?? [:] }

  /// Each event's type and what stands with it; its number has to be its place.
  func lines() throws -> [String] {
    try events.enumerated().map { place, event in
      #expect(event["seq"] as? Int == place)
      #expect(event["session_id"] as? String == events.first?["session_id"] as? String)
      let type = try #require(event["type"] as? String)
      let details = [
        "page_count", "page_index", "reason", "content_code", "source", "error", "action", "category_id", "button_id",
      ].compactMap { name in event[name].map { "\($0)" } }
      return ([type] + details).joined(separator: " ")
    }
  }
}
