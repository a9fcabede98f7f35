import Foundation

/// Writes a result where the user asked for it: whole or not at all.
enum OutputFile {
  /// Writes to a file beside the path and moves it into place; `-` is standard output.
  ///
  /// What is no file, such as `/dev/null` or a pipe, is written to and never replaced, and a link leads to its file.
  static func write(_ text: String, to path: String) throws(CommandError) {
    if path == "-" { return try Console.print(text) }
    let target = try followingLinks(path)
    var status = stat()
    let isThere = stat(target, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      return try write(text, to: target, O_WRONLY, named: path)
    }
    let temporary = "\(target).\(getpid()).new"
    do throws(CommandError) {
      try write(text, to: temporary, O_WRONLY | O_CREAT | O_EXCL, named: path)
      if isThere { chmod(temporary, status.st_mode & 0o7777) }
      guard rename(temporary, target) == 0 else { throw failure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Where the links of a path lead, also to a file that is not there yet: Foundation stops at such a link, and the file would
  /// take the link's place.
  private static func followingLinks(_ path: String) throws(CommandError) -> String {
    var target = URL(fileURLWithPath: path)
    var status = stat()
    for _ in 0..<40 {
      // What is there may be reached by a link that names no path, such as `/dev/stdout`.
      if stat(target.path, &status) == 0 { return target.resolvingSymlinksInPath().path }
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target.path) else {
        return target.path
      }
      target = URL(fileURLWithPath: next, relativeTo: target.deletingLastPathComponent()).absoluteURL
    }
    errno = ELOOP
    throw failure(path)
  }

  private static func write(
    _ text: String, to path: String, _ flags: Int32, named name: String
  ) throws(CommandError) {
    let descriptor = open(path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(name) }
    defer { close(descriptor) }
    try Console.write(text, to: descriptor, named: quoted(name))
  }

  private static func failure(_ path: String) -> CommandError {
    .environment("cannot write \(quoted(path)): \(String(cString: strerror(errno)))")
  }

  /// Makes a directory and those above it, where they are missing; others may pass through, as the private server must.
  static func makeDirectory(_ path: String) throws(CommandError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .environment("cannot make the directory \(quoted(path)): \(error.localizedDescription)")
    }
  }
}
