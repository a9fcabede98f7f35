import Foundation

/// What a command finds around it; given from outside so that tests decide it.
struct CommandEnvironment: Sendable {
  /// The environment variables.
  let variables: [String: String]
  /// Microseconds since 1970, now.
  let nowMicroseconds: @Sendable () -> Int64

  /// The process as it is.
  static var process: CommandEnvironment {
    CommandEnvironment(variables: ProcessInfo.processInfo.environment) {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
  }
}
