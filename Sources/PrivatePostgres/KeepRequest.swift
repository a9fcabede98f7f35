#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The wish that the running server stays when its last user leaves.
///
/// It names that run of the server by process id and start time, so it ends with it: after a reboot a server that a
/// command starts is stopped again as usual.
struct KeepRequest {
  let path: String

  func record(_ file: PostmasterFile) throws(PrivatePostgresError) {
    try SystemCalls.writeText(Self.text(file), to: path)
  }

  func withdraw() { unlink(path) }

  func names(_ file: PostmasterFile) -> Bool { SystemCalls.readText(path) == Self.text(file) }

  private static func text(_ file: PostmasterFile) -> String {
    "\(file.processIdentifier) \(file.startedAtSeconds)\n"
  }
}
