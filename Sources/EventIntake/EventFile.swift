import EventScanner
import StoryEvents

/// The bytes of a file, or of anything that can be read again from its beginning; decompressed.
public struct EventFileSource {
  /// Fills the front of a buffer with the next bytes and returns how many; 0 at the end.
  public var read: (UnsafeMutableRawBufferPointer) throws -> Int
  /// Begins again. Called before reading; for a text that is not lines, also between the two passes.
  public var rewind: () throws -> Void

  /// Names both.
  public init(
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, rewind: @escaping () throws -> Void
  ) {
    self.read = read
    self.rewind = rewind
  }
}

/// How a file's bytes are to be read.
public enum EventFileFormat: Sendable {
  /// Found out from its contents.
  case detect
  /// One JSON text: a batch, an array of events or an event, of any size, over any number of lines.
  case json
  /// A batch or an event a line.
  case ndjson
}

/// How far a file has been judged.
public struct EventFileProgress: Equatable, Sendable {
  /// Bytes read for good (the second pass, where there are two).
  public var bytes: Int64
  /// Events judged.
  public var events: Int

  /// Names both.
  public init(bytes: Int64, events: Int) {
    self.bytes = bytes
    self.events = events
  }
}

/// What came of a file.
public struct EventFileSummary: Equatable, Sendable {
  /// Events that passed every rule.
  public var accepted: Int
  /// Events that did not, unreadable lines included.
  public var rejected: Int
  /// Rejected events by their code.
  public var rejectedByCode: [RejectionCode: Int]
  /// The first faults; `index` is the line from 1 where `isLines`, else the event's place from 0.
  public var faults: [EventFault]
  /// Whether the file was read as lines.
  public var isLines: Bool
  /// What looks wrong.
  public var warnings: [IntakeWarning]
}

/// Why a file cannot be judged.
public enum EventFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not one JSON text, and not lines of them; nothing of it was delivered. With the first problem.
  case unreadable(String)

  /// One line.
  public var description: String {
    switch self {
    case .unreadable(let problem): problem
    }
  }
}

/// Reads a source chunk by chunk.
struct ChunkReader: DocumentSource {
  private let source: EventFileSource
  private let buffer: Buffer
  /// Bytes read since the last `rewind`.
  private(set) var bytes: Int64 = 0

  /// The chunk's memory.
  private final class Buffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    deinit { bytes.deallocate() }
  }

  init(_ source: EventFileSource) {
    self.source = source
    buffer = Buffer()
  }

  mutating func rewind() throws {
    try source.rewind()
    bytes = 0
  }

  mutating func next() throws -> UnsafeRawBufferPointer? {
    let count = try source.read(buffer.bytes)
    bytes += Int64(count)
    return count == 0 ? nil : UnsafeRawBufferPointer(buffer.bytes).part(0..<count)
  }
}
