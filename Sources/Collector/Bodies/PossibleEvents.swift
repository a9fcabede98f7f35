import EventIntake

/// How many events a body may hold at most, told from counts of bytes alone: far quicker than judging them.
///
/// Bytes within texts count too, so a body may be taken for more than it is, and never for less.
struct PossibleEvents {
  private var lines = 0
  private var objects = 0
  private var commas = 0
  private let format: IntakeFormat

  /// From here on a body is not judged on the HTTP thread: each event may cost microseconds and 100 bytes of answer.
  private static let manyEvents = 1_000
  /// Elements need not be objects, but the commas between fields look the same as those between elements.
  private static let manyCommas = 2 * manyEvents

  /// Counts.
  init(in body: UnsafeRawBufferPointer, _ format: IntakeFormat) {
    self.format = format
    var (lines, objects, commas) = (0, 0, 0)
    for byte in body {
      lines &+= byte == 0x0A ? 1 : 0
      objects &+= byte == 0x7B ? 1 : 0
      commas &+= byte == 0x2C ? 1 : 0
    }
    (self.lines, self.objects, self.commas) = (lines, objects, commas)
  }

  /// Whether judging them may take long.
  var areMany: Bool {
    if objects > Self.manyEvents || commas > Self.manyCommas { return true }
    return switch format {
    case .ndjson: lines > Self.manyEvents
    case .json: false
    }
  }
}
