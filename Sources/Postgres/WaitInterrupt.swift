/// Ends every wait of the connections that know it, from any thread: what a shutdown pulls so that no thread stays
/// behind in a wait for the server.
///
/// It works once and for good. Waits that are under way and all later ones throw an error of the kind `.interrupted`;
/// a connection that was in the middle of a statement is unusable then. One interrupt may serve many connections, and
/// their attempts to connect (`ConnectionOptions.interrupt`).
public final class WaitInterrupt: Sendable {
  /// Becomes readable, and stays so, once triggered: the byte is never read.
  let descriptor: Int32
  private let writingDescriptor: Int32

  /// Makes one that has not been triggered. It holds a pipe (two descriptors).
  ///
  /// - Throws: `.connection` where the process has no descriptor left.
  public init() throws(PostgresError) {
    do throws(SystemCallFailure) {
      (descriptor, writingDescriptor) = try SystemCalls.makePipe()
    } catch {
      throw PostgresError(.connection, "no pipe for waking up waits: \(error.message)")
    }
  }

  deinit {
    SystemCalls.closeDescriptor(descriptor)
    SystemCalls.closeDescriptor(writingDescriptor)
  }

  /// Ends all present and future waits. May be called from any thread, and repeatedly.
  public func trigger() {
    SystemCalls.writeByte(to: writingDescriptor)
  }

  /// Whether it has been triggered.
  public var isTriggered: Bool {
    SystemCalls.isReadable(descriptor)
  }
}
