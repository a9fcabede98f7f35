// Categories of interactive notifications, for people: `pagefall category import|list`.
//
//   CategoryFile       an answer of registerDevice, read from a file
//   CategoryText       what an import did, line by line
//   CategoryTable      what `list` prints: for people; as JSON and CSV

import FunnelDocument
import StoryPlayback

/// An answer of `registerDevice`, as commands read it.
enum CategoryFile {
  /// Reads a file, or standard input for `-`.
  static func read(_ path: String) throws(CommandError) -> CategoryResponse {
    let bytes = try MessageFile.readAll(path, atMost: mostBytes)
    do {
      return try CategoryResponse(bytes: bytes)
    } catch {
      throw .dataFault("\(quoted(path)): \(sentence(error, bytes))")
    }
  }

  /// What is wrong; of what is not JSON also where, which the reader of categories does not know.
  private static func sentence(_ error: CategoryResponseError, _ bytes: [UInt8]) -> String {
    guard case .notJSON = error else { return error.description }
    if bytes.isEmpty { return "is empty: expected a registerDevice response" }
    do {
      _ = try JSONValue(text: bytes)
      return error.description
    } catch {
      return error.description
    }
  }

  /// 1,000 categories of 10 buttons have less.
  private static let mostBytes = 4 << 20
}
