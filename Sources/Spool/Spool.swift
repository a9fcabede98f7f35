// Spool: a durable log of opaque records between the answer to their sender and their commit elsewhere.
//
//   Spool                        opened once; what it promises, and its format, stand below
//   SpoolOpening, SegmentRecovery   what is found at start
//   SpoolWriter, SpoolReader     appending with group commit; reading what is committed
//   SpoolLedger                  the state machine: what is known of each segment, and who makes way
//   SegmentHeader, RecordHeader  the bytes
//   SpoolFileSystem              the seam for system calls; tests put a simulated disk there

import Synchronization

/// A durable log of opaque records on disk: what was committed survives any crash, is read in order, and is deleted
/// once it is loaded elsewhere and its time is over.
///
/// One thread appends and commits, one or more read, any may ask for figures. The spool knows neither events nor
/// databases.
///
/// ## Files
///
///     identity                      who the spool is, and which segment numbers may have been used
///     lock                          locked (flock) while a process has the spool open; holds its process id
///     0000000000000000001.segment   records; the name is the segment's number
///     quarantine/                   copies of damaged bytes, SEGMENT-OFFSET-BYTES.bytes; may be deleted at any time
///
/// All numbers are little-endian; each checksum is CRC-32C in its standard form, of all bytes before it.
///
/// **Segment**: a header of 64 bytes, then records without gaps, then possibly zeros (room ahead, cut off when the segment
/// is closed) or the rest of a write that failed.
///
/// | bytes | segment header |
/// |---|---|
/// | 0–7 | `PFSPOOL` and 0x1A |
/// | 8–11 | format version, 1 |
/// | 12–15 | bytes of this header, 64 |
/// | 16–31 | identity of the spool |
/// | 32–39 | number of this segment |
/// | 40–47 | number of the segment before it (0: none) |
/// | 48–55 | the trusted end of that segment, as an offset |
/// | 56–59 | 0 |
/// | 60–63 | checksum |
///
/// | bytes | record |
/// |---|---|
/// | 0–3 | 0x7F5046E9 |
/// | 4–7 | bytes of the payload, *n* |
/// | 8–11 | checksum of the payload alone |
/// | 12–15 | checksum of bytes 0–11, begun with *seed* XOR the record's offset in place of 0xFFFFFFFF |
/// | 16–(15+*n*) | payload |
///
/// *Seed* is the checksum of the 16 bytes of the identity and the 8 of the segment's number.
///
/// | bytes | `identity` |
/// |---|---|
/// | 0–7 | `PFIDENT` and 0x1A |
/// | 8–11 | format version, 1 |
/// | 12–27 | identity: random bytes |
/// | 28–35 | the highest segment number that may have been used |
/// | 36–43 | 0 |
/// | 44–47 | checksum |
///
/// ## Invariants
///
/// 1. A record is *committed* when the `fdatasync` after its write has succeeded. Only committed records are read, and a
///    commit is acknowledged only then.
/// 2. Before a segment is written to, its number is durably reserved in `identity`, its header is synced, and so is the
///    directory. Numbers only rise, and begin at each opening beyond the milliseconds since 1970, so that also a copy of
///    the directory that is put back goes on with numbers that were never used. A segment found at start is never
///    appended to. So no position is ever given twice, whatever a crash takes away; where `identity` is lost, the
///    identity goes with it.
/// 3. After a failed write or sync the segment is not written or synced again; the next append makes a new one, whose
///    header says where the trust in the old one ends. What stands behind that was never acknowledged and is not read.
///    If the process ends before the new header is durable, a restart cannot tell and reads on through whole records:
///    those were not acknowledged, so their sender repeats them, and the database drops one of the two.
/// 4. A segment's end is in its follower's header. The newest segment is read through at start, and ends with its last
///    whole record; what is behind that is a torn write, or damage to the last record (they look alike), and is cut off.
/// 5. A changed bit costs at most the record it is in. A bad payload is skipped by its length; after a bad header the next
///    good one is searched for. The seed is unknown to senders, so bytes in a payload do not pass for a header.
/// 6. Only the oldest segment is ever deleted, only when it is loaded, never the newest.
public final class Spool: Sendable {
  let shared: SpoolShared

  /// Guards the writing half; held through writes and syncs, by the writing thread and by ``close()``.
  let writer: Mutex<SpoolWriter>

  /// Opens a spool's directory, making it where it does not exist, and recovers what a crash left.
  ///
  /// Damage never keeps it from opening: it is counted, reported, and skipped. Takes the time to read the newest
  /// segment through.
  ///
  /// - Parameter report: what an operator may want to know, on the thread where it happens; must not call back.
  /// - Throws: ``SpoolError/inUse(directory:holderProcess:)`` when another process has it open,
  ///   ``SpoolError/unsupportedFormat(path:version:)``, or a failed system call.
  public convenience init(
    _ configuration: SpoolConfiguration, report: @escaping @Sendable (SpoolEvent) -> Void
  ) throws(SpoolError) {
    try self.init(configuration, environment: .system, report: report)
  }

  package init(
    _ configuration: SpoolConfiguration, environment: SpoolEnvironment,
    report: @escaping @Sendable (SpoolEvent) -> Void
  ) throws(SpoolError) {
    let opening = try SpoolOpening(configuration, environment: environment, report: report)
    let writer = try opening.finish()
    shared = writer.shared
    self.writer = Mutex(writer)
  }

  /// Who this spool is: positions mean something only together with it.
  public var identity: SpoolIdentity { shared.identity }

  /// Where the oldest record begins that is still stored; the end where there is none.
  public var oldestPosition: SpoolPosition { shared.ledger.withLock { $0.oldestPosition } }

  /// The synced end: everything before it is durable and readable.
  public var endPosition: SpoolPosition { shared.ledger.withLock { $0.endPosition } }

  /// How a position that a database remembers stands to this spool. Compare the identity first.
  public func relation(of position: SpoolPosition) -> SpoolRelation {
    shared.ledger.withLock { $0.relation(of: position) }
  }

  /// The figures of this moment.
  public var statistics: SpoolStatistics {
    let ledger = shared.ledger.withLock { $0 }
    var statistics = ledger.statistics
    statistics.usedBytes = ledger.usedBytes
    statistics.unloadedBytes = ledger.unloadedBytes
    statistics.segments = ledger.segments.count
    statistics.freeBytes = shared.freeBytes(ledger) ?? 0
    // Nobody may append any more while it is full, so the reason must be able to end without an append.
    statistics.full = ledger.refusal.flatMap { $0.bytes > statistics.freeBytes ? $0.reason : nil }
    return statistics
  }

  /// Ends the spool's work and gives its directory free. Does not commit: what was appended since the last commit is
  /// dropped. Readers wake up and find no more records; appending throws ``SpoolError/closed``.
  public func close() {
    shared.ledger.withLockWaking { $0.isClosed = true }
    writer.withLock { $0.close() }
  }
}
