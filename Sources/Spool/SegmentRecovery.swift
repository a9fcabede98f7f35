/// Finds the trusted end of each segment that an earlier process left.
///
/// A segment's end stands in the header of the one after it. Only the newest, and one whose follower cannot tell, is
/// read through: start-up costs one segment's reading however much is stored. The others are verified when they are
/// read.
struct SegmentRecovery: ~Copyable {
  let configuration: SpoolConfiguration
  let environment: SpoolEnvironment
  let identity: SpoolIdentity
  let quarantine: Quarantine
  let report: @Sendable (SpoolEvent) -> Void
  private var buffer = ReadBuffer(chunkBytes: 1 << 20)
  private var result = Result()

  /// What was found.
  struct Result {
    var segments: [SpoolLedger.Segment] = []
    /// Nil when there is no segment.
    var completeSince: SpoolPosition?
    var tornBytes: Int64 = 0
    var damage: [(position: SpoolPosition, bytes: Int64)] = []
  }

  private struct Found {
    let number: Int64
    let header: SegmentHeader?
    let attributes: FileAttributes
  }

  init(
    configuration: SpoolConfiguration, environment: SpoolEnvironment, identity: SpoolIdentity, quarantine: Quarantine,
    report: @escaping @Sendable (SpoolEvent) -> Void
  ) {
    self.configuration = configuration
    self.environment = environment
    self.identity = identity
    self.quarantine = quarantine
    self.report = report
  }

  mutating func recover(_ numbers: [Int64]) throws(SpoolError) -> Result {
    var found: [Found] = []
    for number in numbers { found.append(try inspect(number)) }
    // A spool may have had other identities before its identity file was lost.
    var identities = [identity]
    for case let header? in found.map(\.header) where !identities.contains(header.identity) {
      identities.append(header.identity)
    }
    for (index, segment) in found.enumerated() {
      let follower = index + 1 < found.count ? found[index + 1].header : nil
      if let follower, follower.previousEnd.segment > segment.number {
        report(.segmentMissing(segment: follower.previousEnd.segment))
      }
      let knownEnd = follower.flatMap { $0.previousEnd.segment == segment.number ? $0.previousEnd.offset : nil }
      try recover(segment, knownEnd: knownEnd, isNewest: index + 1 == found.count, identities: identities)
    }
    return result
  }

  private func inspect(_ number: Int64) throws(SpoolError) -> Found {
    let path = configuration.path(ofSegment: number)
    let file = try SpoolFile(path, .readOnly, on: environment.fileSystem)
    let attributes = try file.attributes()
    switch SegmentHeader.read(try file.readPrefix(SegmentHeader.byteCount), number: number) {
    case .valid(let header):
      return Found(number: number, header: header, attributes: attributes)
    case .damaged:
      // A crash while the segment was made leaves a short or empty one: nothing was in it.
      if attributes.bytes > Int64(SegmentHeader.byteCount) { report(.segmentHeaderDamaged(segment: number)) }
      return Found(number: number, header: nil, attributes: attributes)
    case .otherVersion(let version):
      throw .unsupportedFormat(path: path, version: version)
    }
  }

  private mutating func recover(
    _ found: Found, knownEnd: Int64?, isNewest: Bool, identities: [SpoolIdentity]
  ) throws(SpoolError) {
    let path = configuration.path(ofSegment: found.number)
    let begin = Int64(SegmentHeader.byteCount)
    let file = try SpoolFile(path, isNewest ? .readWrite : .readOnly, on: environment.fileSystem)
    let seed: UInt32
    if let header = found.header {
      seed = SegmentHeader.seed(identity: header.identity, number: found.number)
    } else {
      seed = try guessSeed(number: found.number, file: file, identities: identities)
    }
    var end = max(begin, min(knownEnd ?? begin, found.attributes.bytes))
    var fileBytes = found.attributes.bytes
    if let knownEnd, knownEnd > end {
      note(damage: end..<knownEnd, in: file, segment: found.number)
    } else if knownEnd == nil {
      let scanner = SegmentScanner(number: found.number, file: file, seed: seed)
      end = try findEnd(scanner, fileBytes: fileBytes)
      if end < fileBytes {
        try reportTail(scanner.file, segment: found.number, range: end..<fileBytes)
        if isNewest, cutTail(scanner.file, at: end) { fileBytes = end }
      } else if isNewest {
        synchronize(scanner.file)
      }
    }
    if found.header == nil, end == begin {
      // Nothing is in it, and without a header it would hide what was before it.
      remove(path)
      return
    }
    if result.segments.isEmpty {
      result.completeSince = found.header?.previousEnd ?? SpoolPosition(segment: found.number, offset: 0)
    }
    result.segments.append(
      SpoolLedger.Segment(
        number: found.number, seed: seed, end: end, fileBytes: fileBytes,
        foundModifiedAtMicroseconds: found.attributes.modifiedAtMicroseconds))
  }

