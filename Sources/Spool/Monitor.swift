#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A value behind a lock, with a condition to wait for changes of it.
///
/// `Mutex` of the standard library cannot wait. Nothing inside `withLock` may block or call out.
///
/// `@unchecked Sendable`: `state` is only touched while `mutex` is held.
final class Monitor<State: Sendable>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // Waiting must not end early or late when the wall clock is set.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` alone on the value.
  func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Runs `body` alone on the value and wakes all who wait.
  func withLockWaking<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until `ready` gives a result, looking again at each wake-up, or until the time is over: then nil.
  func wait<Result>(timeout: Duration, until ready: (State) -> Result?) -> Result? {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = ready(state) { return result }
      let rest = ContinuousClock.now.duration(to: deadline)
      guard rest > .zero else { return nil }
      // A long wait is made of hours, which no time type overflows with.
      let step = min(rest, .seconds(3600)).components
      let nanoseconds = Int(step.attoseconds / 1_000_000_000)
      #if canImport(Darwin)
        var time = timespec(tv_sec: Int(step.seconds), tv_nsec: nanoseconds)
        pthread_cond_timedwait_relative_np(condition, mutex, &time)
      #else
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let sum = time.tv_nsec + nanoseconds
        time.tv_sec += Int(step.seconds) + sum / 1_000_000_000
        time.tv_nsec = sum % 1_000_000_000
        pthread_cond_timedwait(condition, mutex, &time)
      #endif
    }
  }
}
