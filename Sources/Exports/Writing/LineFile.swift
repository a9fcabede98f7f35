/// A file of lines under way: the writer of its cells, and the file that they go to.
struct LineFile: ~Copyable {
  /// Writes the cells of the line under way.
  var cells: CellWriter
  private let content: ExportContent
  private let name: String
  private var file: ExportFile
  private var rows = 0

  /// So many bytes go to the file at once.
  private static let flushedBytes = 256 * 1_024

  /// Makes the file in a directory, its header in it.
  ///
  /// - Throws: `.file`.
  init(_ content: ExportContent, _ options: ExportOptions, in directory: borrowing OpenDirectory) throws(ExportError) {
    name = options.fileName(of: content)
    file = try ExportFile(OutputDescriptor(EntryName(name), in: directory), options.compression)
    cells = CellWriter(content.columns, options, capacity: Self.flushedBytes + 64 * 1_024)
    cells.header(content.columns)
    self.content = content
  }

  /// Ends the line under way.
  @inline(__always)
  mutating func endLine() throws(ExportError) {
    cells.endLine()
    rows += 1
    if cells.buffer.count >= Self.flushedBytes { try flush() }
  }

  /// Ends the file, and returns when it is on stable storage.
  mutating func finish() throws(ExportError) -> WrittenFile {
    try flush()
    let contents = try file.finish()
    return WrittenFile(
      content: content, name: name, columns: content.columns, rows: rows, bytes: contents.bytes,
      uncompressedBytes: contents.uncompressedBytes, sha256: contents.sha256)
  }

  @inline(never)
  private mutating func flush() throws(ExportError) {
    try file.write(cells.buffer.bytes)
    cells.buffer.removeAll(maximumCapacity: 4 * Self.flushedBytes)
  }
}
