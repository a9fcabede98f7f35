import EventStore
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The known keys on disk, so that they work after a restart while the database is down: hashes only, readable by
/// nobody else, replaced as a whole.
struct KeyFile: Sendable {
  let path: String

  private struct Contents: Codable {
    var version = 1
    var keys: [Line]
  }

  private struct Line: Codable {
    var sha256: String
    var app: String
    var right: String
  }

  /// What the file holds; nil where there is none, or none that can be read: then the database is asked.
  func read() -> [KnownKey]? {
    guard let data = FileManager.default.contents(atPath: path),
      let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.version == 1
    else { return nil }
    return contents.keys.compactMap { line in
      guard let hash = Self.hash(line.sha256), let right = KeyRight(rawValue: line.right) else { return nil }
      return KnownKey(hash: hash, app: line.app, right: right)
    }
  }

  /// Replaces the file: a crash leaves the old one or the new one.
  func write(_ keys: [KnownKey]) throws(CollectorError) {
    let lines = keys.map { key in
      Line(sha256: Self.text(key.hash), app: key.app, right: key.right.rawValue)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    guard let data = try? encoder.encode(Contents(keys: lines)) else {
      throw CollectorError.system(operation: "encode \(path)", code: EINVAL)
    }
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CollectorError.system(operation: "create \(temporary)", code: errno) }
    var failure: Int32?
    data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          failure = errno
          return
        }
        written += count
      }
    }
    if failure == nil, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    if failure == nil, rename(temporary, path) != 0 { failure = errno }
    if let failure {
      unlink(temporary)
      throw CollectorError.system(operation: "write \(path)", code: failure)
    }
  }

  private static func text(_ hash: KeyHash) -> String {
    hash.bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func hash(_ text: String) -> KeyHash? {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return KeyHash(bytes: bytes)
  }
}
