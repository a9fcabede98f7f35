import StoryClient
import StoryEvents
import Synchronization

/// The phone that plays: its clock stands still until it is moved, and its session has the id that the world gave it.
final class ClientPhone: ClientClock, ClientRandomness {
  private struct State {
    var nowMicroseconds: Int64 = 0
    /// What is drawn next, the last first.
    var drawn: [UInt64] = []
  }

  private let state = Mutex(State())

  /// Lets a session begin: what the library draws for its id is what the world has drawn.
  func begin(_ id: SessionID, atMicroseconds: Int64) {
    state.withLock {
      $0.nowMicroseconds = atMicroseconds
      $0.drawn = [id.low, id.high]
    }
  }

  /// Moves the clock.
  func move(toMicroseconds moment: Int64) {
    state.withLock { $0.nowMicroseconds = moment }
  }

  var wallMicroseconds: Int64 { state.withLock { $0.nowMicroseconds } }

  var monotonicMicroseconds: Int64 { wallMicroseconds }

  func next() -> UInt64 {
    state.withLock { $0.drawn.popLast() } ?? SystemRandomness().next()
  }
}
