import EventScanner

/// Owns the C scanner.
struct Scanner: ~Copyable {
  private let handle: OpaquePointer

  /// Makes a scanner.
  ///
  /// - Precondition: there is memory for its few hundred bytes; without, nothing in this process can go on.
  init() {
    guard let handle = event_scanner_create() else { preconditionFailure("out of memory") }
    self.handle = handle
  }

  deinit { event_scanner_destroy(handle) }

  /// Scans a text of at most `largestTextScannedWhole` bytes; the result is valid until the next scan.
  func scan(_ text: UnsafeRawBufferPointer, eventLimit: Int) -> UnsafePointer<ScannedText> {
    event_scanner_scan(handle, text.bytePointer, text.count, UInt32(clamping: eventLimit))
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes for a C function that wants a pointer also where there are none.
  var bytePointer: UnsafePointer<UInt8> {
    guard let baseAddress else { return emptyText.utf8Start }
    return baseAddress.assumingMemoryBound(to: UInt8.self)
  }

  /// Whether both hold the same bytes; they have the same length.
  @inline(__always)
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard let baseAddress, let otherAddress = other.baseAddress else { return true }
    var offset = 0
    while offset + 8 <= count {
      let mine = baseAddress.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if mine != otherAddress.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset += 8
    }
    while offset < count {
      let mine = baseAddress.load(fromByteOffset: offset, as: UInt8.self)
      if mine != otherAddress.load(fromByteOffset: offset, as: UInt8.self) { return false }
      offset += 1
    }
    return true
  }

  /// Part of a buffer as a buffer of its own.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}

/// A place for an empty buffer to point at; lives as long as the process.
private let emptyText: StaticString = " "

extension ScannedValue {
  /// Its bytes.
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: Int(length)) }
}

extension ScannedEvent {
  /// Its bytes.
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: Int(length)) }
}
