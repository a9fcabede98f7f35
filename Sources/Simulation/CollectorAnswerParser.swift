/// Reads an HTTP/1.1 answer (RFC 9112) from the bytes that have come so far.
struct CollectorAnswerParser {
  /// How far the bytes go.
  enum Progress: Equatable {
    case incomplete
    case malformed
    case complete(CollectorAnswer)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var answer = CollectorAnswer()
  private var contentLength: Int?
  private var isChunked = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func parse() -> Progress {
    repeat {
      answer = CollectorAnswer()
      contentLength = nil
      isChunked = false
      switch parseHead() {
      case .none: return .incomplete
      case .some(false): return .malformed
      case .some(true): break
      }
      // 1xx only announces the answer.
    } while (100..<200).contains(answer.status)
    return isChunked ? parseChunks() : parseBody()
  }

  /// Nil where the head is not complete, false where it is not HTTP.
  private mutating func parseHead() -> Bool? {
    guard let statusLine = nextLine() else { return nil }
    let words = statusLine.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1].prefix(3)) else { return false }
    answer.status = status
    answer.line = String(words[1])
    answer.closesConnection = words[0] == "HTTP/1.0"
    while let line = nextLine() {
      if line.isEmpty { return true }
      guard let colon = line.firstIndex(of: ":") else { return false }
      let value = line[line.index(after: colon)...].trimmingBlanks()
      switch line[..<colon].lowercased() {
      case "content-length":
        guard let length = Int(value), length >= 0 else { return false }
        contentLength = length
      case "transfer-encoding": isChunked = value.lowercased() == "chunked"
      case "connection": if value.lowercased() == "close" { answer.closesConnection = true }
      case "retry-after": answer.retryAfterSeconds = Int(value).flatMap { $0 >= 0 ? $0 : nil }
      default: break
      }
    }
    return nil
  }

  private mutating func parseBody() -> Progress {
    // Without a length the body would last until the connection closes; no sender needs it.
    if contentLength == nil { answer.closesConnection = true }
    let length = contentLength ?? 0
    guard bytes.count - position >= length else { return .incomplete }
    answer.body = Array(bytes[position..<(position + length)])
    return .complete(answer)
  }

  private mutating func parseChunks() -> Progress {
    while let line = nextLine() {
      guard let size = Int(line.prefix { $0 != ";" }.trimmingBlanks(), radix: 16), size >= 0 else { return .malformed }
      if size == 0 {
        while let trailer = nextLine() {
          if trailer.isEmpty { return .complete(answer) }
        }
        return .incomplete
      }
      guard bytes.count - position >= size, bytes.count - position - size >= 2 else { return .incomplete }
      answer.body += bytes[position..<(position + size)]
      position += size + 2
    }
    return .incomplete
  }

  /// The next line without its end; nil where it is not complete.
  private mutating func nextLine() -> String? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    var line = bytes[position..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    position = end + 1
    return String(decoding: line, as: UTF8.self)
  }
}

extension StringProtocol {
  fileprivate func trimmingBlanks() -> String {
    String(self.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
