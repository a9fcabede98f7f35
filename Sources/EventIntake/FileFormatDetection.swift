import EventScanner

/// Tells lines of JSON from one JSON text by what stands in a file; its name says nothing reliable.
enum FileFormatDetection {
  /// What the first line with anything in it shows.
  enum FirstLine {
    /// It is a value by itself, and something follows: lines.
    case lines
    /// Nothing follows it.
    case only
    /// There is none.
    case none
    /// It is the beginning of a value.
    case begins
    /// It is no JSON.
    case broken
  }

  /// Looks at the first line, and whether anything follows.
  static func firstLine(_ source: inout ChunkReader) throws -> FirstLine {
    try source.rewind()
    let checker = Checker()
    var isComplete = false
    var hasContent = false
    while let chunk = try source.next() {
      var rest = chunk
      while rest.count > 0 {
        if isComplete {
          if rest.contains(where: { !isWhitespace($0) }) { return .lines }
          break
        }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.count
        let part = rest.part(0..<end)
        if document_checker_feed(checker.handle, part.bytePointer, part.count, -1).mark == .problem { return .broken }
        hasContent = hasContent || part.contains(where: { !isWhitespace($0) })
        if end < rest.count, hasContent {
          if document_checker_finish(checker.handle) != .none { return .begins }
          isComplete = true
        }
        rest = rest.part(min(end + 1, rest.count)..<rest.count)
      }
    }
    return hasContent ? .only : .none
  }

  /// Whether at least half of the first lines are objects by themselves: then a text that is not JSON as a whole is lines
  /// with faults. (A document that broke off has such a line at most by chance.)
  static func isMostlyObjectLines(_ source: inout ChunkReader) throws -> Bool {
    try source.rewind()
    var probe = LineProbe()
    while let chunk = try source.next(), probe.lines < 1000 {
      var rest = chunk
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        probe.take(rest.part(0..<end))
        probe.endLine()
        rest = rest.part((end + 1)..<rest.count)
      }
      probe.take(rest)
    }
    probe.endLine()
    return probe.objects > 0 && probe.objects * 2 >= probe.lines
  }
}

/// Counts the lines that have anything in them, and those that are an object by themselves.
private struct LineProbe: ~Copyable {
  private(set) var lines = 0
  private(set) var objects = 0
  private let checker = Checker()
  private var first: UInt8?
  private var isBroken = false

  mutating func take(_ part: UnsafeRawBufferPointer) {
    if first == nil { first = part.first { !isWhitespace($0) } }
    if isBroken { return }
    isBroken = document_checker_feed(checker.handle, part.bytePointer, part.count, -1).mark == .problem
  }

  mutating func endLine() {
    if let first {
      lines += 1
      let isObject = first == UInt8(ascii: "{") && !isBroken && document_checker_finish(checker.handle) == .none
      if isObject { objects += 1 }
    }
    document_checker_reset(checker.handle)
    first = nil
    isBroken = false
  }
}
