/// One thing to know before a message is sent.
package struct LintFinding: Equatable, Sendable {
  /// What kind of thing; stable, for programs.
  package var code: LintCode
  /// How bad it is.
  package var severity: LintSeverity
  /// Where, as a JSON pointer (RFC 6901) into the file. In custom data that is a string of JSON, the string.
  package var pointer: String
  /// What happens on the phone, and what to change.
  package var message: String
}

/// How bad a finding is. The raw values are the words of both output formats.
package enum LintSeverity: String, Equatable, Sendable, CaseIterable, Comparable {
  /// The phone does not show what the message says.
  case error
  /// It shows something else than was probably meant, or reports suffer.
  case warning
  /// Worth knowing.
  case note

  /// Errors come before warnings, and those before notes.
  package static func < (left: LintSeverity, right: LintSeverity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .note: 2
    }
  }
}

/// Collects findings, with a bound: a file of a million broken pages has no use for a million lines.
struct FindingList {
  /// Findings of one code that are told singly; the rest is counted.
  static let mostOfOneCode = 50

  private var findings: [LintFinding] = []
  private var counts: [LintCode: Int] = [:]

  /// Adds a finding at a pointer; its severity is the code's.
  mutating func add(
    _ code: LintCode, severity: LintSeverity? = nil, at pointer: JSONPointer, _ message: @autoclosure () -> String
  ) {
    counts[code, default: 0] += 1
    guard counts[code, default: 0] <= Self.mostOfOneCode else { return }
    findings.append(
      LintFinding(
        code: code, severity: severity ?? code.severity, pointer: pointer.text, message: message()))
  }

  /// Adds a finding at a place that may lie inside a string of JSON, which the message then says.
  mutating func add(_ code: LintCode, at place: MessagePlace, _ message: @autoclosure () -> String) {
    add(code, at: place.pointer, place.explain(message()))
  }

  /// The gravest first, otherwise as they were added; where some were left out, how many.
  var sorted: [LintFinding] {
    var all = findings
    for code in LintCode.allCases where counts[code, default: 0] > Self.mostOfOneCode {
      let surplus = counts[code, default: 0] - Self.mostOfOneCode
      guard let last = findings.last(where: { $0.code == code }) else { continue }
      var rest = last
      rest.message = "And \(surplus) more of these."
      all.append(rest)
    }
    return all.enumerated().sorted {
      ($0.element.severity, $0.offset) < ($1.element.severity, $1.offset)
    }.map(\.element)
  }
}
