import Foundation

/// A file system in memory, of a size that is soon full; unmounted when it is let go. For tests of who may mount one.
public final class SmallDisk: Sendable {
  /// Where it lies.
  public let path: String
  private let directory: TemporaryDirectory

  /// Whether this user may mount one.
  public static let canBeMounted = (try? SmallDisk("size=64k")) != nil

  /// Mounts one.
  /// - Parameter options: of `mount`, such as `size=64k` or `size=1m,nr_inodes=4`.
  public init(_ options: String) throws {
    directory = try TemporaryDirectory()
    path = directory.path
    _ = try Program.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
  }

  deinit { _ = try? Program.run("umount", ["-l", path]) }

  /// Makes it larger, or smaller.
  /// - Parameter size: such as `8m`.
  public func resize(_ size: String) throws { _ = try Program.run("mount", ["-o", "remount,size=\(size)", path]) }

  /// From now on nobody writes to it.
  public func makeReadOnly() throws { _ = try Program.run("mount", ["-o", "remount,ro", path]) }

  /// Writes zeros until there is no room; returns whether that was the reason to stop.
  public func fill() -> Bool {
    let descriptor = open("\(path)/filler", O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    for size in [65_536, 4_096, 1] {
      let zeros = [UInt8](repeating: 0, count: size)
      while write(descriptor, zeros, size) > 0 {}
    }
    return errno == ENOSPC
  }
}
