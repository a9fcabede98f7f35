import Testing

@testable import pagefall

@Suite struct InstantTextTests {
  @Test(arguments: [
    ("1970-01-01", 0), ("2026-11-30", 1_795_996_800_000_000), ("2026-11-30T00:00:00Z", 1_795_996_800_000_000),
    ("2026-11-30t01:00:00+01:00", 1_795_996_800_000_000), ("2026-11-30T00:00:00.250Z", 1_795_996_800_250_000),
  ])
  func `a date is its midnight in UTC, and RFC 3339 is read`(text: String, microseconds: Int64) {
    #expect(InstantText.microseconds(text) == microseconds)
  }

  @Test(arguments: ["", "today", "2026-13-01", "2026-11-30T00:00:00", "30.11.2026", "2026-11-30T", "999999999-01-01"])
  func `anything else is no instant`(text: String) {
    #expect(InstantText.microseconds(text) == nil)
  }

  @Test(arguments: [(0, "1970-01-01T00:00:00Z"), (1_795_996_800_999_999, "2026-11-30T00:00:00Z")])
  func `an instant is written in whole seconds`(microseconds: Int64, text: String) {
    #expect(InstantText.text(microseconds: microseconds) == text)
  }
}
