import Foundation
import Spool
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where to measure; nil in a normal run.
private let measuringDirectory = ProcessInfo.processInfo.environment["PAGEFALL_MEASURE"]

/// The figures of docs/decisions and docs/spool-format.md, made again by
/// `PAGEFALL_MEASURE=DIRECTORY swift test --filter Measurements`; not part of a normal run.
@Suite(.serialized, .enabled(if: measuringDirectory != nil))
struct Measurements {
  /// What a file gets ahead of the bytes that are written to it.
  enum Ahead: CustomStringConvertible {
    case nothing, allocation
    case zeros(Int)

    var description: String {
      switch self {
      case .nothing: "nothing ahead"
      case .allocation: "fallocate of 64 MiB"
      case .zeros(let bytes): "zeros ahead, \(bytes >> 10) KiB"
      }
    }
  }

  @Test(arguments: [500, 20_000, 1_000_000])
  func `commits a second with bytes ahead of the end`(size: Int) throws {
    let directory = try #require(measuringDirectory)
    for round in 1...3 {
      for ahead in [Ahead.nothing, .allocation, .zeros(64 << 10), .zeros(256 << 10), .zeros(1 << 20)] {
        let rate = commitRate(path: directory + "/measured", size: size, ahead: ahead)
        print("round \(round), commits of \(size) bytes, \(ahead): \(Int(rate)) a second")
      }
    }
  }

  @Test func `the spool's own rates`() throws {
    let directory = try #require(measuringDirectory) + "/measured-spool"
    for size in [500, 20_000] {
      try withSpool(directory) { spool in
        let record = [UInt8](repeating: 65, count: size)
        let seconds = try time { for _ in 0..<3_000 { try append(record, to: spool, commit: true) } }
        print("commits of one record of \(size) bytes: \(Int(3_000 / seconds)) a second")
      }
      try withSpool(directory) { spool in
        let record = [UInt8](repeating: 65, count: size)
        let count = 400_000_000 / size
        let appending = try time {
          for index in 1...count { try append(record, to: spool, commit: index % (4_000_000 / size) == 0) }
          try spool.commit()
        }
        var reader = spool.makeReader()
        var bytes = 0
        let reading = try time { while let record = try reader.next() { bytes += record.bytes.count } }
        print(
          "records of \(size) bytes, a commit every 4 MB: \(Int(400 / appending)) MB/s in, \(Int(400 / reading)) out")
        #expect(bytes == count * size)
      }
    }
  }

  private func append(_ record: [UInt8], to spool: Spool, commit: Bool) throws {
    _ = try record.withUnsafeBytes { try spool.append($0) }
    if commit { try spool.commit() }
  }

  private func withSpool(_ directory: String, _ work: (Spool) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let spool = try Spool(SpoolConfiguration(directory: directory)) { _ in }
    try work(spool)
    spool.close()
  }

  private func time(_ work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  private func commitRate(path: String, size: Int, ahead: Ahead) -> Double {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer {
      close(file)
      unlink(path)
    }
    let limit = 64 << 20
    #if !canImport(Darwin)
      if case .allocation = ahead { posix_fallocate(file, 0, off_t(limit)) }
    #endif
    fsync(file)
    let record = [UInt8](repeating: 65, count: size)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var (end, filled, commits) = (0, 0, 0)
    let seconds = time {
      while commits < 1_500, end + size < limit {
        pwrite(file, record, size, off_t(end))
        end += size
        if case .zeros(let step) = ahead, end > filled {
          filled = (end / step + 1) * step
          pwrite(file, zeros, filled - end, off_t(end))
        }
        #if canImport(Darwin)
          fcntl(file, F_FULLFSYNC)
        #else
          fdatasync(file)
        #endif
        commits += 1
      }
    }
    return Double(commits) / seconds
  }
}
