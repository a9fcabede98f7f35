import Foundation
import Synchronization

/// Does a thing so many times at once, each on a thread of its own, and waits for all.
/// - Returns: the results, in order; throws the first error.
func inParallel<Value: Sendable>(
  _ count: Int, _ work: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
  let ended = DispatchSemaphore(value: 0)
  let shared = Shared<Value>()
  for index in 0..<count {
    Thread.detachNewThread {
      let result = Result { try work(index) }
      shared.results.withLock { $0[index] = result }
      ended.signal()
    }
  }
  for _ in 0..<count { ended.wait() }
  return try shared.results.withLock { results in try (0..<count).compactMap { try results[$0]?.get() } }
}

/// Results by index; the lock guards all of them.
private final class Shared<Value: Sendable>: Sendable {
  let results = Mutex<[Int: Result<Value, any Error>]>([:])
}
