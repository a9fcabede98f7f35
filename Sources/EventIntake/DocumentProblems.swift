import EventScanner

/// Owns the C checker.
struct Checker: ~Copyable {
  let handle: OpaquePointer

  /// Makes a checker.
  ///
  /// - Precondition: there is memory for its few dozen bytes; without, nothing in this process can go on.
  init() {
    guard let handle = document_checker_create() else { preconditionFailure("out of memory") }
    self.handle = handle
  }

  deinit { document_checker_destroy(handle) }
}

/// Says why and where a text is not JSON.
enum DocumentProblems {
  /// Describes the first problem of a text that the scanner refused.
  static func describe(_ text: UnsafeRawBufferPointer) -> String {
    let checker = Checker()
    _ = document_checker_feed(checker.handle, text.bytePointer, text.count, -1)
    _ = document_checker_finish(checker.handle)
    return describe(checker)
  }

  /// Describes the problem that a checker found.
  static func describe(_ checker: borrowing Checker) -> String {
    let offset = document_checker_offset(checker.handle)
    let line = document_checker_line(checker.handle)
    let place = line > 1 ? "at byte \(offset), line \(line)" : "at byte \(offset)"
    switch document_checker_problem(checker.handle) {
    case .none: return "it cannot be read"
    case .empty: return "it is empty"
    case .endsEarly: return "it ends inside a value, \(place)"
    case .unexpectedCharacter: return "a character that cannot stand there, \(place)"
    case .controlCharacter: return "a control character in a text, \(place)"
    case .invalidEscape: return "an invalid escape, \(place)"
    case .invalidNumber: return "an invalid number, \(place)"
    case .notUTF8: return "a byte that is not UTF-8, \(place)"
    case .trailingContent: return "something behind the end of the value, \(place)"
    case .tooDeep: return "it is nested too deeply, \(place)"
    }
  }
}
