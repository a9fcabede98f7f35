#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The clock that deadlines and durations are measured by.
enum MonotonicClock {
  /// Milliseconds since some moment.
  static var milliseconds: Int64 { nanoseconds / 1_000_000 }

  /// Nanoseconds since some moment.
  static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
