import EventScanner
import StoryEvents

/// Writes a context's properties as a compact JSON object, which PostgreSQL can take as `jsonb` as it is.
struct PropertiesText: ~Copyable {
  /// Thirty-two names and values of the longest kind, each byte written as an escape of six.
  private static let capacity =
    2 + ContractLimits.properties * (6 * (ContractLimits.propertyNameBytes + ContractLimits.propertyValueBytes) + 6)

  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: PropertiesText.capacity)
  private var length = 0
  private var count = 0
  /// Between `begin` and `end`.
  private(set) var isOpen = false

  deinit { bytes.deallocate() }

  /// The object; valid until the next `begin`.
  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: length) }

  /// Begins an object.
  mutating func begin() {
    isOpen = true
    count = 0
    length = 0
    append(UInt8(ascii: "{"))
  }

  /// Takes one entry; nothing is written for one that is faulty or one too many.
  mutating func take(name: ScannedValue, value: ScannedValue) -> Fault? {
    count += 1
    if let fault = fault(name: name, value: value) { return fault }
    guard count <= ContractLimits.properties else { return nil }
    if length > 1 { append(UInt8(ascii: ",")) }
    appendString(name.buffer)
    append(UInt8(ascii: ":"))
    if case .string = value.kind {
      appendString(value.buffer)
    } else {
      UnsafeMutableRawPointer(bytes + length).copyMemory(from: value.bytes, byteCount: Int(value.length))
      length += Int(value.length)
    }
    return nil
  }

  /// Ends the object.
  mutating func end() -> Fault? {
    isOpen = false
    append(UInt8(ascii: "}"))
    guard count > ContractLimits.properties else { return nil }
    return Fault(
      code: .tooManyProperties, field: .properties, expectation: .atMostProperties(ContractLimits.properties),
      count: count)
  }

  private func fault(name: ScannedValue, value: ScannedValue) -> Fault? {
    func named(_ fault: Fault) -> Fault {
      var fault = fault
      fault.name = name.buffer
      return fault
    }
    if name.has_nul { return named(Fault(code: .invalidText, field: .properties, expectation: .noNUL)) }
    if name.has_lone_surrogate {
      return named(Fault(code: .invalidText, field: .properties, expectation: .noLoneSurrogate))
    }
    if value.has_nul { return named(Fault(code: .invalidText, field: .properties, expectation: .noNUL)) }
    if value.has_lone_surrogate {
      return named(Fault(code: .invalidText, field: .properties, expectation: .noLoneSurrogate))
    }
    if Int(name.length) > ContractLimits.propertyNameBytes {
      return Fault(
        code: .textTooLong, field: .properties, expectation: .atMostNameBytes(ContractLimits.propertyNameBytes),
        count: Int(name.length))
    }
    switch value.kind {
    case .object, .array:
      return named(Fault(code: .invalidField, field: .properties, expectation: .scalar, found: value))
    case .string, .integer, .number, .true, .false, .null:
      break
    }
    if Int(value.length) > ContractLimits.propertyValueBytes {
      return named(
        Fault(
          code: .textTooLong, field: .properties,
          expectation: .atMostBytes(ContractLimits.propertyValueBytes), count: Int(value.length)))
    }
    if case .number = value.kind, !NumberText.hasModestExponent(value) {
      return named(Fault(code: .invalidField, field: .properties, expectation: .modestNumber, found: value))
    }
    return nil
  }

  private mutating func append(_ byte: UInt8) {
    bytes[length] = byte
    length += 1
  }

  private mutating func appendString(_ text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        append(UInt8(ascii: "\\"))
        append(byte)
      } else if byte < 0x20 {
        append(UInt8(ascii: "\\"))
        append(UInt8(ascii: "u"))
        append(UInt8(ascii: "0"))
        append(UInt8(ascii: "0"))
        append(hexadecimal(byte >> 4))
        append(hexadecimal(byte & 0xF))
      } else {
        append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  private func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }
}
