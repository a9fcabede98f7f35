import StoryEvents
import Testing

@testable import EventStore

private let minute: Int64 = 60_000_000
private let hour = 60 * minute
private let day = 24 * hour
private let noon: Int64 = 1_795_000_000_000_000

@Suite struct `What a session's first event fixes` {
  private func start(
    id: SessionID? = nil, at: Int64 = noon, received: Int64? = noon, sent: Int64? = nil
  ) -> SessionStart {
    SessionStart(
      storedHigh: (id ?? SessionID("f1a226bf-4900-4cc1-9d2e-5a1b2c3d4e5f")!).storedHigh, atMicroseconds: at,
      receivedAtMicroseconds: received, sentAtMicroseconds: sent, nowMicroseconds: noon + 7)
  }

  @Test func `up to five minutes between sending and receiving are no offset`() {
    for distance in [0, minute, 5 * minute, -5 * minute] {
      #expect(start(sent: noon - distance).clockOffsetMicroseconds == 0)
    }
    for distance in [5 * minute + 1, -5 * minute - 1, 300 * day, -300 * day] {
      let found = start(at: noon - distance, sent: noon - distance)
      #expect(found.clockOffsetMicroseconds == distance)
      #expect(found.startedAtMicroseconds == noon && !found.hasSuspectClock)
    }
  }

  @Test func `without sent_at the device's clock is believed within its limits`() {
    #expect(start(at: noon - 399 * day).startedAtMicroseconds == noon - 399 * day)
    #expect(start(at: noon - 400 * day).startedAtMicroseconds == noon - 400 * day)
    #expect(start(at: noon + hour).startedAtMicroseconds == noon + hour)
    for unbelievable in [noon - 400 * day - 1, noon + hour + 1, -62_135_596_800_000_000, 253_402_300_799_999_999] {
      let found = start(at: unbelievable)
      #expect(found.hasSuspectClock && found.startedAtMicroseconds == noon && found.arrivedAtMicroseconds == noon)
    }
  }

  @Test func `a version 7 id says the start, whatever the event says`() {
    let id = SessionID(millisecondsSince1970: UInt64(noon / 1000) - 5000, randomHigh: 1, randomLow: 2)
    #expect(start(id: id, at: noon + 30 * minute).startedAtMicroseconds == noon - 5_000_000)
    #expect(
      start(id: id, at: 0, received: noon + 3 * day, sent: noon).startedAtMicroseconds
        == noon - 5_000_000 + 3 * day)
    // One of a year that is not stored as sent, too: 1971, far behind the arrival.
    let old = SessionID(millisecondsSince1970: 31_536_000_000, randomHigh: 1, randomLow: 2)
    #expect(old.storedHigh >> 60 == 7)
    #expect(start(id: old).hasSuspectClock)
    #expect(start(id: old, received: nil).startedAtMicroseconds == 31_536_000_000_000)
  }

  @Test func `a file that does not say when it was received has no offset and no limits`() {
    let found = start(at: noon - 4000 * day, received: nil, sent: noon - 9 * day)
    #expect(found.startedAtMicroseconds == noon - 4000 * day && found.clockOffsetMicroseconds == 0)
    #expect(!found.hasSuspectClock && found.arrivedAtMicroseconds == noon + 7)
  }

  @Test(arguments: [Int64.min + 1, -62_135_596_800_000_000, 0, 253_402_300_799_999_999, Int64.max])
  func `no clock makes a time that PostgreSQL cannot hold`(time: Int64) {
    for sent in [Int64.min + 1, -62_135_596_800_000_000, 253_402_300_799_999_999, Int64.max] {
      let found = start(at: time, received: noon, sent: sent)
      #expect(abs(found.startedAtMicroseconds - noon) <= 400 * day)
    }
    #expect(abs(start(at: time, received: nil).startedAtMicroseconds) <= 9_089_000_000_000_000_000)
  }
}
