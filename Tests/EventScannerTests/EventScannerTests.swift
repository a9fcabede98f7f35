import EventScanner
import Testing

/// Owns a scanner for a test.
final class TestScanner {
  private let handle: OpaquePointer

  init() throws { handle = try #require(event_scanner_create()) }
  deinit { event_scanner_destroy(handle) }

  /// Scans text that stands in memory of exactly its size, and lends the result.
  func scan<Result>(
    _ text: [UInt8], limit: UInt32 = 10_000, _ body: (ScannedText) throws -> Result
  ) rethrows -> Result {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
    defer { memory.deallocate() }
    memory.update(from: text, count: text.count)
    return try body(event_scanner_scan(handle, memory, text.count, limit).pointee)
  }

  func isWellFormed(_ text: [UInt8]) -> Bool { scan(text) { $0.status == .wellFormed } }
}

/// Whether the slow checker takes a text, fed in pieces of this size.
func checkerTakes(_ text: [UInt8], pieces: Int = .max) throws -> Bool {
  let checker = try #require(document_checker_create())
  defer { document_checker_destroy(checker) }
  return checkerTakes(text, pieces: pieces, checker)
}

func checkerTakes(_ text: [UInt8], pieces: Int, _ checker: OpaquePointer) -> Bool {
  document_checker_reset(checker)
  var position = 0
  while position < text.count {
    let count = min(pieces, text.count - position)
    let step = text.withUnsafeBufferPointer {
      document_checker_feed(checker, $0.baseAddress.map { $0 + position }, count, -1)
    }
    if step.mark == .problem { return false }
    position += step.consumed
  }
  return document_checker_finish(checker) == .none
}

/// Texts that RFC 8259 allows, and texts that it does not: what the JSON test suites of this world agree on.
enum WellFormedness {
  static let allowed: [String] = [
    "{}", "[]", "0", "-0", "7", "\"\"", "true", "false", "null", " [ ] ", "\t\r\n{\n}\r\n",
    "[[]   ]", "[\"\"]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]",
    "[1,null,null,null,2]",
    "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.000000000000000000000000000000000000000000000001]", "[20e1]",
    "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]", "[123]",
    "[123.456789]", "[123123123123123123123123123123]", "[-99999999999999999999999999]", "[1.5e9999]", "[1e-9999]",
    "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\"}", "{\"a\":\"b\",\"a\":\"c\"}", "{\"\":0}",
    "{\"foo\\u0000bar\": 42}", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\n\"a\": \"b\"\n}",
    "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]",
    "[\"\\\\n\"]",
    "[\"\\u0012\"]", "[\"\\uFFFF\"]", "[\"asd\"]", "[ \"asd\"]", "[\"\\uDBFF\\uDFFF\"]", "[\"new\\u00A0line\"]",
    "[\"\u{10FFFF}\"]", "[\"\u{FFFF}\"]", "[\"\\u0000\"]", "[\"\\u002c\"]", "[\"π\"]", "[\"\u{1BFFF}\"]", "[\"asd \"]",
    "\" \"", "[\"\\uD834\\uDd1e\"]", "[\"\\u0821\"]", "[\"\\u0123\"]", "[\"\u{2028}\"]", "[\"\u{2029}\"]",
    "[\"\\u0061\\u30af\\u30EA\\u30b9\"]", "[\"\u{7F}\"]", "[\"\\uA66D\"]", "[\"\\u005C\"]", "[\"⍂㈴⍂\"]",
    "[\"\\u0022\"]", "[\"\\uDBFF\\uDFFE\"]", "[\"\\u200B\"]", "[\"\\uFDD0\"]", "[\"€𝄞\"]", "[\"a\u{7f}a\"]",
    // Lone halves of surrogate pairs are well-formed JSON; whether they may be in a text of ours is another question.
    "[\"\\uDADA\"]", "[\"\\uD888\\u1234\"]", "[\"\\uD800\\n\"]", "[\"\\uDd1ea\"]", "[\"\\uD800\\uD800\\n\"]",
    "[\"\\ud800\"]",
    "[\"\\ud800abc\"]", "[\"\\uDd1e\\uD834\"]", "[\"\\uDFAA\"]",
    "[1,2 , 3,[4 ,{\"a\" : [ ] } ] ]", "{\"a\":{\"b\":{\"c\":[[[[]]]]}}}", "[\"a\",\"b\"]",
    "{\"a\":1,\"b\":true,\"c\":null}",
  ]

