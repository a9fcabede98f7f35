import EventRecords
import EventScanner
import StoryEvents

extension Intake {
  /// Judges a file of any size in bounded memory: about 32 MiB at the most, a few when its lines are short.
  ///
  /// A file of lines is read once. One JSON text is read twice: the whole of it is checked before any event is delivered, and
  /// `context` and `sent_at` may stand behind `events`. A line beyond 16 MiB is rejected as `event_too_large` and kept up to
  /// its first mebibyte.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - app: the app that its events are for.
  ///   - format: how to read it.
  ///   - faultLimit: faults that the summary names; all are counted.
  ///   - deliver: gets records when there are enough of them, and at the end; they are gone afterwards.
  /// - Throws: `EventFileError`, or what the source or `deliver` threw. Where the source throws, what was judged before is
  ///   delivered first.
  public mutating func judgeFile(
    _ source: EventFileSource, app: String, format: EventFileFormat = .detect, faultLimit: Int = 20,
    deliver: (borrowing EventRecordWriter, EventFileProgress) throws -> Void
  ) throws -> EventFileSummary {
    begin(
      IntakeRequest(app: app, format: .ndjson, origin: .file, receivedAtMicroseconds: nil), faultLimit: faultLimit)
    eventLimit = .max
    let progress = FileProgress()
    defer {
      sink = nil
      sinkError = nil
      line = nil
    }
    return try withoutActuallyEscaping(deliver) { deliver in
      sink = { records in try deliver(records, progress.value) }
      defer { sink = nil }
      var chunks = ProgressingReader(ChunkReader(source), progress)
      let isLines: Bool
      do {
        isLines = try judgeFile(&chunks, format: format)
      } catch {
        // What was judged before the file broke off is as good as in a whole file.
        try deliverRest(progress)
        throw error
      }
      try deliverRest(progress)
      return EventFileSummary(
        accepted: tally.accepted, rejected: tally.rejected, rejectedByCode: tally.rejectedByCode,
        faults: tally.faults, isLines: isLines, warnings: tally.warnings())
    }
  }

  /// Delivers what was judged and not delivered yet.
  private mutating func deliverRest(_ progress: FileProgress) throws {
    closeRecord()
    progress.value.events = tally.events
    self.deliver()
    if let sinkError { throw sinkError }
  }

  /// Judges the file; the result is whether it was lines.
  private mutating func judgeFile(_ chunks: inout ProgressingReader, format: EventFileFormat) throws -> Bool {
    switch format {
    case .ndjson:
      try judgeLines(of: &chunks)
      return true
    case .json:
      if let stop = try judgeDocument(&chunks, line: nil) { throw Self.error(stop) }
      return false
    case .detect: break
    }
    switch try FileFormatDetection.firstLine(&chunks.reader) {
    case .lines, .none:
      try judgeLines(of: &chunks)
      return true
    case .only, .begins, .broken: break
    }
    guard let stop = try judgeDocument(&chunks, line: nil) else { return false }
    guard case .malformed = stop, try FileFormatDetection.isMostlyObjectLines(&chunks.reader) else {
      throw Self.error(stop)
    }
    try judgeLines(of: &chunks)
    return true
  }

  private static func error(_ stop: Stop) -> EventFileError {
    switch stop {
    case .malformed(let problem), .unreadable(let problem): .unreadable(problem)
    case .tooManyEvents: .unreadable("too many events")
    }
  }

  // MARK: Lines

  private mutating func judgeLines(of chunks: inout ProgressingReader) throws {
    try chunks.rewind()
    line = 1
    var pending = PendingLine()
    while let chunk = try chunks.next() {
      var rest = chunk
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        try endLine(rest.part(0..<end), &pending)
        rest = rest.part((end + 1)..<rest.count)
        chunks.progress.value.events = tally.events
      }
      pending.append(rest)
    }
    try endLine(UnsafeRawBufferPointer(start: nil, count: 0), &pending)
  }

  private mutating func endLine(_ tail: UnsafeRawBufferPointer, _ pending: inout PendingLine) throws {
    if pending.isEmpty {
      judgeFileLine(tail)
    } else {
      pending.append(tail)
      if pending.isTooLong {
        pending.withStart { _ = rejectLine($0, tooLarge(pending.length), nil) }
      } else {
        pending.withStart { judgeFileLine($0) }
      }
      pending.removeAll()
    }
    if let sinkError { throw sinkError }
    line = line.map { $0 + 1 }
  }

  private mutating func judgeFileLine(_ text: UnsafeRawBufferPointer) {
    // A file has no limit of events, and a line's faults are its own: a line never ends the file.
    switch judgeLine(text) {
    case .malformed(let message), .unreadable(let message):
      _ = rejectLine(text, Fault(code: .invalidJSON, field: nil, expectation: .object), message)
    case .tooManyEvents, nil: break
    }
  }
}

/// A line whose end has not been read yet.
private struct PendingLine {
  private var start: [UInt8] = []
  private(set) var length = 0
  private static let keptBytes = 1024 * 1024

  var isEmpty: Bool { length == 0 }
  var isTooLong: Bool { length > ContractLimits.decompressedBodyBytes }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    length += bytes.count
    if !isTooLong {
      start.append(contentsOf: bytes)
    } else if start.count > Self.keptBytes {
      start.removeSubrange(Self.keptBytes...)
    }
  }

  /// The line, or, when it is too long, its first mebibyte.
  func withStart(_ body: (UnsafeRawBufferPointer) -> Void) {
    start.withUnsafeBytes { body($0.part(0..<min($0.count, isTooLong ? Self.keptBytes : $0.count))) }
  }

  mutating func removeAll() {
    start.removeAll(keepingCapacity: start.capacity <= 1024 * 1024)
    length = 0
  }
}

/// How far a file has come; shared by the reader and the sink.
private final class FileProgress {
  var value = EventFileProgress(bytes: 0, events: 0)
}

/// A reader that notes how far it is.
private struct ProgressingReader: DocumentSource {
  var reader: ChunkReader
  let progress: FileProgress

  init(_ reader: ChunkReader, _ progress: FileProgress) {
    self.reader = reader
    self.progress = progress
  }

  mutating func rewind() throws { try reader.rewind() }

  mutating func next() throws -> UnsafeRawBufferPointer? {
    let chunk = try reader.next()
    progress.value.bytes = reader.bytes
    return chunk
  }
}
