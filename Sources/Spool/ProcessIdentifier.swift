#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// This process's id, for the lock file.
enum ProcessIdentifier {
  static var current: Int32 { getpid() }
}
