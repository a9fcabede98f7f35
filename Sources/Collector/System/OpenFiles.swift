import ServiceLog

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The system's limit of open files, which bounds connections.
enum OpenFiles {
  /// Files that are not connections: segments, sockets to the database, pipes.
  private static let others = 128

  /// Raises the limit as far as is needed and allowed; returns how many connections it leaves room for.
  static func allow(connections: Int, log: ServiceLog) -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return connections }
    let needed = rlim_t(connections + HTTPLimits.spareConnections + others)
    if limit.rlim_cur >= needed { return connections }
    limit.rlim_cur = min(needed, limit.rlim_max)
    _ = setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return connections }
    let possible = max(16, Int(limit.rlim_cur) - HTTPLimits.spareConnections - others)
    log.warning(
      "fewer connections, because few files may be open; raise the limit with ulimit -n",
      ["connections": .int(Int64(possible)), "wanted": .int(Int64(connections))])
    return min(connections, possible)
  }
}
