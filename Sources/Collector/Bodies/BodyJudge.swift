import Compression
import EventIntake
import EventRecords
import StoryEvents

/// What a body came to, as the endpoint needs it.
enum BodyVerdict: Sendable {
  /// The answer's text is written.
  case judged(accepted: Int, rejected: Int)
  /// 400; kept all the same.
  case unreadable(message: String)
  case tooManyEvents
  case decompressedOverLimit
  /// It may hold more events than whoever judges may take the time for.
  case tooManyToJudgeHere
  /// There is no room to decompress it now.
  case tooMuchInFlight
}

/// Decompresses and judges bodies, one after another; one for each thread that does, its memory reused.
struct BodyJudge: ~Copyable {
  private var intake = Intake()
  private var plain = PlainBody()
  private var faults: [EventFault] = []

  /// An intake that has made more than this of one body is replaced by a fresh one.
  private static let keptRecordBytes = 2 * 1024 * 1024

  /// Judges a body; what must become durable of it stands in the records until the next one.
  ///
  /// - Parameters:
  ///   - limitBytes: how large it may be after decompression.
  ///   - isBrief: judges no body that may hold very many events, however small it is.
  ///   - budget: what decompressed bytes are counted in, as long as they are held.
  ///   - answer: where the answer to a judged body is written.
  mutating func judge(
    _ body: UnsafeRawBufferPointer, _ encoding: BodyEncoding, _ request: IntakeRequest, limitBytes: Int,
    isBrief: Bool, budget: ByteBudget, answer: inout JSONWriter
  ) -> BodyVerdict {
    let format: CompressionFormat
    switch encoding {
    case .identity: return judge(body, request, isBrief, &answer)
    case .gzip: format = .gzip
    case .zstd: format = .zstd
    }
    defer { plain.release(budget) }
    switch plain.decompress(body, format, limitBytes: limitBytes, budget: budget) {
    case .whole:
      let verdict = judge(plain.bytes, request, isBrief, &answer)
      guard case .unreadable(let message) = verdict else { return verdict }
      // Kept as it was sent: decompressed, a small body could fill the spool and the database by thousands of its bytes.
      if plain.bytes.count > Self.keptRecordBytes { intake = Intake() }
      return self.verdict(on: intake.recordUnreadable(body, request, message: message), &answer)
    case .overLimit: return .decompressedOverLimit
    case .overBudget: return .tooMuchInFlight
    case .broken(let message):
      // Kept as it came, like every body that is answered 400 to a known key (contract §2).
      return verdict(on: intake.recordUnreadable(body, request, message: message), &answer)
    }
  }

  private mutating func judge(
    _ body: UnsafeRawBufferPointer, _ request: IntakeRequest, _ isBrief: Bool, _ answer: inout JSONWriter
  ) -> BodyVerdict {
    if isBrief, PossibleEvents(in: body, request.format).areMany { return .tooManyToJudgeHere }
    return verdict(on: intake.judge(body, request), &answer)
  }

  private mutating func verdict(on outcome: IntakeOutcome, _ answer: inout JSONWriter) -> BodyVerdict {
    switch outcome {
    case .judged(let summary):
      faults = summary.errors
      EventsAnswer.write(summary, into: &answer)
      return .judged(accepted: summary.accepted, rejected: summary.rejected)
    case .unreadable(let problem): return .unreadable(message: problem.message)
    case .overLimit: return .tooManyEvents
    }
  }

  /// How many records there are.
  var recordCount: Int { intake.records.recordCount }

  /// The bytes of all records.
  var recordBytes: Int { intake.records.byteCount }

  /// Lends a record.
  func withRecord<Failure: Error>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try intake.records.withRecord(index, body)
  }

  /// Counts the rejected events of the last body by code.
  func countRejections(into counts: inout [Int]) {
    for fault in faults { counts[Int(fault.code.rawValue)] += 1 }
  }

  /// Gives back what a huge body has left behind.
  mutating func forget() {
    faults = []
    if intake.records.byteCount > Self.keptRecordBytes { intake = Intake() }
  }
}
