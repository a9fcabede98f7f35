import Foundation
import Glibc
import Synchronization
import Testing

@testable import Exports

@Suite struct `Whoever reads while sets are exchanged` {
  /// In memory often, as nothing waits for a disk there; on the disk fewer times.
  @Test(.timeLimit(.minutes(1)), arguments: [("/dev/shm", 1_000), (nil, 100)])
  func `finds one set, never none and never a mixture`(_ memory: String?, _ exchanges: Int) throws {
    let temporary = try SetsFixture()
    let isThere = memory.map { access($0, W_OK) == 0 } ?? false
    let root = isThere ? (memory ?? "") + "/pagefall-\(UUID().uuidString)" : temporary.root
    let fixture = SetsFixture(in: root)
    try fixture.makeDirectory(root)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let directory = try ExportDirectory(path: fixture.path, waits: false)
    let files = ["events.csv.gz", "sessions.csv.gz"]
    try fixture.publish(1, in: directory, files: files)
    let reader = Reader(path: fixture.setPath, files: files)
    reader.start()
    for revision in 2...exchanges + 1 { try fixture.publish(revision, in: directory, files: files) }
    #expect(reader.end() == nil)
    #expect(try fixture.revision() == exchanges + 1)
    #expect(reader.wholeReads > exchanges / 10)
  }
}

/// A thread that reads a set over and over.
private final class Reader: Sendable {
  private let path: String
  private let files: [String]
  private let isAskedToEnd = Atomic(false)
  private let count = Atomic(0)
  /// Guards what went wrong; left by the thread when it ends.
  private let fault = Mutex<String?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(path: String, files: [String]) {
    self.path = path
    self.files = files
  }

  var wholeReads: Int { count.load(ordering: .relaxed) }

  func start() {
    let thread = Thread { [self] in
      do {
        while !isAskedToEnd.load(ordering: .relaxed) {
          if try readsWhole() { count.add(1, ordering: .relaxed) }
        }
      } catch {
        fault.withLock { $0 = "\(error)" }
      }
      hasEnded.signal()
    }
    thread.name = "reader"
    thread.start()
  }

  /// What was read that may not be; nil: nothing.
  func end() -> String? {
    isAskedToEnd.store(true, ordering: .relaxed)
    hasEnded.wait()
    return fault.withLock { $0 }
  }

  /// Reads a set through its directory, opened once; false where it was replaced and removed meanwhile.
  private func readsWhole() throws -> Bool {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Fault.noSet }
    defer { close(directory) }
    var revisions: Set<String> = []
    for file in files {
      guard let text = text(file, directory) else { return false }
      revisions.insert(text)
    }
    guard let manifest = text("manifest.json", directory) else { return false }
    revisions.insert(String(try SetManifest(text: manifest.utf8).record.revision))
    guard revisions.count == 1 else { throw Fault.mixture(revisions) }
    return true
  }

  private func text(_ name: String, _ directory: Int32) -> String? {
    let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return (try? handle.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
  }

  private enum Fault: Error {
    case noSet
    case mixture(Set<String>)
  }
}
