// ServiceLog: what a running command says on stderr, in logfmt.
//
//   ServiceLog   the log, and its levels
//   Logfmt       how a line is written: quoting and escaping

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The log of a running command: one line of logfmt an event, on stderr.
///
///     time=2026-11-29T10:00:05.120Z level=info msg=listening address=127.0.0.1:8787
///
/// A line is written by one `write(2)`, so lines of several threads and processes do not mix. Values are quoted and
/// escaped: whatever a sender or a file put into one, it stays on its line and cannot steer a terminal.
///
/// **Redacted by its callers.** The log writes what it is given. A row value, a write key, a password or a connection
/// string with one must not be given to it; log counts, names of ours, codes and sizes instead.
public struct ServiceLog: Sendable {
  /// How much a line matters, in rising order.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    /// Of use to someone who looks for a fault in the program.
    case debug
    /// What the program does, in the order of a few lines a minute.
    case info
    /// Something went wrong and the program deals with it.
    case warning
    /// Something went wrong that a person has to deal with.
    case error

    /// The name as it stands in a line and in a configuration.
    public var name: String {
      switch self {
      case .debug: "debug"
      case .info: "info"
      case .warning: "warning"
      case .error: "error"
      }
    }

    /// The level of that name, as it is given in a flag or a variable; nil for another word.
    public init?(name: String) {
      guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }

    /// Whether the left level matters less than the right one.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The least level that is written; nil writes nothing.
  private let minimumLevel: Level?
  private let now: @Sendable () -> Int64
  private let sink: @Sendable ([UInt8]) -> Void
  /// The fields of every line, ready as bytes.
  private let prefix: [UInt8]

  private init(
    minimumLevel: Level?, prefix: [UInt8], now: @escaping @Sendable () -> Int64,
    sink: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.minimumLevel = minimumLevel
    self.prefix = prefix
    self.now = now
    self.sink = sink
  }

  /// A log on stderr.
  public init(minimumLevel: Level = .info) {
    self.init(
      minimumLevel: minimumLevel, prefix: [], now: Self.systemTimeMicroseconds, sink: Self.writeToStandardError)
  }

  /// A log with a clock and an end of the caller's.
  /// - Parameters:
  ///   - now: microseconds since 1970, UTC.
  ///   - sink: takes one whole line, its newline included; called by any thread.
  public init(
    minimumLevel: Level, now: @escaping @Sendable () -> Int64, sink: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.init(minimumLevel: minimumLevel, prefix: [], now: now, sink: sink)
  }

  /// A log that writes nothing.
  public static let disabled = ServiceLog(minimumLevel: nil, prefix: [], now: { 0 }, sink: { _ in })

  /// The same log with these fields on every line, before the line's own.
  public func with(_ fields: KeyValuePairs<String, Value>) -> ServiceLog {
    var prefix = prefix
    for (key, value) in fields { Logfmt.append(key: key, value: value, to: &prefix) }
    return ServiceLog(minimumLevel: minimumLevel, prefix: prefix, now: now, sink: sink)
  }

  /// Whether a line of this level is written; ask before work that only a line needs.
  public func isEnabled(_ level: Level) -> Bool {
    guard let minimumLevel else { return false }
    return level >= minimumLevel
  }

  /// Writes a line for someone who looks for a fault in the program.
  public func debug(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) { write(.debug, message, fields) }

  /// Writes a line on what the program does.
  public func info(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) { write(.info, message, fields) }

  /// Writes a line on a fault that the program deals with.
  public func warning(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) {
    write(.warning, message, fields)
  }

  /// Writes a line on a fault that a person has to deal with.
  public func error(_ message: String, _ fields: KeyValuePairs<String, Value> = [:]) { write(.error, message, fields) }

  private func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, Value>) {
    guard isEnabled(level) else { return }
    var line: [UInt8] = []
    line.reserveCapacity(192)
    Logfmt.append(key: "time", timeMicroseconds: now(), to: &line)
    Logfmt.append(key: "level", value: .string(level.name), to: &line)
    Logfmt.append(key: "msg", value: .string(message), to: &line)
    if !prefix.isEmpty {
      line.append(UInt8(ascii: " "))
      line.append(contentsOf: prefix)
    }
    for (key, value) in fields { Logfmt.append(key: key, value: value, to: &line) }
    line.append(UInt8(ascii: "\n"))
    sink(line)
  }

  private static let systemTimeMicroseconds: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// One `write(2)`, repeated only for what a signal or a full pipe cut off; a log that cannot be written is dropped.
  private static let writeToStandardError: @Sendable ([UInt8]) -> Void = { line in
    line.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let buffer = UnsafeRawBufferPointer(rebasing: rest)
        let written = systemWrite(STDERR_FILENO, buffer.baseAddress, buffer.count)
        if written > 0 {
          rest = rest.dropFirst(written)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}

/// The system call under a name that the log's own `write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