  static let refused: [String] = [
    "", " ", "\n", "[", "]", "{", "}", ",", ":", "a", "'", "\"", "-", "+", ".", "*", "<", "[,", "[,1]", "[1,]",
    "[1,,2]", "[1 true]",
    "[1:2]", "[a", "[\"\": 1]", "[\"\"],", "[,]", "[\"x\"]]", "[x", "[3[4]]", "[1,\n1\n,1", "[*]", "[\"\"", "[1,",
    "[1,,]", "[\"a\",\n4\n,1,", "[", "[1", "[{}", "[\"a", "[nul]", "[tru]", "[fals]", "[nulll]", "[truee]", "[falsee]",
    "[True]", "[NaN]", "[Infinity]", "[-Infinity]", "[nan]", "[inf]", "tru", "nul", "fals", "truex", "n", "t", "f",
    "[++1234]", "[+1]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]",
    "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]", "[2.e+3]",
    "[2.e-3]", "[2.e3]", "[9.e+]", "[1+2]", "[0x1]", "[0x42]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]",
    "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]", "[01]", "[-]", "[--2.]", "[1e]", "00", "-00",
    "1.e1",
    "[１]", "{\"a\"}", "{\"x\", null}", "{\"x\"::\"b\"}", "{\"a\":\"a\" 123}", "{key: 'value'}", "{\"a\" b}",
    "{:\"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}", "{\"id\":0,,,,,}", "{'a':0}",
    "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//", "{\"a\":\"b\"}//", "{\"a\":\"b\"}/",
    "{\"a\":\"b\",,\"c\":\"d\"}",
    "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"b\"}", "{,}",
    "{\"a\":}", "{]", "[}", "[1}", "{\"a\":1]", "{\"a\" 1}", "{\"a\":1:2}", "{true:1}", "{[]:1}", "{\"a\",\"b\"}",
    "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[é]", "[\"\\x00\"]",
    "[\"\\\\\\\"]",
    "[\"\\\t\"]", "[\"\\🌀\"]", "[\"\\\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\uD800\\uD800\\x\"]", "[\"\\a\"]",
    "[\"\\uqqqq\"]", "[\"\\U0041\"]", "[\"\\'\"]", "[\"\\0\"]", "[\\u0020\"asd\"]", "[\\n]", "\"asd",
    "['single quote']", "abc",
    "[\"\\", "[\"\\u", "[\"\\u00", "[\"new\nline\"]", "[\"\t\"]", "[\"a\u{0}a\"]", "[\"\u{1f}\"]", "\"\\UA66D\"",
    "<.>", "[<null>]", "[1]x", "[1]]", "{}}", "[][]", "{}{}", "1 2", "\"a\"\"b\"", "\"a\" \"b\"", "truefalse", "[] []",
    "2@", "{}[",
    "\u{FEFF}{}", "[\u{2060}]", "[\u{C}]", "[\u{B}]", "[\u{A0}]", "\u{C}[]", "[1\u{0}]", "1\u{0}", "[\u{1A}]",
    "[1\u{C}2]",
    "{\"a\":/*comment*/\"b\"}", "[\"a\"b]", "[b\"a\"]", "[1\"a\"]", "[\"a\"1]", "[true\"a\"]", "[{\"a\"}\"b\"]",
    "{\"a\"\"b\":1}",
    "[1,2", "[\"a\",", "{\"a\":1,", "{\"a\":[", "\\\"a\"", "[\\\"a\"]", "[\"a\\\"]", "{\"a\\\":1}",
  ]

  /// Not UTF-8, in a string that is otherwise well-formed.
  static let notUTF8: [[UInt8]] = [
    [0xFF], [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x8C], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xFE], [0xE9],
  ]
}

