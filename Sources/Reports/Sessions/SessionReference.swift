import Postgres
import StoryEvents

/// A session as people name it: its id as it was sent, digits in either case, or the beginning of that.
public struct SessionReference: Sendable, Equatable {
  /// As it was written, in lower case.
  public let text: String
  /// The first id that may be meant, in its stored form.
  package let lowest: PostgresUUID
  /// The last id that may be meant, in its stored form.
  package let highest: PostgresUUID

  /// How many characters of an id have to be given: up to its version, without which its place in the database is not known.
  public static let leastCharacters = 18
  private static let wholeCharacters = 36
  private static let dashes: Set<Int> = [8, 13, 18, 23]

  /// Reads an id.
  ///
  /// - Throws: `.usage` for what is none.
  public init(argument: String) throws(ReportError) {
    guard let reference = Self(argument.lowercased()) else {
      throw .usage(
        "\(QuotedText.of(argument)) is no session id; write the 36 characters that were sent, such "
          + "as 01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f, or at least the first \(Self.leastCharacters) of them")
    }
    self = reference
  }

  private init?(_ text: String) {
    guard text.utf8.count >= Self.leastCharacters, text.utf8.count <= Self.wholeCharacters else { return nil }
    var digits: [UInt64] = []
    for (place, character) in text.utf8.enumerated() {
      if Self.dashes.contains(place) {
        guard character == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Character(Unicode.Scalar(character)).hexDigitValue else { return nil }
        digits.append(UInt64(digit))
      }
    }
    let high = digits.prefix(16).reduce(0) { $0 << 4 | $1 }
    let given = digits.dropFirst(16)
    let unknownBits = UInt64(4 * (16 - given.count))
    let begin = unknownBits == 64 ? 0 : given.reduce(0) { $0 << 4 | $1 } << unknownBits
    // Without a single digit of the second half, its first two bits are those of every id (RFC 9562, the variant).
    let low = given.isEmpty ? 0b10 << 62 : begin
    let unknown = given.isEmpty ? UInt64.max >> 2 : (unknownBits == 0 ? 0 : UInt64.max >> (64 - unknownBits))
    guard let first = SessionID(high: high, low: low) else { return nil }
    self.text = text
    lowest = PostgresUUID(high: first.storedHigh, low: low)
    highest = PostgresUUID(high: first.storedHigh, low: low | unknown)
  }

  /// Whether it can only be one session.
  public var isWhole: Bool { lowest == highest }

  /// The one session that is meant, in its stored form; nil where none is stored.
  ///
  /// - Throws: `.usage` where several are meant.
  package func find(_ connection: inout PostgresConnection) throws -> PostgresUUID? {
    let result = try connection.execute(
      """
      SELECT s.session_id, pagefall.sent_session_id(s.session_id)::text FROM pagefall.sessions s
      WHERE s.session_id BETWEEN $1 AND $2 ORDER BY s.session_id LIMIT 6
      """, [.uuid(lowest), .uuid(highest)])
    if result.rowCount == 0 { return nil }
    guard result.rowCount == 1 else {
      var ids: [String] = []
      for row in 0..<min(result.rowCount, 5) { ids.append(try result[row, 1]) }
      throw ReportError.usage(
        "'\(text)' may be \(ids.joined(separator: ", "))\(result.rowCount > 5 ? " or others" : ""): write more of the id"
      )
    }
    return try result[0, 0]
  }
}
