import EventIntake

/// How a body's events are written (contract §1).
enum BodyFormat: UInt8 {
  case json
  case ndjson

  /// By `Content-Type`: exactly one, case-insensitive, parameters allowed, in UTF-8; nil for anything else.
  init?(_ head: HTTPHead) {
    guard head.contentTypeCount == 1, let value = head.contentType else { return nil }
    let type = value.prefix(before: UInt8(ascii: ";")).trimmed
    if type.equalsIgnoringCase("application/json") {
      self = .json
    } else if type.equalsIgnoringCase("application/x-ndjson") {
      self = .ndjson
    } else {
      return nil
    }
    if value.contains(UInt8(ascii: ";")), !Self.isUTF8(value) { return nil }
  }

  /// Whether no parameter names another character set.
  private static func isUTF8(_ value: UnsafeRawBufferPointer) -> Bool {
    value.split(separator: UInt8(ascii: ";")).dropFirst().allSatisfy { parameter in
      let parameter = UnsafeRawBufferPointer(rebasing: parameter)
      let name = parameter.prefix(before: UInt8(ascii: "="))
      guard name.count < parameter.count, name.trimmed.equalsIgnoringCase("charset") else { return true }
      var charset = UnsafeRawBufferPointer(rebasing: parameter[(name.count + 1)...]).trimmed
      if charset.count >= 2, charset.first == UInt8(ascii: "\""), charset.last == UInt8(ascii: "\"") {
        charset = UnsafeRawBufferPointer(rebasing: charset[1..<charset.count - 1])
      }
      return charset.equalsIgnoringCase("utf-8") || charset.equalsIgnoringCase("utf8")
    }
  }

  var intakeFormat: IntakeFormat {
    switch self {
    case .json: .json
    case .ndjson: .ndjson
    }
  }
}

/// How a body is compressed (contract §1).
enum BodyEncoding: UInt8, Sendable {
  case identity
  case gzip
  case zstd

  /// By `Content-Encoding`: none or one, case-insensitive; nil for anything else, and for more than one.
  init?(_ head: HTTPHead) {
    guard let value = head.contentEncoding?.trimmed, !value.isEmpty else {
      self = .identity
      return
    }
    guard head.contentEncodingCount == 1 else { return nil }
    // "x-gzip" is the same as "gzip" (RFC 9110 §8.4.1.3).
    if value.equalsIgnoringCase("gzip") || value.equalsIgnoringCase("x-gzip") {
      self = .gzip
    } else if value.equalsIgnoringCase("zstd") {
      self = .zstd
    } else if value.equalsIgnoringCase("identity") {
      self = .identity
    } else {
      return nil
    }
  }
}
