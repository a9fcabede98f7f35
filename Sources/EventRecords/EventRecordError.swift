/// Why a record cannot be read.
public enum EventRecordError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The record is not one that `EventRecordWriter` wrote.
  ///
  /// - Parameters:
  ///   - offset: where, in bytes from the record's beginning.
  ///   - problem: what is wrong there.
  case damaged(offset: Int, problem: Problem)

  /// What is wrong with a damaged record.
  public enum Problem: String, Sendable {
    case tooShort = "the record ends too early"
    case unknownVersion = "the record's version is unknown"
    case unknownKind = "the item's kind is unknown"
    case badLength = "the item's length does not fit"
    case badValue = "a value is outside its range"
    case badContext = "no context stands at this offset"
    case badCount = "the number of items is wrong"
  }

  /// One line, without any of the record's bytes.
  public var description: String {
    switch self {
    case .damaged(let offset, let problem): "damaged event record: \(problem.rawValue) (at byte \(offset))"
    }
  }
}
