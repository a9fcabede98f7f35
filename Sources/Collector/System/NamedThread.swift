import CMicroHTTPD
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread with a name, that can be waited for.
final class NamedThread: Sendable {
  /// What the new thread is given: its name and its work.
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Guards the handle, so that a thread is joined once.
  private let handle: Mutex<UInt?>

  /// Starts it.
  ///
  /// - Parameter name: at most 15 bytes, as the kernel shows it.
  init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(CollectorError) {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    #if canImport(Glibc)
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
          pagefall_name_thread(start.name)
          start.body()
          return nil
        }, start.toOpaque())
      let number = UInt(thread)
    #else
      var thread: pthread_t?
      let code = pthread_create(
        &thread, nil,
        { argument in
          let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
          pthread_setname_np(start.name)
          start.body()
          return nil
        }, start.toOpaque())
      let number = UInt(bitPattern: thread)
    #endif
    guard code == 0 else {
      start.release()
      throw CollectorError.system(operation: "start thread \(name)", code: code)
    }
    handle = Mutex(number)
  }

  /// Waits until it has ended.
  func join() {
    let number = handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
    guard let number else { return }
    #if canImport(Glibc)
      pthread_join(pthread_t(number), nil)
    #else
      if let thread = pthread_t(bitPattern: number) { pthread_join(thread, nil) }
    #endif
  }
}
