import EventScanner
import TestSupport
import Testing

/// A recursive checker written as RFC 8259's grammar reads: slow, and sharing nothing with the two that it tests.
struct ReferenceChecker {
  private let text: [UInt8]
  private var position = 0

  static func takes(_ text: [UInt8]) -> Bool {
    guard String(validating: text, as: UTF8.self) != nil else { return false }
    var checker = ReferenceChecker(text: text)
    checker.space()
    guard checker.value(depth: 0) else { return false }
    checker.space()
    return checker.position == text.count
  }

  private init(text: [UInt8]) { self.text = text }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  private mutating func take(_ literal: String) -> Bool {
    guard text[position...].starts(with: literal.utf8) else { return false }
    position += literal.utf8.count
    return true
  }

  private mutating func space() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  private mutating func value(depth: Int) -> Bool {
    guard depth < 500 else { return true }
    switch next {
    case UInt8(ascii: "{"): return members(depth, open: "{", close: "}", isObject: true)
    case UInt8(ascii: "["): return members(depth, open: "[", close: "]", isObject: false)
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return take("true")
    case UInt8(ascii: "f"): return take("false")
    case UInt8(ascii: "n"): return take("null")
    case _: return number()
    }
  }

  private mutating func members(_ depth: Int, open: String, close: String, isObject: Bool) -> Bool {
    guard take(open) else { return false }
    space()
    if take(close) { return true }
    while true {
      space()
      if isObject {
        guard string() else { return false }
        space()
        guard take(":") else { return false }
        space()
      }
      guard value(depth: depth + 1) else { return false }
      space()
      if take(close) { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard let escaped = next else { return false }
        position += 1
        if escaped == UInt8(ascii: "u") {
          for _ in 0..<4 {
            guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit, digit < 0x80 else { return false }
            position += 1
          }
        } else if !"\"\\/bfnrt".utf8.contains(escaped) {
          return false
        }
      case _: break
      }
    }
    return false
  }

  private mutating func digits() -> Int {
    let first = position
    while let next, next >= 0x30, next <= 0x39 { position += 1 }
    return position - first
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0"), digits() == 0 { return false }
    if take("."), digits() == 0 { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { return false }
    }
    return true
  }
}

@Suite struct `Random changes` {
  /// Texts to change: what senders send, and what is hard to read.
  static let seeds: [String] = [
    #"{"sent_at":"2026-11-29T10:00:05.120Z","context":{"story_id":"spring","properties":{"a":1.5e3,"b":"\u00e9"}},"#
      + #""events":[{"type":"start","session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f","seq":0,"at":-1,"page_count":2},"#
      + #"{"type":"page_shown","seq":1,"page":{"title":"a\"b\\","duration":5},"surprise":[[],{},[1,-0.5e+2,true,false,null]]}]}"#,
    #"[{"a":"\\\\\"","b":[1,2,{"c":"\ud83d\ude00 π €"}]},7,"x",null,{"seq":1,"s\u0065q":2}]"#,
    #"  {"type" : "fallback" , "context" : null , "pages" : [ {} , null , {"duration":12345678901234567890} ] }  "#,
    #"[[[[["deep",{"er":[0.0,-0,1E9]}]]]]]"#,
  ]

  /// What a change puts in: characters that mean something, and bytes that mean nothing.
  static let alphabet: [UInt8] =
    Array("{}[]:,\"\\/ \n\t0123456789.-+eEtrufalsn".utf8) + [
      0, 0x0C, 0x1A, 0x1F, 0x7F, 0x80, 0xBF, 0xC3, 0xE2, 0xF0, 0xFF,
    ]

  @Test(arguments: [UInt64(20_261_129), 1, 2, 3])
  func `are judged alike by the scanner, the checker and a slow reference`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scanner = try TestScanner()
    let checker = try #require(document_checker_create())
    defer { document_checker_destroy(checker) }
    var wellFormed = 0
    for _ in 0..<6_000 {
      var text = Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) { change(&text, &random) }
      let isTaken = ReferenceChecker.takes(text)
      if isTaken { wellFormed += 1 }
      let words = String(decoding: text, as: UTF8.self)
      #expect(scanner.isWellFormed(text) == isTaken, "seed \(seed): \(words)")
      #expect(
        checkerTakes(text, pieces: Int.random(in: 1...40, using: &random), checker) == isTaken, "seed \(seed): \(words)"
      )
    }
    // Both kinds must occur, or nothing was tested.
    #expect(wellFormed > 300 && wellFormed < 5_700)
  }

  private func change(_ text: inout [UInt8], _ random: inout SeededGenerator) {
    guard !text.isEmpty else { return }
    let position = Int.random(in: 0..<text.count, using: &random)
    let byte = Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &random)]
    switch Int.random(in: 0..<5, using: &random) {
    case 0: text[position] = byte
    case 1: text.insert(byte, at: position)
    case 2: text.remove(at: position)
    case 3:
      let end = min(text.count, position + Int.random(in: 1...12, using: &random))
      text.removeSubrange(position..<end)
    case _:
      let end = min(text.count, position + Int.random(in: 1...12, using: &random))
      let piece = Array(text[position..<end])
      text.insert(contentsOf: piece, at: Int.random(in: 0...text.count, using: &random))
    }
  }

  @Test func `a text cut at any byte is refused, and its checker goes on from any byte`() throws {
    let scanner = try TestScanner()
    for seed in Self.seeds {
      let text = Array(seed.utf8)
      let end = text.count - text.reversed().prefix(while: { $0 == 0x20 }).count
      for length in 0..<end {
        #expect(!scanner.isWellFormed(Array(text[..<length])))
        #expect(try !checkerTakes(Array(text[..<length])))
      }
      let checker = try #require(document_checker_create())
      defer { document_checker_destroy(checker) }
      for first in 0...text.count {
        document_checker_reset(checker)
        text.withUnsafeBufferPointer {
          _ = document_checker_feed(checker, $0.baseAddress, first, -1)
          _ = document_checker_feed(checker, $0.baseAddress.map { $0 + first }, text.count - first, -1)
        }
        #expect(document_checker_finish(checker) == .none)
      }
    }
  }
}
