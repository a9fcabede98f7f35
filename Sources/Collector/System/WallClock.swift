#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The clock that `received` is taken from.
enum WallClock {
  /// Microseconds since 1970.
  static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
