import Foundation
import StoryClient
import StoryPlayback
import Synchronization
import TestSupport
import Testing

/// A phone of the tests: the client as it ships, with a hasty timer.
struct Phone {
  let client: StoryClient

  /// - Parameters:
  ///   - directory: where its queue lies.
  ///   - port: of the proxy or the collector.
  init(_ directory: String, port: Int, key: String) throws {
    var configuration = StoryClientConfiguration(
      collector: try #require(URL(string: "http://127.0.0.1:\(port)")), writeKey: key)
    configuration.queueDirectory = URL(fileURLWithPath: directory, isDirectory: true)
    client = StoryClient(
      configuration, clock: SystemClock(), randomness: SystemRandomness(),
      transport: URLSessionTransport(longestSeconds: 1), timer: HastyTimer())
  }

  /// With a client that a test has made.
  init(client: StoryClient) { self.client = client }

  /// Watches so many stories of 5 to 14 events.
  ///
  /// - Parameter recorded: told after each event that was recorded.
  func watch(_ stories: Int, _ random: inout SeededGenerator, recorded: (_ sessionID: String) -> Void) {
    let pages = (0..<4).map {
      ["image": "https://cdn.example.com/\($0).jpg", "title": "Page \($0) – ünïcode \"quoted\""]
    }
    for _ in 0..<stories {
      let recorder = client.beginStory(userInfo: ["pw_stories": ["story_id": "phones", "pages": pages]])
      recorder.didStart(pageCount: 4)
      recorded(recorder.sessionID)
      for step in 0..<Int.random(in: 2...11, using: &random) {
        recorder.didShow(pageIndex: step % 4)
        recorded(recorder.sessionID)
      }
      recorder.didFinish()
      recorded(recorder.sessionID)
      usleep(UInt32.random(in: 0...4_000, using: &random))
      recorder.didDismiss()
      recorded(recorder.sessionID)
    }
  }

  /// Asks until the queue is empty.
  func empty(within limit: Duration = .seconds(40)) -> Bool {
    eventually(within: limit) {
      client.upload()
      usleep(50_000)
      return client.queue.waitingEvents == 0
    }
  }

  /// Uploads once.
  func upload() -> UploadSummary {
    let ended = DispatchSemaphore(value: 0)
    let result = Mutex(UploadSummary())
    client.upload { summary in
      result.withLock { $0 = summary }
      ended.signal()
    }
    ended.wait()
    return result.withLock { $0 }
  }
}

/// Seconds pass twenty times as fast: pauses are 25 ms to 15 s.
struct HastyTimer: UploadTimer {
  func call(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds / 20, execute: work)
  }
}

/// What was recorded: how many events of each session.
final class RecordedEvents: Sendable {
  /// Guards the counts.
  private let counts = Mutex<[String: Int]>([:])

  var sessions: [String: Int] { counts.withLock { $0 } }
  var total: Int { sessions.values.reduce(0, +) }

  func add(_ sessionID: String) { counts.withLock { $0[sessionID, default: 0] += 1 } }

  /// Takes over a journal of lines with a session's id for each event.
  func add(journal path: String) throws {
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") { add(String(line)) }
  }
}

extension TestDatabase {
  /// How many events of each session are stored; nil where a number is missing in one.
  func storedSessions() throws -> [String: Int] {
    var sessions: [String: Int] = [:]
    let rows = try psql("SELECT session_id, count(*), max(seq) + 1, min(seq) FROM events GROUP BY 1")
    for row in rows.split(separator: "\n") {
      let columns = row.split(separator: "|")
      try #require(columns.count == 4 && columns[1] == columns[2] && columns[3] == "0", "\(row)")
      sessions[String(columns[0])] = Int(columns[1])
    }
    return sessions
  }
}
