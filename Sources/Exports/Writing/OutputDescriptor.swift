#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is being written: its descriptor, and the hash and the number of the bytes so far.
struct OutputDescriptor: ~Copyable {
  private let file: OpenFile
  /// As it is named in errors.
  private let path: String
  private var hash = FileHash()
  /// How many bytes were written.
  private(set) var byteCount: Int64 = 0

  /// Makes a file in a directory, where there must be none of its name yet.
  ///
  /// - Throws: `.file`.
  init(_ name: EntryName, in directory: borrowing OpenDirectory) throws(ExportError) {
    let path = directory.pathOf(name)
    let file = try naming(path, "cannot be made") { () throws(FileFault) in
      try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o644)
    }
    self.init(file, path: path)
  }

  /// Takes an open file over.
  init(_ file: consuming OpenFile, path: String) {
    self.file = file
    self.path = path
  }

  /// SHA-256 of the bytes so far, as 64 hexadecimal digits.
  var sha256: String { hash.hexadecimal }

  /// Writes all of some bytes.
  ///
  /// - Throws: `.file`.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    hash.update(bytes)
    try naming(path, "cannot be written") { () throws(FileFault) in try file.write(bytes) }
    byteCount += Int64(bytes.count)
  }

  /// Returns when all of it is on stable storage.
  ///
  /// - Throws: `.file`; the file must not be trusted then, even where a second attempt succeeds.
  func synchronize() throws(ExportError) {
    try naming(path, "cannot be synced") { () throws(FileFault) in try file.synchronize() }
  }
}
