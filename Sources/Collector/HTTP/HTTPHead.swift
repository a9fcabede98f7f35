import CMicroHTTPD

/// What matters of a request's head. The texts lie in the library's memory and are valid until the request ends.
struct HTTPHead {
  /// −1 where none was declared; the most that fits where more was.
  var contentLength: Int64 = -1
  var contentLengthCount = 0
  var transferEncodingCount = 0
  var isChunked = false
  var hostCount = 0
  var authorizationCount = 0
  var contentTypeCount = 0
  var contentEncodingCount = 0
  var expectsContinue = false
  /// A name that is no token, such as `Content-Length ` with a blank: a proxy in front may read it differently.
  var hasMalformedName = false
  /// A value with a control character other than a tab (RFC 9110 §5.5), or a length that is no number.
  var hasMalformedValue = false
  var authorization: UnsafeRawBufferPointer?
  var contentType: UnsafeRawBufferPointer?
  var contentEncoding: UnsafeRawBufferPointer?

  /// Reads the head of the connection's request.
  init(of connection: OpaquePointer) {
    self.init()
    withUnsafeMutablePointer(to: &self) { head in
      pagefall_mhd_each_header(
        connection,
        { context, _, name, nameBytes, value, valueBytes in
          guard let context, let name else { return pagefall_mhd_yes }
          let head = context.assumingMemoryBound(to: HTTPHead.self)
          head.pointee.take(
            UnsafeRawBufferPointer(start: name, count: nameBytes),
            UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueBytes))
          return pagefall_mhd_yes
        }, head)
    }
  }

  init() {}

  /// Looks at one header; told apart by length first, since most are none of ours.
  mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    for byte in name where byte <= 0x20 || byte >= 0x7F { hasMalformedName = true }
    for byte in value where byte < 0x20 && byte != 0x09 || byte == 0x7F { hasMalformedValue = true }
    switch name.count {
    case 4 where name.equalsIgnoringCase("host"):
      hostCount += 1
    case 6 where name.equalsIgnoringCase("expect"):
      expectsContinue = value.equalsIgnoringCase("100-continue")
    case 12 where name.equalsIgnoringCase("content-type"):
      contentType = value
      contentTypeCount += 1
    case 13 where name.equalsIgnoringCase("authorization"):
      authorization = value
      authorizationCount += 1
    case 14 where name.equalsIgnoringCase("content-length"):
      contentLengthCount += 1
      if value.isDigits { contentLength = value.decimal ?? .max } else { hasMalformedValue = true }
    case 16 where name.equalsIgnoringCase("content-encoding"):
      contentEncoding = value
      contentEncodingCount += 1
    case 17 where name.equalsIgnoringCase("transfer-encoding"):
      transferEncodingCount += 1
      isChunked = value.equalsIgnoringCase("chunked")
    case 0: hasMalformedName = true
    default: break
    }
  }

  /// Why the head cannot be trusted to say where the request ends, or nil (RFC 9112 §6.3, §3.2).
  func fault(isHTTP11: Bool) -> Problem? {
    if hasMalformedName || hasMalformedValue { return .malformedHeader }
    if contentLengthCount > 1 { return .contentLengthTwice }
    if transferEncodingCount > 0 {
      if contentLengthCount > 0 { return .contentLengthBesideTransferEncoding }
      if transferEncodingCount > 1 || !isChunked || !isHTTP11 { return .unsupportedTransferEncoding }
    }
    if hostCount > 1 || hostCount == 0 && isHTTP11 { return .hostNotOnce }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are this ASCII text, letters in either case; `lowercase` is written in lower case.
  func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
    guard count == lowercase.utf8CodeUnitCount else { return false }
    let expected = lowercase.utf8Start
    for index in 0..<count {
      var byte = self[index]
      if byte >= 0x41, byte <= 0x5A { byte |= 0x20 }
      if byte != expected[index] { return false }
    }
    return true
  }

  /// Whether the bytes are exactly this text.
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let expected = text.utf8Start
    for index in 0..<count where self[index] != expected[index] { return false }
    return true
  }

  /// The number that the bytes write in decimal digits and nothing else; nil also beyond 63 bits.
  var decimal: Int64? {
    guard !isEmpty else { return nil }
    var value: Int64 = 0
    for byte in self {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowToo) = product.addingReportingOverflow(Int64(byte - 0x30))
      if overflow || overflowToo { return nil }
      value = sum
    }
    return value
  }

  /// Whether there are decimal digits and nothing else.
  var isDigits: Bool { !isEmpty && allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }

  /// The bytes without blanks and tabs at both ends.
  var trimmed: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// The bytes before the first of these, or all.
  func prefix(before byte: UInt8) -> UnsafeRawBufferPointer {
    let end = firstIndex(of: byte) ?? count
    return UnsafeRawBufferPointer(rebasing: self[0..<end])
  }
}
