import Foundation
import MessageLint

/// Reads a file with a message, or with what else people write by hand, however large or endless it is.
enum MessageFile {
  /// The bytes of a file, or of standard input for `-`; one byte more than a message may have at most.
  static func read(_ path: String) throws(CommandError) -> [UInt8] {
    try read(path, atMost: MessageLint.maximumBytes + 1)
  }

  /// All bytes of a file that must not have more than so many: the memory is ours, whatever the path leads to.
  static func readAll(_ path: String, atMost maximumBytes: Int = MessageLint.maximumBytes) throws(CommandError)
    -> [UInt8]
  {
    let bytes = try read(path, atMost: maximumBytes + 1)
    guard bytes.count <= maximumBytes else {
      throw .dataFault("\(quoted(path)) has more than \(maximumBytes >> 20) MiB; give a smaller file")
    }
    return bytes
  }

  /// The first bytes of a file.
  static func read(_ path: String, atMost maximumBytes: Int) throws(CommandError) -> [UInt8] {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if !isInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < maximumBytes {
      let count = Foundation.read(descriptor, &buffer, min(buffer.count, maximumBytes - bytes.count))
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw failure(path)
      }
    }
    return bytes
  }

  private static func failure(_ path: String) -> CommandError {
    let name = path == "-" ? "standard input" : quoted(path)
    return .environment("cannot read \(name): \(String(cString: strerror(errno)))")
  }
}
