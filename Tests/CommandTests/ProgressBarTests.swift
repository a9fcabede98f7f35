import Testing

@testable import pagefall

@Suite struct ProgressBarTests {
  /// How far a file is read, and the line that says so.
  struct Progress: Sendable {
    let kibibytes: Int64
    let ofKibibytes: Int64
    let events: Int
    let seconds: Int
    let line: String
  }

  static let cases = [
    Progress(
      kibibytes: 0, ofKibibytes: 1_024, events: 0, seconds: 0, line: "░░░░░░░░░░░░░░░░░░░░ 0 %  0 KiB, 0 events, 0/s"),
    Progress(
      kibibytes: 512, ofKibibytes: 1_024, events: 1_000, seconds: 2,
      line: "██████████░░░░░░░░░░ 50 %  512 KiB, 1000 events, 500/s, 2 s left"),
    Progress(
      kibibytes: 32_768, ofKibibytes: 131_072, events: 30_000, seconds: 60,
      line: "█████░░░░░░░░░░░░░░░ 25 %  32 MiB, 30000 events, 500/s, 3 min 0 s left"),
    Progress(
      kibibytes: 1_024, ofKibibytes: 1_024, events: 10, seconds: 1,
      line: "████████████████████ 100 %  1024 KiB, 10 events, 10/s, 0 s left"),
    // A file that grew while it was read.
    Progress(
      kibibytes: 2_048, ofKibibytes: 1_024, events: 10, seconds: 1,
      line: "████████████████████ 100 %  2048 KiB, 10 events, 10/s, 0 s left"),
  ]

  @Test(arguments: cases) func `the line says how much, how fast and how long still`(progress: Progress) {
    let line = ProgressBar.line(
      bytes: progress.kibibytes << 10, totalBytes: progress.ofKibibytes << 10, events: progress.events,
      elapsed: .seconds(progress.seconds))
    #expect(line == progress.line)
  }

  @Test(arguments: [nil, 0] as [Int64?]) func `without a known end there is no bar`(total: Int64?) {
    let line = ProgressBar.line(bytes: 2_048, totalBytes: total, events: 8, elapsed: .seconds(4))
    #expect(line == "2 KiB, 8 events, 2/s")
  }
}
