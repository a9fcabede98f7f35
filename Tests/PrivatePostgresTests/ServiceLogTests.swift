import ServiceLog
import Synchronization
import Testing

/// What a log writes, as text.
private final class Lines: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  func log(minimumLevel: ServiceLog.Level = .debug, timeMicroseconds: Int64 = 0) -> ServiceLog {
    ServiceLog(
      minimumLevel: minimumLevel, now: { timeMicroseconds },
      sink: { line in self.bytes.withLock { $0 += line } })
  }
}

@Suite struct `The log` {
  @Test func `a line has time, level, message and fields in their order`() {
    let lines = Lines()
    lines.log(timeMicroseconds: 1_796_032_805_120_999).info(
      "batch stored", ["rows": 50_000, "took": .duration(.milliseconds(1_500)), "store": "main", "whole": true])
    #expect(
      lines.text
        == "time=2026-11-30T10:00:05.120Z level=info msg=\"batch stored\" rows=50000 took=1.5s store=main whole=true\n")
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"),
      (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `times are RFC 3339 in UTC`(microseconds: Int64, text: String) {
    let lines = Lines()
    lines.log(timeMicroseconds: microseconds).info("x")
    #expect(lines.text == "time=\(text) level=info msg=x\n")
  }

  @Test(arguments: [
    ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
    ("say \"hi\"", #""say \"hi\"""#),
    ("back\\slash", #""back\\slash""#), ("line\nbreak\r\t", #""line\nbreak\r\t""#),
    ("esc\u{1B}[31m", #""esc\u001b[31m""#),
    ("\u{7F}\u{9B}", #""\u007f\u009b""#), ("x\u{202E}y\u{2028}", #""x\u202ey\u2028""#), ("größe", "größe"),
    ("nul\0", #""nul\u0000""#),
  ])
  func `no value leaves its field or steers a terminal`(value: String, written: String) {
    let lines = Lines()
    lines.log().info("x", ["value": .string(value)])
    #expect(lines.text == "time=1970-01-01T00:00:00.000Z level=info msg=x value=\(written)\n")
  }

  @Test func `long text is cut at a character`() {
    let lines = Lines()
    lines.log().info("x", ["value": .string(String(repeating: "a", count: 1_023) + "ö" + "b")])
    #expect(lines.text.hasSuffix("value=" + String(repeating: "a", count: 1_023) + "…\n"))
  }

  @Test func `a key is kept to plain characters`() {
    let lines = Lines()
    lines.log().info("x", ["a b=\n": 1])
    #expect(lines.text.hasSuffix(" a_b__=1\n"))
  }

  @Test(
    arguments: [
      (.seconds(0), "0s"), (.microseconds(1), "0.000001s"), (.milliseconds(-1_500), "-1.5s"), (.seconds(90), "90s"),
    ] as [(Duration, String)])
  func `durations are seconds`(duration: Duration, text: String) {
    let lines = Lines()
    lines.log().info("x", ["took": .duration(duration)])
    #expect(lines.text.hasSuffix(" took=\(text)\n"))
  }

  @Test(arguments: ServiceLog.Level.allCases)
  func `only lines of the level and above are written`(minimum: ServiceLog.Level) {
    let lines = Lines()
    let log = lines.log(minimumLevel: minimum)
    log.debug("m")
    log.info("m")
    log.warning("m")
    log.error("m")
    let written = lines.text.split(separator: "\n").count
    #expect(written == ServiceLog.Level.allCases.count(where: { $0 >= minimum }))
    #expect(ServiceLog.Level(name: minimum.name) == minimum)
  }

  @Test func `fields of the log itself stand on every line`() {
    let lines = Lines()
    let log = lines.log().with(["part": "loader"]).with(["worker": 2])
    log.warning("retry", ["after": .double(0.5)])
    #expect(lines.text.hasSuffix("msg=retry part=loader worker=2 after=0.5\n"))
  }

  @Test func `a disabled log writes nothing and says so`() {
    #expect(!ServiceLog.disabled.isEnabled(.error))
    ServiceLog.disabled.with(["a": 1]).error("nothing")
  }
}
