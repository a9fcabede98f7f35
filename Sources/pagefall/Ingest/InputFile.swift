import Compression
import EventIntake
import Foundation

/// A file of events as `Intake` reads it: decompressed, and readable again from its beginning.
///
/// What cannot be read twice (standard input that is a pipe) is copied to a temporary file first. Everything happens on the
/// thread that made it.
final class InputFile {
  /// As messages call it.
  let name: String
  /// Its size as it lies on disk, compressed or not.
  let byteCount: Int64
  /// How many of these bytes are read in this pass.
  private(set) var bytesRead: Int64 = 0
  private let descriptor: Int32
  private let format: CompressionFormat?
  private var decompressor: Decompressing?

  /// A holder, because a noncopyable reader cannot be an optional that closures share.
  private final class Decompressing {
    var reader: DecompressingReader
    init(_ reader: consuming DecompressingReader) { self.reader = reader }
  }

  /// Opens a file, or standard input for `-`.
  init(path: String) throws(CommandError) {
    name = path == "-" ? "standard input" : path
    if path == "-" {
      descriptor = try Self.rereadable(STDIN_FILENO)
    } else {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure("open", path) }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("read", name) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw .environment("cannot read \(quoted(name)): it is a directory; name the files in it")
    }
    byteCount = Int64(status.st_size)
    var head = [UInt8](repeating: 0, count: 4)
    let count = pread(descriptor, &head, 4, 0)
    format = head.withUnsafeBytes { CompressionFormat(head: UnsafeRawBufferPointer(rebasing: $0[..<max(0, count)])) }
  }

  deinit { close(descriptor) }

  /// The file for `Intake.judgeFile`.
  var source: EventFileSource {
    EventFileSource(read: { [self] in try read(into: $0) }, rewind: { [self] in try rewind() })
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let decompressor else { return try readRaw(into: buffer) }
    return try decompressor.reader.read(into: buffer)
  }

  private func rewind() throws {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure("read again", name) }
    bytesRead = 0
    guard let format else { return }
    decompressor = Decompressing(try DecompressingReader(format) { [unowned self] in try readRaw(into: $0) })
  }

  private func readRaw(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        bytesRead += Int64(count)
        return count
      }
      if errno != EINTR { throw Self.failure("read", name) }
    }
  }

  /// The descriptor itself where it can be read again, else a copy of all that comes from it.
  private static func rereadable(_ descriptor: Int32) throws(CommandError) -> Int32 {
    if lseek(descriptor, 0, SEEK_CUR) >= 0 { return dup(descriptor) }
    let directory = FileManager.default.temporaryDirectory.path
    var template = Array("\(directory)/pagefall-ingest-XXXXXX".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else { throw failure("make a temporary file in", directory) }
    // Without a name it is gone with this process, however that ends.
    unlink(template)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 { return copy }
      if count < 0, errno != EINTR { throw failure("read", "standard input") }
      var written = 0
      while written < count {
        let step = write(copy, buffer.baseAddress?.advanced(by: written), count - written)
        if step < 0, errno != EINTR { throw failure("copy standard input to", directory) }
        written += max(0, step)
      }
    }
  }

  private static func failure(_ operation: String, _ path: String) -> CommandError {
    .environment("cannot \(operation) \(quoted(path)): \(String(cString: strerror(errno)))")
  }
}
