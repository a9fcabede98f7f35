import Spool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why the collector cannot start. Each is one line that says what to do.
public enum CollectorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The host of `--listen` has no address.
  case addressUnknown(address: String, reason: String)
  /// The address cannot be bound; `code` is an errno.
  case cannotListen(address: String, code: Int32)
  /// The HTTP library does not start; `code` is an errno.
  case cannotServe(address: String, code: Int32)
  /// Without keys anybody who reaches the address may write, so it must be a loopback address.
  case openBeyondLoopback(address: String)
  /// The spool cannot be opened.
  case spool(SpoolError)
  /// The database's connection string cannot be understood.
  case database(message: String)
  /// A call to the system failed; `code` is an errno.
  case system(operation: String, code: Int32)

  /// One line.
  public var description: String {
    switch self {
    case .addressUnknown(let address, let reason):
      "cannot listen on \(address): \(reason); give --listen HOST:PORT, such as 127.0.0.1:8787 or [::1]:8787"
    case .cannotListen(let address, let code) where code == EADDRINUSE:
      "cannot listen on \(address): another program does; stop it or choose another port with --listen"
    case .cannotListen(let address, let code):
      "cannot listen on \(address): \(Self.text(code)); choose another address with --listen"
    case .cannotServe(let address, let code):
      "cannot serve HTTP on \(address): \(Self.text(code))"
    case .openBeyondLoopback(let address):
      "--open takes events without a key, so it is refused on \(address): listen on 127.0.0.1 or [::1], or make keys"
    case .spool(let error): error.description
    case .database(let message): message
    case .system(let operation, let code): "\(operation) failed: \(Self.text(code))"
    }
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
