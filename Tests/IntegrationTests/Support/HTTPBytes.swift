import Compression
import Foundation

/// Requests and answers as bytes.
enum HTTPBytes {
  /// A request with its whole body, which says that the connection ends with it; nil where it is cut.
  static func readRequest(_ socket: Int32) -> [UInt8]? {
    guard let bytes = read(socket, untilWhole: { length(of: $0) }) else { return nil }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return bytes[...end] + Array("Connection: close\r\n".utf8) + bytes[(end + 1)...]
  }

  /// An answer with its whole body; nil where it is cut.
  static func readAnswer(_ socket: Int32) -> [UInt8]? { read(socket, untilWhole: { length(of: $0) }) }

  /// How many events a request has.
  static func eventCount(_ request: [UInt8]) -> Int {
    guard let head = headLength(request), var decompressor = try? Decompressor(.gzip) else { return 0 }
    var body = DecompressedBody()
    request[head...].withUnsafeBytes { try? body.decompress($0, with: &decompressor, limitBytes: 1 << 24) }
    return String(decoding: body.bytes, as: UTF8.self).components(separatedBy: #""seq":"#).count - 1
  }

  private static func read(_ socket: Int32, untilWhole length: ([UInt8]) -> Int?) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let whole = length(bytes), bytes.count >= whole { return Array(bytes[..<whole]) }
      let count = recv(socket, &piece, piece.count, 0)
      if count <= 0 { return nil }
      bytes += piece[..<count]
    }
  }

  private static func length(of bytes: [UInt8]) -> Int? {
    guard let head = headLength(bytes) else { return nil }
    let lines = String(decoding: bytes[..<head], as: UTF8.self).lowercased().components(separatedBy: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length:") }?.dropFirst(15).trimmingCharacters(in: .whitespaces)
    return head + (length.flatMap { Int($0) } ?? 0)
  }

  private static func headLength(_ bytes: [UInt8]) -> Int? {
    Data(bytes).range(of: Data("\r\n\r\n".utf8))?.upperBound
  }
}
