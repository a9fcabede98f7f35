import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The questions of the HTTP thread to the key thread, and the wish to stop.
final class KeyLookups: Sendable {
  private struct State {
    var asked: [KeyHash] = []
    var isStopped = false
  }

  /// Guards what is asked and whether to stop; the condition is signalled when either changes.
  private let state = Monitor(State())

  /// Asks for a hash; the answer comes by the mailbox.
  func ask(_ hash: KeyHash) {
    state.withLock { $0.asked.append(hash) }
    state.signal()
  }

  /// Lets the key thread end.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.signal()
  }

  /// Waits for questions, at most so long; nil: stop. The key thread.
  func wait(milliseconds: Int64) -> [KeyHash]? {
    state.wait(milliseconds: milliseconds) { state -> [KeyHash]?? in
      if state.isStopped { return .some(nil) }
      if state.asked.isEmpty { return nil }
      let asked = state.asked
      state.asked.removeAll()
      return .some(asked)
    } ?? []
  }

  /// What is still asked when it stops.
  func takeRest() -> [KeyHash] {
    state.withLock { state in
      defer { state.asked.removeAll() }
      return state.asked
    }
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }
}
