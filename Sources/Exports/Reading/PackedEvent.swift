/// One event of the value that `DayQuery` packs a session's events in: three numbers of 8 bytes, big-endian.
///
/// The first holds the fields below, each just wide enough for what the contract allows (§1, "Limits"): no value that was
/// accepted reaches into the next. The second is the device's time, in microseconds since 2000; the third is the duration
/// in seconds, NaN for none.
enum PackedEvent {
  static let byteCount = 24

  /// Some bits of the first number.
  struct Field {
    /// Its lowest bit.
    let shift: Int64
    /// How many bits it has.
    let width: Int64

    /// The largest value that fits.
    var most: Int { (1 << Int(width)) - 1 }

    @inline(__always)
    func value(in code: Int64) -> Int { Int((code >> shift) & ((1 << width) - 1)) }
  }

  /// The event's number within its session.
  static let seq = Field(shift: 29, width: 31)
  /// The raw value of its type.
  static let type = Field(shift: 24, width: 5)
  /// The page's index plus one; 0 is null.
  static let pagePlace = Field(shift: 14, width: 10)
  /// The story's page count; 0 is null.
  static let pageCount = Field(shift: 4, width: 10)
  /// The raw value of its source plus one; 0 is null.
  static let sourcePlace = Field(shift: 2, width: 2)
  /// The raw value of its action plus one; 0 is null.
  static let actionPlace = Field(shift: 0, width: 2)

  /// All of them, from the highest to the lowest.
  static let fields = [seq, type, pagePlace, pageCount, sourcePlace, actionPlace]
}
