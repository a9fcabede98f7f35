import CLibPQ

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The system calls that this module makes itself, each with its EINTR handled.
enum SystemCalls {
  /// What poll(2) passes over.
  private static let noDescriptor: Int32 = -1

  /// Waits until one of two descriptors is ready.
  ///
  /// - Returns: the events of both; none where the limit passed first.
  /// - Throws: `SystemCallFailure` with the errno of poll(2).
  static func poll(
    _ first: Int32, for events: Int16, and second: Int32, until deadline: ContinuousClock.Instant?
  ) throws(SystemCallFailure) -> (first: Int16, second: Int16) {
    var descriptors = (
      pollfd(fd: first, events: events, revents: 0), pollfd(fd: second, events: Int16(POLLIN), revents: 0)
    )
    while true {
      let ready = withUnsafeMutableBytes(of: &descriptors) { bytes in
        platformPoll(bytes.bindMemory(to: pollfd.self).baseAddress, 2, milliseconds(until: deadline))
      }
      if ready > 0 { return (descriptors.0.revents, descriptors.1.revents) }
      if ready < 0 {
        if errno == EINTR { continue }
        throw SystemCallFailure(code: errno)
      }
      // poll got at most an hour: look at the clock before believing it.
      if let deadline, ContinuousClock.now >= deadline { return (0, 0) }
    }
  }

  /// Whether a descriptor can be read now, or can be before a deadline.
  static func isReadable(_ descriptor: Int32, until deadline: ContinuousClock.Instant = .now) -> Bool {
    let ready = try? poll(descriptor, for: Int16(POLLIN), and: noDescriptor, until: deadline)
    return ready.map { $0.first != 0 } ?? false
  }

  /// A pipe that neither blocks nor survives exec: the reading and the writing end.
  static func makePipe() throws(SystemCallFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallFailure(code: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }

  /// Writes one byte; a full pipe already says what the byte would say.
  static func writeByte(to descriptor: Int32) {
    var byte: UInt8 = 1
    while write(descriptor, &byte, 1) < 0 && errno == EINTR {}
  }

  static func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
  }

  /// Runs `body` on a detached thread of its own. Returns false where no thread could be had.
  static func startThread(named name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, &attributes, runThread, start.toOpaque())
    if failure != 0 { start.release() }
    return failure == 0
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return 0 }
    // At most an hour at a time (the caller looks at the clock), and rounded up, so that the last part of a
    // millisecond is not spent spinning.
    let seconds = Int32(clamping: min(left.components.seconds, 3600))
    return seconds * 1000 + Int32(left.components.attoseconds / 1_000_000_000_000_000) + 1
  }
}

/// An errno.
struct SystemCallFailure: Error {
  let code: Int32

  var message: String { String(cString: strerror(code)) }
}

private final class ThreadStart {
  let name: StaticString
  let body: @Sendable () -> Void

  init(name: StaticString, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    #if canImport(Darwin)
      _ = pthread_setname_np(name.description)
    #else
      pthread_setname_np(pthread_self(), name.description)
    #endif
    body()
  }
}

#if canImport(Darwin)
  private func runThread(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#else
  private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
#endif

/// poll(2) under a name of its own: inside a type with a method `poll` the C function is hidden.
private func platformPoll(_ entries: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ milliseconds: Int32) -> Int32 {
  poll(entries, count, milliseconds)
}
