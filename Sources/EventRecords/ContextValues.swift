import StoryEvents

/// The values of one context, as places in memory that someone else owns.
///
/// Made once and reused: setting values allocates nothing. A value is UTF-8; `properties` is a JSON object as compact text.
public struct ContextValues: ~Copyable {
  private let values: UnsafeMutablePointer<UnsafeRawBufferPointer>
  /// The bits of the fields that have a value (`ContextField.bit`).
  public private(set) var mask: UInt16 = 0

  /// Makes a context without values.
  public init() {
    let count = ContextField.allCases.count
    values = .allocate(capacity: count)
    values.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: count)
  }

  deinit { values.deallocate() }

  /// The field's value, or nil where it has none. The memory must stay valid as long as the value is used here.
  public subscript(field: ContextField) -> UnsafeRawBufferPointer? {
    get { mask & field.bit == 0 ? nil : values[Int(field.rawValue)] }
    set {
      if let newValue {
        values[Int(field.rawValue)] = newValue
        mask |= field.bit
      } else {
        mask &= ~field.bit
      }
    }
  }

  /// The value with this bit number in the mask; only where the bit is set.
  func value(bit: Int) -> UnsafeRawBufferPointer { values[bit] }

  /// Whether no field has a value.
  public var isEmpty: Bool { mask == 0 }

  /// Forgets all values.
  public mutating func removeAll() { mask = 0 }

  /// Takes the values of `base`, then those of `override` over them, field by field (contract §1: an event's context wins).
  public mutating func merge(base: borrowing ContextValues, override: borrowing ContextValues) {
    mask = base.mask | override.mask
    var bits = mask
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      bits &= bits &- 1
      values[bit] = override.mask & (1 << UInt16(bit)) != 0 ? override.values[bit] : base.values[bit]
    }
  }
}
