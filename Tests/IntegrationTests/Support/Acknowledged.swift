import Foundation
import Synchronization

/// Sends events, one a request, from threads of its own, and keeps the list of those that were acknowledged.
final class Acknowledged: Sendable {
  private struct State {
    var acknowledged: [Int] = []
    var next = 1
    var isStopping = false
    var running = 0
  }

  private static let threads = 4

  /// Guards all of the state.
  private let state = Mutex(State())

  /// How many were acknowledged so far.
  var count: Int { state.withLock { $0.acknowledged.count } }

  /// Sends session after session until `stop`, or until a request gets no answer.
  func send(to port: Int, key: String) {
    state.withLock { state in
      state.running = Self.threads
      state.isStopping = false
    }
    for _ in 0..<Self.threads {
      Thread.detachNewThread { [self] in
        while let number = takeNumber() {
          let event = EventText.pageShown(session: number)
          guard let answer = try? HTTPCall.postEvents(event, port: port, key: key) else { break }
          if answer.status == 202 { state.withLock { $0.acknowledged.append(number) } }
        }
        state.withLock { $0.running -= 1 }
      }
    }
  }

  /// Ends the sending.
  /// - Returns: the numbers of all acknowledged sessions.
  func stop() -> [Int] {
    state.withLock { $0.isStopping = true }
    _ = eventually { state.withLock { $0.running == 0 } }
    return state.withLock { $0.acknowledged }
  }

  private func takeNumber() -> Int? {
    state.withLock { state in
      if state.isStopping { return nil }
      state.next += 1
      return state.next - 1
    }
  }
}
