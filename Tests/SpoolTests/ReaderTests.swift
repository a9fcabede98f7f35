import Foundation
import Spool
import Synchronization
import TestSupport
import Testing

@Suite struct `Reading beside writing` {
  @Test func `a waiting reader wakes at once on a commit, an interruption and the end`() throws {
    let spool = try SpoolFixture().open()
    let waits = Mutex<[(SpoolWait, Duration)]>([])
    let reading = Thread {
      var reader = spool.makeReader()
      for _ in 0..<3 {
        let begin = ContinuousClock.now
        let wait = reader.waitForRecords(timeout: .seconds(30))
        while (try? reader.next()) != nil {}
        waits.withLock { $0.append((wait, begin.duration(to: .now))) }
      }
    }
    reading.start()
    func settled(_ count: Int) -> Bool {
      for _ in 0..<2000 where waits.withLock({ $0.count }) < count { Thread.sleep(forTimeInterval: 0.005) }
      return waits.withLock { $0.count } == count
    }
    Thread.sleep(forTimeInterval: 0.03)
    try spool.append("x")
    try spool.commit()
    #expect(settled(1))
    spool.interruptReaders()
    #expect(settled(2))
    spool.close()
    #expect(settled(3))
    #expect(waits.withLock { $0.map(\.0) } == [.records, .interrupted, .closed])
    #expect(waits.withLock { $0.allSatisfy { $0.1 < .seconds(10) } })
  }

  @Test func `waiting ends with its time, also for times of any length`() throws {
    let spool = try SpoolFixture().open()
    var reader = spool.makeReader()
    #expect(reader.waitForRecords(timeout: .milliseconds(5)) == .timedOut)
    #expect(reader.waitForRecords(timeout: .zero) == .timedOut)
    #expect(reader.waitForRecords(timeout: .seconds(-5)) == .timedOut)
    spool.interruptReaders()
    #expect(reader.waitForRecords(timeout: .seconds(1 << 50)) == .interrupted)
    #expect(reader.waitForRecords(timeout: .zero) == .timedOut, "an interruption is told once")
    try spool.append("x")
    #expect(reader.waitForRecords(timeout: .zero) == .timedOut, "not before the commit")
    try spool.commit()
    #expect(reader.waitForRecords(timeout: .seconds(1 << 50)) == .records)
  }

  @Test func `a reader goes on across segments that are made and deleted meanwhile`() throws {
    let fixture = SpoolFixture {
      $0.segmentBytes = 1_000
      $0.keepLoaded = .zero
    }
    let spool = try fixture.open()
    var reader = spool.makeReader()
    for round in 0..<50 {
      try spool.append("\(round)" + String(repeating: "-", count: 400))
      try spool.commit()
      let record = try #require(try reader.next().map { (String(decoding: $0.bytes, as: UTF8.self), $0.end) })
      #expect(record.0.hasPrefix("\(round)-"))
      #expect(reader.position == record.1)
      #expect(try reader.next().map { _ in 1 } == nil)
      spool.markLoaded(through: record.1)
    }
    #expect(fixture.segmentPaths.count == 1)
    #expect(fixture.disk.openDescriptors <= 3, "deleted segments are not held open")
  }

  @Test func `a reader can be set back and forward`() throws {
    let spool = try SpoolFixture { $0.segmentBytes = 100 }.open()
    let ends = try (0..<10).map { index in try spool.append("record \(index)") }
    try spool.commit()
    var reader = spool.makeReader()
    for target in [8, 2, 9, 0, 5] {
      reader.seek(to: ends[target])
      let next = try reader.next().map { String(decoding: $0.bytes, as: UTF8.self) }
      #expect(next == (target == 9 ? nil : "record \(target + 1)"))
    }
  }

  @Test func `a position inside a record leads to the next record`() throws {
    let spool = try SpoolFixture().open()
    let first = try spool.append("one")
    try spool.append("two")
    try spool.commit()
    #expect(try spool.texts(from: SpoolPosition(segment: 1, offset: first.offset - 2)) == ["two"])
    #expect(try spool.texts(from: SpoolPosition(segment: 1, offset: -5)) == ["one", "two"])
    #expect(try spool.texts(from: SpoolPosition(segment: -3, offset: 7)) == ["one", "two"])
    #expect(try spool.texts(from: SpoolPosition(segment: .max, offset: .max)).isEmpty)
  }

  @Test func `a segment taken away under the reader is reported, and reading goes on behind it`() throws {
    let fixture = SpoolFixture { $0.segmentBytes = 100 }
    let spool = try fixture.open()
    for index in 0..<3 {
      try spool.append("\(index)" + String(repeating: "-", count: 60))
      try spool.commit()
    }
    fixture.disk.delete(fixture.segmentPath(2))
    #expect(try spool.texts().map(\.first) == ["0", "2"])
    #expect(fixture.takeEvents().contains(.segmentMissing(segment: 2)))
  }

  @Test func `a read that fails for another reason is thrown and can be repeated`() throws {
    let fixture = SpoolFixture()
    let spool = try fixture.open()
    try spool.append("x")
    try spool.commit()
    var reader = spool.makeReader()
    fixture.disk.setFault { call, _ in call == .read || call == .open ? .fail(SystemFailure(code: 12)) : nil }
    #expect(throws: SpoolError.self) { _ = try reader.next().map { _ in 1 } }
    fixture.disk.setFault(nil)
    #expect(try reader.next().map { $0.bytes.count } == 1)
  }

  @Test func `a concurrent reader sees every record once, in order, and only committed ones`() throws {
    let spool = try SpoolFixture { $0.segmentBytes = 20_000 }.open()
    let count = 5_000
    let committed = Mutex(0)
    let result = Mutex<String?>(nil)
    let reading = Thread {
      var reader = spool.makeReader()
      var expected = 0
      while expected < count {
        guard reader.waitForRecords(timeout: .seconds(20)) == .records else { break }
        while let number = try? reader.next().map({ Int(String(decoding: $0.bytes, as: UTF8.self)) ?? -1 }) {
          // The mark moves before commit returns, so one group may be ahead of what this test wrote down.
          if number != expected || number > committed.withLock({ $0 }) + 60 {
            result.withLock { $0 = "expected \(expected), read \(number)" }
            return
          }
          expected += 1
        }
      }
      result.withLock { $0 = expected == count ? "complete" : "ended at \(expected)" }
    }
    reading.start()
    var generator = SeededGenerator(seed: 3)
    var next = 0
    while next < count {
      for _ in 0..<min(count - next, Int.random(in: 1...50, using: &generator)) {
        try spool.append("\(next)")
        next += 1
      }
      try spool.commit()
      committed.withLock { $0 = next }
    }
    for _ in 0..<5000 where result.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.002) }
    #expect(result.withLock { $0 } == "complete")
  }
}