  /// The seed of a segment with a damaged header: that of the identity under which its first record reads.
  private func guessSeed(
    number: Int64, file: borrowing SpoolFile, identities: [SpoolIdentity]
  ) throws(SpoolError) -> UInt32 {
    let begin = SegmentHeader.byteCount
    let bytes = try file.readPrefix(begin + RecordHeader.byteCount)
    let seeds = identities.map { SegmentHeader.seed(identity: $0, number: number) }
    let matching = seeds.first { seed in
      bytes.count == begin + RecordHeader.byteCount
        && bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.flatMap { RecordHeader(at: $0 + begin, seed: seed, offset: Int64(begin)) } != nil
        }
    }
    return matching ?? SegmentHeader.seed(identity: identity, number: number)
  }

  /// Reads a segment through: its trusted end is that of its last whole record. Damage before it is noted.
  private mutating func findEnd(_ scanner: SegmentScanner, fileBytes: Int64) throws(SpoolError) -> Int64 {
    var offset = Int64(SegmentHeader.byteCount)
    var end = offset
    var damage: [Range<Int64>] = []
    buffer.reset()
    while true {
      switch try scanner.step(at: offset, limit: fileBytes, buffer: &buffer) {
      case .record(_, let recordEnd):
        for range in damage { note(damage: range, in: scanner.file, segment: scanner.number) }
        damage.removeAll()
        offset = recordEnd
        end = recordEnd
      case .damage(let damageEnd):
        // Damage in a row; beyond a bound it is noted as one stretch, so that memory is bounded.
        let joined = damage.count >= Self.mostStretches ? damage.popLast() : nil
        damage.append((joined?.lowerBound ?? offset)..<damageEnd)
        offset = damageEnd
      case .end:
        return end
      }
    }
  }

  private static let mostStretches = 10_000

  private mutating func note(damage range: Range<Int64>, in file: borrowing SpoolFile, segment: Int64) {
    let position = SpoolPosition(segment: segment, offset: range.lowerBound)
    let quarantined = quarantine.copyReporting(file, segment: segment, range: range, report: report)
    result.damage.append((position, Int64(range.count)))
    report(.damageSkipped(at: position, bytes: Int64(range.count), quarantined: quarantined))
  }

  /// Counts and keeps what stands behind the last whole record. Zeros are room that was never used.
  private mutating func reportTail(
    _ file: borrowing SpoolFile, segment: Int64, range: Range<Int64>
  ) throws(SpoolError) {
    let tornEnd = try lastNonzero(file, in: range)
    guard tornEnd > range.lowerBound else { return }
    let torn = range.lowerBound..<tornEnd
    result.tornBytes += Int64(torn.count)
    _ = quarantine.copyReporting(file, segment: segment, range: torn, report: report)
    report(.tornTailCut(at: SpoolPosition(segment: segment, offset: torn.lowerBound), bytes: Int64(torn.count)))
  }

  /// The end of the last byte that is not zero, or the range's beginning.
  private mutating func lastNonzero(_ file: borrowing SpoolFile, in range: Range<Int64>) throws(SpoolError) -> Int64 {
    var last = range.lowerBound
    var offset = range.lowerBound
    buffer.reset()
    while let bytes = try buffer.bytes(of: file, at: offset, atLeast: 1, limit: range.upperBound) {
      if let index = bytes.lastIndex(where: { $0 != 0 }) { last = offset + Int64(index) + 1 }
      offset += Int64(bytes.count)
      if offset >= range.upperBound { break }
    }
    return last
  }

  /// Cuts the newest segment's tail off, so that it takes no room; false where that failed, which changes nothing else.
  private func cutTail(_ file: borrowing SpoolFile, at end: Int64) -> Bool {
    do {
      try file.truncate(to: end)
    } catch {
      report(.upkeepFailed(error))
      return false
    }
    synchronize(file)
    return true
  }

  private func remove(_ path: String) {
    do {
      try retrying(.remove, path) { () throws(SystemFailure) in try environment.fileSystem.remove(path) }
    } catch {
      report(.upkeepFailed(error))
    }
  }

  /// What a killed process wrote may be in memory only; it is readable from now on, so it should also stay.
  private func synchronize(_ file: borrowing SpoolFile) {
    do {
      try file.synchronize()
    } catch {
      report(.upkeepFailed(error))
    }
  }
}
