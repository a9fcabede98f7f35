#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value behind a lock, with threads that wait for it to change.
final class Monitor<Value>: @unchecked Sendable {
  // Unchecked, because the value is only touched with the mutex held, which the compiler cannot see.
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Touches the value.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Wakes those who wait.
  func signal() { pthread_cond_broadcast(condition) }

  /// Waits until `body` gives a result; nil when the time is over first.
  ///
  /// - Parameter milliseconds: nil: without limit.
  func wait<Result>(milliseconds: Int64?, _ body: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let end = milliseconds.map { MonotonicClock.milliseconds + $0 }
    while true {
      if let result = body(&value) { return result }
      guard let end else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let left = end - MonotonicClock.milliseconds
      if left <= 0 { return nil }
      // The condition's clock is the wall's: where that jumps, the loop measures again by the monotonic one.
      let until = WallClock.microseconds + min(left, 1000) * 1000
      var time = timespec(tv_sec: Int(until / 1_000_000), tv_nsec: Int(until % 1_000_000) * 1000)
      pthread_cond_timedwait(condition, mutex, &time)
    }
  }
}
