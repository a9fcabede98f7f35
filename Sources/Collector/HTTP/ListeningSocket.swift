#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket that listens; closed with its value unless it was handed on.
struct ListeningSocket: ~Copyable {
  private var descriptor: Int32
  /// Where it really listens: numeric, the port known.
  let address: ListenAddress

  /// Resolves and binds. Where a name has several addresses, the first that can be bound.
  ///
  /// - Parameter loopbackOnly: refuse where any of the name's addresses can be reached from elsewhere.
  init(_ wanted: ListenAddress, loopbackOnly: Bool) throws(CollectorError) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    hints.ai_flags = AI_PASSIVE
    var first: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(wanted.host.isEmpty ? nil : wanted.host, "\(wanted.port)", &hints, &first)
    guard status == 0, let first else {
      throw CollectorError.addressUnknown(
        address: wanted.description, reason: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(first) }
    if loopbackOnly {
      for candidate in sequence(first: first, next: { $0.pointee.ai_next })
      where !Self.isLoopback(candidate.pointee.ai_addr) {
        throw CollectorError.openBeyondLoopback(address: wanted.description)
      }
    }
    var code: Int32 = 0
    for candidate in sequence(first: first, next: { $0.pointee.ai_next }) {
      let descriptor = Self.bound(candidate.pointee, &code)
      guard descriptor >= 0 else { continue }
      guard let address = Self.name(of: descriptor) else {
        close(descriptor)
        continue
      }
      self.descriptor = descriptor
      self.address = address
      return
    }
    throw CollectorError.cannotListen(address: wanted.description, code: code)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Hands the descriptor on, which the caller then closes.
  consuming func release() -> Int32 {
    let released = descriptor
    descriptor = -1
    return released
  }

  private static func bound(_ candidate: addrinfo, _ code: inout Int32) -> Int32 {
    let descriptor = socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
    guard descriptor >= 0 else {
      code = errno
      return -1
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0, listen(descriptor, 1024) == 0 else {
      code = errno
      close(descriptor)
      return -1
    }
    return descriptor
  }

  private static func isLoopback(_ address: UnsafeMutablePointer<sockaddr>?) -> Bool {
    guard let address else { return false }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr.bigEndian >> 24 == 127
    case AF_INET6:
      let six = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
      return withUnsafeBytes(of: six.sin6_addr) { bytes in
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF { return bytes[12] == 127 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
      }
    default: return false
    }
  }

  private static func name(of descriptor: Int32) -> ListenAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage -> ListenAddress? in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> ListenAddress? in
        guard getsockname(descriptor, address, &size) == 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text -> ListenAddress? in
          guard let start = text.baseAddress else { return nil }
          let status = getnameinfo(address, size, start, socklen_t(text.count), nil, 0, Int32(NI_NUMERICHOST))
          guard status == 0 else { return nil }
          // The port stands at the same place in both families.
          let port = UnsafeRawPointer(address).load(fromByteOffset: 2, as: UInt16.self).bigEndian
          return ListenAddress(host: String(cString: start), port: port)
        }
      }
    }
  }
}