@Suite struct `Well-formedness` {
  @Test func `what RFC 8259 allows is taken, by both checkers, in pieces of any size`() throws {
    let scanner = try TestScanner()
    for text in WellFormedness.allowed {
      let bytes = Array(text.utf8)
      #expect(scanner.isWellFormed(bytes), "\(text)")
      for pieces in [1, 2, 3, 7, Int.max] { #expect(try checkerTakes(bytes, pieces: pieces), "\(text)") }
    }
  }

  @Test func `what it does not allow is refused, by both checkers, in pieces of any size`() throws {
    let scanner = try TestScanner()
    for text in WellFormedness.refused {
      let bytes = Array(text.utf8)
      #expect(!scanner.isWellFormed(bytes), "\(text)")
      for pieces in [1, 2, 3, 7, Int.max] { #expect(try !checkerTakes(bytes, pieces: pieces), "\(text)") }
    }
  }

  @Test func `the same holds in an ignored field of an event`() throws {
    let scanner = try TestScanner()
    for (texts, isAllowed) in [(WellFormedness.allowed, true), (WellFormedness.refused, false)] {
      for text in texts where !text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x0A }) {
        // A comma or a colon may make an ill-formed value part of a well-formed whole; brackets keep it to itself.
        let whole = "{\"events\":[{\"type\":\"start\",\"surprise\":[" + text + "]}]}"
        let bytes = Array(whole.utf8)
        let isTaken = try checkerTakes(bytes)
        if isAllowed { #expect(isTaken, "\(whole)") }
        #expect(scanner.isWellFormed(bytes) == isTaken, "\(whole)")
      }
    }
  }

  @Test func `bytes that are not UTF-8 are refused wherever they stand`() throws {
    let scanner = try TestScanner()
    for bytes in WellFormedness.notUTF8 {
      for text in [
        Array("[\"".utf8) + bytes + Array("\"]".utf8), Array("{\"".utf8) + bytes + Array("\":1}".utf8),
        Array("[1".utf8) + bytes + Array("]".utf8), Array("[\"a".utf8) + bytes,
      ] {
        #expect(!scanner.isWellFormed(text), "\(text)")
        for pieces in [1, 2, Int.max] { #expect(try !checkerTakes(text, pieces: pieces), "\(text)") }
      }
    }
  }

  @Test func `depth is limited by memory alone`() throws {
    let scanner = try TestScanner()
    let depth = 1_000_000
    let arrays = [UInt8](repeating: UInt8(ascii: "["), count: depth)
    let ends = [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    #expect(scanner.isWellFormed(arrays + ends))
    #expect(try checkerTakes(arrays + ends))
    #expect(!scanner.isWellFormed(arrays + ends + [UInt8(ascii: "]")]))
    #expect(!scanner.isWellFormed(arrays + ends.dropLast()))
    #expect(try !checkerTakes(arrays + ends.dropLast()))
    let objects = Array(String(repeating: "{\"a\":[", count: 100_000).utf8)
    let objectEnds = Array(String(repeating: "]}", count: 100_000).utf8)
    #expect(scanner.isWellFormed(objects + objectEnds))
    #expect(try checkerTakes(objects + objectEnds))
    #expect(!scanner.isWellFormed(objects + objectEnds.reversed()))
  }

  @Test func `a text longer than a scan may be is refused, not read`() throws {
    let scanner = try TestScanner()
    let length = Int(event_scanner_maximum_length)
    let text = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length - 2) + Array("\"".utf8)
    #expect(scanner.isWellFormed(text))
    #expect(!scanner.isWellFormed(text + [UInt8(ascii: " ")]))
    #expect(scanner.isWellFormed(Array("{}".utf8)))
  }

  @Test func `a problem is told with its place`() throws {
    let checker = try #require(document_checker_create())
    defer { document_checker_destroy(checker) }
    func problem(_ text: String) -> (DocumentProblem, UInt64, UInt64) {
      _ = checkerTakes(Array(text.utf8), pieces: .max, checker)
      return (
        document_checker_problem(checker), document_checker_offset(checker), document_checker_line(checker)
      )
    }
    #expect(problem("[1,]") == (.unexpectedCharacter, 3, 1))
    #expect(problem("[\n1,\n2 3]") == (.unexpectedCharacter, 7, 3))
    #expect(problem("  ") == (.empty, 2, 1))
    #expect(problem("{\"a\":") == (.endsEarly, 5, 1))
    #expect(problem("[01]") == (.invalidNumber, 2, 1))
    #expect(problem("[\"\\q\"]") == (.invalidEscape, 3, 1))
    #expect(problem("[\"a\tb\"]") == (.controlCharacter, 3, 1))
    #expect(problem("{} x") == (.trailingContent, 3, 1))
    #expect(problem("{}").0 == .none)
  }
}
