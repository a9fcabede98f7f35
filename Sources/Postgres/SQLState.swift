/// A SQLSTATE: the five characters by which PostgreSQL says what went wrong, whatever its language and version
/// (PostgreSQL documentation, appendix A).
///
/// In a `switch`, a code that ends in `000` stands for its whole class:
///
/// ```swift
/// switch error.kind {
/// case .server(.uniqueViolation): …          // exactly 23505
/// case .server(.insufficientResources): …    // any 53xxx
/// ```
public struct SQLState: Hashable, Sendable, CustomStringConvertible {
  /// The five characters, digits and capital letters.
  public let code: String

  /// Nil unless `code` is five digits or capital ASCII letters.
  public init?(_ code: String) {
    guard code.utf8.count == 5, code.utf8.allSatisfy(Self.isCodeCharacter) else { return nil }
    self.code = code
  }

  /// For the constants, which are right by their tests.
  init(known code: StaticString) {
    self.code = code.description
  }

  /// The first two characters.
  public var classCode: Substring { code.prefix(2) }

  /// Whether this is a class (its last three characters are zeros), which as a pattern matches all its codes.
  public var isClass: Bool { code.hasSuffix("000") }

  /// Whether `value` is `pattern`, or belongs to the class that `pattern` is.
  public static func ~= (pattern: SQLState, value: SQLState) -> Bool {
    pattern == value || (pattern.isClass && pattern.classCode == value.classCode)
  }

  /// The code and, where this module knows it, PostgreSQL's name of the condition: `unique_violation (23505)`.
  public var description: String {
    guard let name = conditionName else { return "SQLSTATE \(code)" }
    return "\(name) (\(code))"
  }

  static func isCodeCharacter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }
}
