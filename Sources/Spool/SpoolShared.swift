/// What the writer, the readers and the rest of a spool stand on together.
final class SpoolShared: Sendable {
  let configuration: SpoolConfiguration
  let environment: SpoolEnvironment
  let identity: SpoolIdentity
  let quarantine: Quarantine
  let report: @Sendable (SpoolEvent) -> Void

  /// Guards what is known of the segments; held for moments only, never during a system call. Readers wait on it for
  /// the synced mark to move.
  let ledger: Monitor<SpoolLedger>

  var fileSystem: any SpoolFileSystem { environment.fileSystem }
  var directory: String { configuration.directory }

  init(
    configuration: SpoolConfiguration, environment: SpoolEnvironment, identity: SpoolIdentity, quarantine: Quarantine,
    ledger: SpoolLedger, report: @escaping @Sendable (SpoolEvent) -> Void
  ) {
    self.configuration = configuration
    self.environment = environment
    self.identity = identity
    self.quarantine = quarantine
    self.ledger = Monitor(ledger)
    self.report = report
  }

  func path(ofSegment number: Int64) -> String {
    configuration.path(ofSegment: number)
  }

  /// Makes the directory's entries durable.
  func synchronizeDirectory() throws(SpoolError) {
    try SpoolFile(directory, .directory, on: fileSystem).synchronize()
  }

  /// Deletes a segment that has left the ledger. A file that stays is found again at the next start.
  func deleteSegment(_ number: Int64, toMakeRoom: Bool) {
    let path = path(ofSegment: number)
    upkeep { () throws(SpoolError) in
      try retrying(.remove, path) { () throws(SystemFailure) in try fileSystem.remove(path) }
    }
    report(.segmentDeleted(segment: number, toMakeRoom: toMakeRoom))
  }

  /// Counts, keeps and reports a damaged stretch, once.
  func noteDamage(in file: borrowing SpoolFile, segment: Int64, range: Range<Int64>) {
    let position = SpoolPosition(segment: segment, offset: range.lowerBound)
    guard ledger.withLock({ $0.noteDamage(at: position, bytes: Int64(range.count)) }) else { return }
    let quarantined = quarantine.copyReporting(file, segment: segment, range: range, report: report)
    report(.damageSkipped(at: position, bytes: Int64(range.count), quarantined: quarantined))
  }

  /// Does something that costs no record when it fails, and reports the failure.
  func upkeep(_ work: () throws(SpoolError) -> Void) {
    do {
      try work()
    } catch {
      report(.upkeepFailed(error))
    }
  }

  /// The free bytes by maximum and reserve, kept copies counted as free; nil when the disk cannot be asked.
  func freeBytes(_ ledger: SpoolLedger) -> Int64? {
    guard let space = try? fileSystem.space(at: directory) else { return nil }
    let byMaximum = configuration.maximumBytes - ledger.usedBytes
    let byReserve = space.availableBytes - configuration.reserveBytes(of: space)
    return max(0, min(byMaximum, byReserve) + ledger.keptBytes)
  }
}

extension SpoolConfiguration {
  func path(ofSegment number: Int64) -> String {
    directory + "/" + SegmentHeader.fileName(number: number)
  }
}

extension Quarantine {
  /// ``copy(_:segment:range:)``, where failing is reported and means no copy.
  func copyReporting(
    _ file: borrowing SpoolFile, segment: Int64, range: Range<Int64>, report: (SpoolEvent) -> Void
  ) -> Bool {
    do {
      return try copy(file, segment: segment, range: range)
    } catch {
      report(.upkeepFailed(error))
      return false
    }
  }
}
