#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The kernel's count of what a socket has received.
enum ReceivedBytes {
  #if os(Linux)
    /// Bytes since the connection began; nil where the kernel does not tell.
    static func of(socket: Int32) -> Int64? {
      // `struct tcp_info` of <linux/tcp.h>: tcpi_bytes_received is the 64-bit word at byte 128 (Linux 4.1 and later);
      // the C library's own struct ends before it.
      let offset = 128
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { information -> Int64? in
        var size = socklen_t(information.count)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, information.baseAddress, &size) == 0,
          Int(size) >= offset + 8
        else { return nil }
        return information.load(fromByteOffset: offset, as: Int64.self)
      }
    }
  #else
    /// Not asked here: a connection that waits for a request is closed after the time that a head may take.
    static func of(socket: Int32) -> Int64? { nil }
  #endif
}
