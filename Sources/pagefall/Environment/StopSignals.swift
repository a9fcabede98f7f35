import Foundation

/// SIGTERM and SIGINT as a request to stop, taken by a thread of its own instead of a handler, which may do next to nothing.
struct StopSignals {
  private let signals: sigset_t

  /// Keeps the signals from this thread and from all that it starts afterwards.
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Calls the closure, with the signal's name, at the first of them; the second ends the process at once.
  func whenAsked(_ stop: @escaping @Sendable (String) -> Void) {
    let signals = signals
    let thread = Thread {
      var signals = signals
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      stop(number == SIGINT ? "SIGINT" : "SIGTERM")
      if sigwait(&signals, &number) == 0 { _exit(128 + number) }
    }
    thread.name = "signals"
    thread.start()
  }
}
