/// Names and texts inside of a statement, for where parameters are impossible: DDL, COPY, SET.
public enum SQLText {
  /// A name in double quotes, taken exactly as it is: `a"b` becomes `"a""b"`.
  ///
  /// - Throws: `.usage` for an empty name and one with a zero byte.
  public static func identifier(_ name: String) throws(PostgresError) -> String {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PostgresError(.usage, "a name in SQL cannot be empty or hold a zero byte")
    }
    return "\"" + doubling(name, "\"") + "\""
  }

  /// A text in single quotes, right whatever `standard_conforming_strings` is.
  ///
  /// - Throws: `.usage` for a text with a zero byte.
  public static func literal(_ text: String) throws(PostgresError) -> String {
    guard !text.utf8.contains(0) else { throw PostgresError(.usage, "a text in SQL cannot hold a zero byte") }
    let quoted = "'" + doubling(doubling(text, "'"), "\\") + "'"
    return text.utf8.contains(UInt8(ascii: "\\")) ? " E" + quoted : quoted
  }

  /// By code units, not by characters: a quote followed by a combining mark is a character of its own for Swift, and a
  /// plain quote for PostgreSQL.
  private static func doubling(_ text: String, _ mark: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(scalar)
      if scalar == mark { result.append(mark) }
    }
    return String(result)
  }
}
