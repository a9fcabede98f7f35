import Testing

@testable import StoryEvents

@Suite struct SessionIDTests {
  @Test(arguments: [
    "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479", "ffffffff-ffff-8fff-bfff-ffffffffffff",
    "00000000-0000-7000-8000-000000000000", "ffffffff-ffff-7fff-8000-000000000001",
  ])
  func `an id survives its stored form and its text`(text: String) throws {
    let id = try #require(SessionID(text))
    #expect(id.description == text)
    #expect(SessionID(text.uppercased()) == id)
    #expect(SessionID(storedHigh: id.storedHigh, storedLow: id.low) == id)
  }

  @Test(arguments: [
    "", "abc", "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5", "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5g",
    "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f0", "01a226bf49007cc19d2e5a1b2c3d4e5f",
    "{1a226bf-4900-7cc1-9d2e-5a1b2c3d4e5}", "01a226bf-4900-0cc1-9d2e-5a1b2c3d4e5f",
    "01a226bf-4900-9cc1-9d2e-5a1b2c3d4e5f", "01a226bf-4900-7cc1-cd2e-5a1b2c3d4e5f",
    "00000000-0000-0000-0000-000000000000",
  ])
  func `anything else is no id`(text: String) {
    #expect(SessionID(text) == nil)
  }

  @Test(arguments: 0..<36)
  func `a byte that is no digit is found at every place`(place: Int) {
    let valid = Array("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f".utf8)
    for byte in UInt8.min...UInt8.max {
      var changed = valid
      changed[place] = byte
      let isDash = valid[place] == UInt8(ascii: "-")
      let isDigit = byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
      let keepsForm = isDash ? byte == UInt8(ascii: "-") : isDigit
      let id = changed.withUnsafeBytes { SessionID(utf8: $0) }
      if !keepsForm { #expect(id == nil) }
      // Version and variant restrict two digits further.
      if keepsForm, place != 14, place != 19 {
        #expect(id?.description == String(decoding: changed, as: UTF8.self).lowercased())
      }
    }
  }

  @Test func `a version 7 id of this century is stored as it is, and begins with its time`() throws {
    let id = SessionID(millisecondsSince1970: 1_795_946_400_000, randomHigh: 0xFFFF, randomLow: .max)
    #expect(id.isStoredAsSent)
    #expect(id.storedHigh == id.high)
    #expect(id.timeMilliseconds == 1_795_946_400_000)
    #expect(id.version == 7)
  }

  @Test(arguments: [
    ("f47ac10b-58cc-4372-a567-0e02b2c3d479", 4), ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", 1),
    ("ffffffff-ffff-7fff-8000-000000000001", 7),
  ])
  func `every other id is stored behind its version digit`(text: String, digit: UInt64) throws {
    let id = try #require(SessionID(text))
    #expect(!id.isStoredAsSent)
    #expect(id.storedHigh >> 60 == digit)
  }
}
