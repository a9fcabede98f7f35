import CMicroHTTPD

/// How the process keeps memory that it no longer needs.
enum MemoryPolicy {
  /// Memory of a large body goes back to the system when it is freed. By default the GNU C library learns from the first
  /// one to keep such memory, and the process stays as large as its worst moment.
  static func apply() { pagefall_give_back_from(256 * 1024) }
}
