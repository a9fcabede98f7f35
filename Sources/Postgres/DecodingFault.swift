/// Why a value of a result could not be read as the Swift type that was asked for.
public enum DecodingFault: Error, Sendable, Equatable {
  /// NULL, and the Swift type is not an optional.
  case unexpectedNull
  /// The column's type is not one that the Swift type reads.
  case typeMismatch
  /// The bytes are not what the column's type promises.
  case malformed
  /// A right value that the Swift type cannot hold, such as a timestamp beyond the year 294246.
  case outOfRange

  var text: String {
    switch self {
    case .unexpectedNull: "is NULL where a value is needed"
    case .typeMismatch: "has another type"
    case .malformed: "holds bytes that are not of its type"
    case .outOfRange: "holds a value out of range"
    }
  }
}
