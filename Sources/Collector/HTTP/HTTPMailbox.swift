import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How other threads reach the HTTP thread: they leave work for it and wake it.
final class HTTPMailbox: Sendable {
  /// Work for the HTTP thread, done there with its server.
  typealias Mail = @Sendable (HTTPServer) -> Void

  /// Guards what was left and not yet taken.
  private let waiting = Mutex<[Mail]>([])
  private let reading: Int32
  private let writing: Int32

  init() throws(CollectorError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CollectorError.system(operation: "pipe", code: errno) }
    reading = ends[0]
    writing = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Readable as long as something waits.
  var wakeDescriptor: Int32 { reading }

  /// Leaves work; any thread.
  func post(_ mail: @escaping Mail) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(mail)
      return waiting.count == 1
    }
    guard isFirst else { return }
    var byte: UInt8 = 1
    // A full pipe is readable, which is all that is needed.
    _ = write(writing, &byte, 1)
  }

  /// Takes everything; the HTTP thread.
  func takeAll() -> [Mail] {
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = read(reading, &bytes, 16)
    return waiting.withLock { waiting in
      let all = waiting
      waiting.removeAll()
      return all
    }
  }

  /// Whether there may be something, without a system call.
  var hasMail: Bool { waiting.withLock { !$0.isEmpty } }

  /// Ends `HTTPServer.run()` after draining; any thread, any number of times.
  func stop() { post { server in server.beginDraining() } }
}

extension HTTPServer {
  /// Does what other threads have left.
  func takeMail() {
    guard mailbox.hasMail else { return }
    for mail in mailbox.takeAll() { mail(self) }
  }
}

/// A request on its way to another thread and back. It is suspended all the while, so its memory stays and nobody else
/// touches it; that is what makes it safe to send.
struct SuspendedRequest: @unchecked Sendable {
  let pointer: HTTPRequestPointer
}
