import CLibPQ
import Synchronization

/// Reaches a connection from other threads: cancels its statement, or ends its waits.
///
/// It may outlive the connection; then it has no effect.
///
/// `@unchecked Sendable`: the `PGcancel` is written when it is made and freed in `deinit`, and otherwise only read;
/// libpq documents `PQcancel` as safe from any thread, and even in signal handlers.
public final class Cancellation: @unchecked Sendable {
  /// Nil where libpq had none to give.
  private let request: OpaquePointer?
  private let waits: WaitInterrupt

  init(of connection: OpaquePointer, interrupt: WaitInterrupt) {
    request = PQgetCancel(connection)
    waits = interrupt
  }

  deinit {
    PQfreeCancel(request)
  }

  /// Asks the server to cancel the statement under way, which then fails with `.server(.queryCanceled)`, unless it
  /// ended before. The connection stays usable.
  ///
  /// - Parameter timeout: how long to wait until the server has taken the request.
  /// - Returns: whether it has.
  @discardableResult
  public func cancelQuery(timeout: Duration = .seconds(1)) -> Bool {
    guard let delivery = CancelDelivery.start(self) else { return false }
    return delivery.wait(at: timeout)
  }

  /// Ends the connection's waits for good, by its `WaitInterrupt`: and so those of all connections that share it.
  public func interrupt() {
    waits.trigger()
  }

  /// Whether the waits have been ended.
  public var isInterrupted: Bool { waits.isTriggered }

  /// Asks for the end of a statement that was given up. Waits a moment for the request to be on its way: a pooler
  /// forgets whose statement it was as soon as the connection is closed. Where the server does not even take it, it is
  /// left to the helper.
  func cancelGivenUpQuery() {
    cancelQuery(timeout: .milliseconds(200))
  }

  /// Blocks until the server has taken the request.
  fileprivate func deliver() -> Bool {
    var message = [CChar](repeating: 0, count: 256)
    return PQcancel(request, &message, Int32(message.count)) == 1
  }

  fileprivate var canDeliver: Bool { request != nil }
}

/// A cancel request on a thread of its own.
///
/// `PQcancel` opens a connection and reads until the server closes it, without any limit: a stopped postmaster, whose
/// kernel still accepts connections, would hold the caller for good. libpq before 17 has no nonblocking form, and keeps
/// the key that a request of our own would need to itself. So a helper thread does it, and the caller waits as long as
/// it likes. A helper that is stuck ends when the server goes on or dies; `maximum` bounds how many there can be.
private final class CancelDelivery: Sendable {
  private static let maximum = 8
  private static let running = Atomic<Int>(0)

  private let finished: WaitInterrupt
  private let delivered = Atomic<Bool>(false)

  private init(finished: WaitInterrupt) {
    self.finished = finished
  }

  /// Nil where there is nothing to cancel, or nothing left to do it with.
  static func start(_ cancellation: Cancellation) -> CancelDelivery? {
    guard cancellation.canDeliver, let finished = try? WaitInterrupt() else { return nil }
    let delivery = CancelDelivery(finished: finished)
    guard running.add(1, ordering: .relaxed).oldValue < maximum else {
      running.subtract(1, ordering: .relaxed)
      return nil
    }
    let started = SystemCalls.startThread(named: "postgres-cancel") {
      delivery.delivered.store(cancellation.deliver(), ordering: .releasing)
      running.subtract(1, ordering: .relaxed)
      finished.trigger()
    }
    if !started { running.subtract(1, ordering: .relaxed) }
    return started ? delivery : nil
  }

  func wait(at most: Duration) -> Bool {
    let deadline = WaitLimit.total(most).deadline ?? .now
    return SystemCalls.isReadable(finished.descriptor, until: deadline) && delivered.load(ordering: .acquiring)
  }
}
