import Foundation
import Reports

/// Standard output and standard error, written whole: a closed pipe ends the command quietly, a full disk with a message.
enum Console {
  /// Writes to standard output.
  static func print(_ text: String) throws(CommandError) {
    try write(text, to: STDOUT_FILENO, named: "standard output")
  }

  /// Writes bytes to standard output, as they are.
  static func print(_ bytes: [UInt8]) throws(CommandError) {
    try write(bytes, to: STDOUT_FILENO, named: "standard output")
  }

  /// One line on standard error: notices, progress, errors. What cannot be written is dropped.
  static func note(_ line: String) {
    try? write(line + "\n", to: STDERR_FILENO, named: "standard error")
  }

  /// The same without a newline: for a line that is drawn over.
  static func noteWithoutNewline(_ text: String) {
    try? write(text, to: STDERR_FILENO, named: "standard error")
  }

  /// Whether the descriptor is a terminal that a person looks at.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The terminal's width in columns; 80 where there is none.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// How a report looks: as wide as the terminal, coloured on a terminal only and never with NO_COLOR (no-color.org).
  static func style(toTerminal: Bool, _ environment: CommandEnvironment) -> TextStyle {
    let isTerminal = toTerminal && isTerminal(STDOUT_FILENO)
    let noColor = environment.variables["NO_COLOR"].map { !$0.isEmpty } ?? false
    let isDumb = environment.variables["TERM"] == "dumb"
    return TextStyle(columns: isTerminal ? columns : 80, usesColor: isTerminal && !noColor && !isDumb)
  }

  /// Writes all of it to a descriptor.
  static func write(_ text: String, to descriptor: Int32, named name: String) throws(CommandError) {
    try write(Array(text.utf8), to: descriptor, named: name)
  }

  private static func write(_ all: [UInt8], to descriptor: Int32, named name: String) throws(CommandError) {
    var bytes = all[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        bytes.removeFirst(written)
      } else if errno == EPIPE {
        throw .closedPipe
      } else if errno != EINTR {
        throw .environment("cannot write to \(name): \(String(cString: strerror(errno)))")
      }
    }
  }
}
