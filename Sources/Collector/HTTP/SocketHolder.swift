#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A listening socket where a noncopyable value cannot stand.
final class SocketHolder {
  private var socket: ListeningSocket?
  let address: ListenAddress

  init(_ socket: consuming ListeningSocket) {
    address = socket.address
    self.socket = consume socket
  }

  /// The socket, once.
  func take() throws(CollectorError) -> ListeningSocket {
    guard let socket = socket.take() else { throw .cannotListen(address: address.description, code: EBADF) }
    return socket
  }
}
