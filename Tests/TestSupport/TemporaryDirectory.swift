import Foundation
import PrivatePostgres

/// An empty directory for one test; removed with all in it when it is let go.
public final class TemporaryDirectory: Sendable {
  /// Its path, absolute and without links.
  public let path: String

  /// Makes the directory, open to its owner alone to write, to others to pass through.
  public init() throws {
    path = SystemCalls.canonicalPath(try TestRoot.shared.path) + "/" + "directory-\(UUID().uuidString.prefix(13))"
    try SystemCalls.makeDirectory(path, permissions: 0o711)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
