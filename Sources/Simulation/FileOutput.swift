import Foundation

/// Lines into a file, gathered in a buffer.
struct FileOutput: ~Copyable {
  private let descriptor: Int32
  private let isOwned: Bool
  private let name: String
  private var buffer: [UInt8] = []

  /// Bytes gathered before they are written.
  private static let bufferedBytes = 1 << 20

  /// Creates or empties a file.
  init(path: String) throws(SimulationError) {
    let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw .cannotWrite("cannot write \(path): \(systemMessage(errno))") }
    self.init(descriptor: opened, isOwned: true, name: path)
  }

  static func standardOutput() -> FileOutput {
    FileOutput(descriptor: STDOUT_FILENO, isOwned: false, name: "standard output")
  }

  private init(descriptor: Int32, isOwned: Bool, name: String) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    self.name = name
    buffer.reserveCapacity(Self.bufferedBytes + 65_536)
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  mutating func writeLine(_ line: [UInt8]) throws(SimulationError) {
    buffer += line
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferedBytes { try flush() }
  }

  mutating func finish() throws(SimulationError) {
    try flush()
  }

  private mutating func flush() throws(SimulationError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw .closedPipe }
        throw .cannotWrite("cannot write \(name): \(systemMessage(errno))")
      }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }

/// The time of day.
enum RealClock {
  /// Microseconds since 1970.
  static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Nanoseconds of a clock that only moves forward.
  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
