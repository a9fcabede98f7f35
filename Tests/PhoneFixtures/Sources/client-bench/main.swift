import Foundation
import StoryClient

// Measures what the client costs an extension: see scripts/client-bench. Its collector does not exist, so the queue grows; what
// the uploader does about that, in the background, is part of what is measured.

/// Stories of this many pages: a start, a page each, a tap, a finish, a dismissal.
let pageCount = 6

let callbackCount = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 200_000
guard callbackCount >= 100_000 else {
  FileHandle.standardError.write(Data("client-bench: CALLBACKS is a whole number, at least 100000\n".utf8))
  exit(2)
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("client-bench-\(UUID().uuidString)")

func client(_ name: String) throws -> StoryClient {
  let directory = folder.appendingPathComponent(name)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  guard let collector = URL(string: "http://127.0.0.1:1") else { exit(1) }
  var configuration = StoryClientConfiguration(collector: collector, writeKey: "pfw_none")
  configuration.queueDirectory = directory
  return StoryClient(configuration)
}

let pages: [[String: Any]] = (0..<pageCount).map { number in
  [
    "image": "https://cdn.example.com/stories/spring-sale/page-\(number).jpg", "duration": 5,
    "title": "Page \(number) of the spring sale", "subtitle": "Only this week", "link": "shop://sale/\(number)",
    "button_title": "Shop now",
  ]
}
let userInfo: [AnyHashable: Any] = ["p": "H4sh", "u": ["pw_stories": ["story_id": "spring-sale", "pages": pages]]]

/// Plays one story after the other until so many callbacks have come, and gives each call's time to the closure.
@MainActor func play(_ client: StoryClient, callbacks count: Int, _ time: (_ name: Int, _ call: () -> Void) -> Void) {
  var done = 0
  while done < count {
    var recorder: StoryRecorder?
    time(0) { recorder = client.beginStory(userInfo: userInfo) }
    guard let recorder else { return }
    time(1) { recorder.didStart(pageCount: pageCount) }
    for page in 0..<pageCount { time(2) { recorder.didShow(pageIndex: page) } }
    time(2) { recorder.didTapAction(pageIndex: pageCount - 1) }
    time(2) { recorder.didFinish() }
    time(3) { recorder.didDismiss() }
    done += pageCount + 4
  }
}

func residentKilobytes() -> Int {
  #if os(Linux)
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize()) / 1024
  #else
    return 0
  #endif
}

func bytesOnDisk(_ name: String) throws -> Int {
  let directory = folder.appendingPathComponent(name).path
  return try FileManager.default.subpathsOfDirectory(atPath: directory).reduce(0) { sum, path in
    // The uploader's own small files come and go.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: "\(directory)/\(path)") else { return sum }
    return sum + (attributes[.type] as? FileAttributeType == .typeRegular ? attributes[.size] as? Int ?? 0 : 0)
  }
}

func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

func microseconds(_ nanoseconds: UInt64) -> String {
  let tenths = (nanoseconds + 50) / 100
  return padded("\(tenths / 10).\(tenths % 10)", 12)
}

// Memory first, in a young process.
let memoryClient = try client("memory")
let before = residentKilobytes()
play(memoryClient, callbacks: 10_000) { _, call in call() }
let after = residentKilobytes()
let waiting = memoryClient.queue.waitingEvents
let bytes = try bytesOnDisk("memory")

let timedClient = try client("time")
var times: [[UInt64]] = [[], [], [], []]
for place in times.indices { times[place].reserveCapacity(callbackCount) }
play(timedClient, callbacks: callbackCount) { name, call in
  let start = DispatchTime.now().uptimeNanoseconds
  call()
  times[name].append(DispatchTime.now().uptimeNanoseconds - start)
}

print("callback             calls   median µs      p99 µs      max µs")
let rows = [
  ("beginStory", times[0]), ("the first event", times[1]), ("every other event", times[2]), ("didDismiss", times[3]),
  ("all of them", times.flatMap { $0 }),
]
for (name, row) in rows {
  let sorted = row.sorted()
  let middle = microseconds(sorted[sorted.count / 2])
  let high = microseconds(sorted[sorted.count * 99 / 100])
  let most = microseconds(sorted[sorted.count - 1])
  print("\(name)\(padded(String(sorted.count), 26 - name.count))\(middle)\(high)\(most)")
}
print("")
print("events in the queue         \(waiting)")
print("bytes on disk an event      \(waiting > 0 ? bytes / waiting : 0), in sessions of \(pageCount + 4)")
print("resident memory             \(before) KiB before, \(after) KiB after 10000 events")

// The queue is still being kept within its bounds in the background: what is gone when its turn comes is no fault.
for _ in 0..<100 where FileManager.default.fileExists(atPath: folder.path) {
  try? FileManager.default.removeItem(at: folder)
}
