import Foundation

/// Tells the client the time, so that tests and simulations decide it.
package protocol ClientClock: Sendable {
  /// Microseconds since 1970 by the device's clock, which may be wrong and may be set at any moment.
  var wallMicroseconds: Int64 { get }
  /// Microseconds since some moment: never set, and it goes on while the device or the process is suspended.
  var monotonicMicroseconds: Int64 { get }
}

/// The system's clocks.
package struct SystemClock: ClientClock {
  /// The system's clocks.
  package init() {}

  package var wallMicroseconds: Int64 { Self.read(CLOCK_REALTIME) }

  package var monotonicMicroseconds: Int64 {
    #if canImport(Darwin)
      // Mach's continuous time; CLOCK_UPTIME_RAW would stand still while the device sleeps.
      Self.read(CLOCK_MONOTONIC_RAW)
    #else
      // CLOCK_MONOTONIC stands still while a Linux machine is suspended.
      Self.read(CLOCK_BOOTTIME)
    #endif
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}

/// Gives the client random numbers, so that tests and simulations decide them.
package protocol ClientRandomness: Sendable {
  /// The next 64 bits.
  func next() -> UInt64
}

/// The system's generator.
package struct SystemRandomness: ClientRandomness {
  /// The system's generator.
  package init() {}

  package func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
