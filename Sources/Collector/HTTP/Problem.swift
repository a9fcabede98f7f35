import StoryEvents

/// What can be wrong with a request, apart from its events: the error answers of contract §2 whose words are always the
/// same. The others are `ToldProblem`.
enum Problem: UInt8, CaseIterable {
  case malformedHeader
  case contentLengthTwice
  case contentLengthBesideTransferEncoding
  case unsupportedTransferEncoding
  case hostNotOnce
  case notFound
  case onlyGet
  case onlyPost
  case unsupportedMediaType
  case unsupportedEncoding
  case bodyNotWanted
  case bodyTooLarge
  case decompressedTooLarge
  case tooManyEvents
  case noKey
  case unknownKey
  case wrongRight
  case requestTimeout
  case spoolFull
  case tooMuchInFlight
  case commitFailed
  case keyUncheckable
  case tooManyConnections

  /// The status of the answer.
  var status: UInt16 {
    switch self {
    case .malformedHeader, .contentLengthTwice, .contentLengthBesideTransferEncoding, .unsupportedTransferEncoding,
      .hostNotOnce:
      400
    case .noKey, .unknownKey: 401
    case .wrongRight: 403
    case .notFound: 404
    case .onlyGet, .onlyPost: 405
    case .requestTimeout: 408
    case .bodyNotWanted, .bodyTooLarge, .decompressedTooLarge, .tooManyEvents: 413
    case .unsupportedMediaType, .unsupportedEncoding: 415
    case .spoolFull, .tooMuchInFlight, .commitFailed, .keyUncheckable, .tooManyConnections: 503
    }
  }

  /// A stable name, for programs.
  var code: StaticString {
    switch self {
    case .malformedHeader: "malformed_header"
    case .contentLengthTwice: "content_length_twice"
    case .contentLengthBesideTransferEncoding: "content_length_beside_transfer_encoding"
    case .unsupportedTransferEncoding: "unsupported_transfer_encoding"
    case .hostNotOnce: "host_not_once"
    case .notFound: "not_found"
    case .onlyGet, .onlyPost: "method_not_allowed"
    case .unsupportedMediaType: "unsupported_media_type"
    case .unsupportedEncoding: "unsupported_encoding"
    case .bodyNotWanted: "body_not_wanted"
    case .bodyTooLarge: "body_too_large"
    case .decompressedTooLarge: "decompressed_body_too_large"
    case .tooManyEvents: "too_many_events"
    case .noKey: "no_key"
    case .unknownKey: "unknown_key"
    case .wrongRight: "wrong_right"
    case .requestTimeout: "request_timeout"
    case .spoolFull: "spool_full"
    case .tooMuchInFlight: "too_much_in_flight"
    case .commitFailed: "not_durable"
    case .keyUncheckable: "key_not_checkable"
    case .tooManyConnections: "too_many_connections"
    }
  }

  /// What is wrong and what to do, for people.
  var detail: String {
    switch self {
    case .malformedHeader: "A header's name is not a token of RFC 9110, or its value has a control character."
    case .contentLengthTwice: "Content-Length is given twice; the end of the request is not certain."
    case .contentLengthBesideTransferEncoding:
      "Content-Length stands beside Transfer-Encoding; the end of the request is not certain."
    case .unsupportedTransferEncoding: "Transfer-Encoding must be chunked, once, in HTTP/1.1."
    case .hostNotOnce: "HTTP/1.1 asks for the Host header exactly once."
    case .notFound: "There is nothing at this path; events go to /v1/events."
    case .onlyGet: "This path answers GET and HEAD only."
    case .onlyPost: "This path answers POST only."
    case .unsupportedMediaType: "Content-Type must be application/json or application/x-ndjson, in UTF-8."
    case .unsupportedEncoding: "Content-Encoding must be gzip, zstd or identity, once."
    case .bodyNotWanted: "This path takes no body."
    case .bodyTooLarge:
      "The body is larger than \(ContractLimits.bodyBytes) bytes as it is sent; send fewer events at once."
    case .decompressedTooLarge:
      "The body is larger than \(ContractLimits.decompressedBodyBytes) bytes after decompression; send fewer events at once."
    case .tooManyEvents:
      "There are more than \(ContractLimits.eventsPerRequest) events in the request; send fewer at once."
    case .noKey: "A write key is missing: send it as Authorization: Bearer pfw_…"
    case .unknownKey: "The key is not known, or was revoked."
    case .wrongRight: "The key has no right to send events."
    case .requestTimeout: "Head and body were not complete in time; retry later."
    case .spoolFull: "There is no room left in the spool; retry later."
    case .tooMuchInFlight: "Too much is being received at once; retry later."
    case .commitFailed: "The events could not be made durable; retry later."
    case .keyUncheckable: "The key is not known here and cannot be checked now; retry later."
    case .tooManyConnections: "There are too many connections; retry later."
    }
  }

  /// Headers that belong to the answer.
  var headers: [(name: String, value: String)] {
    switch self {
    case .noKey: [("WWW-Authenticate", "Bearer")]
    case .unknownKey: [("WWW-Authenticate", #"Bearer error="invalid_token""#)]
    case .wrongRight: [("WWW-Authenticate", #"Bearer error="insufficient_scope""#)]
    case .onlyGet: [("Allow", "GET, HEAD")]
    case .onlyPost: [("Allow", "POST")]
    case .unsupportedEncoding: [("Accept-Encoding", "gzip, zstd")]
    case .unsupportedMediaType: [("Accept-Post", "application/json, application/x-ndjson")]
    case .spoolFull: [("Retry-After", "10")]
    case .tooMuchInFlight, .commitFailed, .keyUncheckable, .tooManyConnections: [("Retry-After", "1")]
    case .malformedHeader, .contentLengthTwice, .contentLengthBesideTransferEncoding, .unsupportedTransferEncoding,
      .hostNotOnce, .notFound, .bodyNotWanted, .bodyTooLarge, .decompressedTooLarge,
      .tooManyEvents, .requestTimeout:
      []
    }
  }

  /// The limit that a 413 names, as a member of its body.
  var limit: (name: StaticString, value: Int)? {
    switch self {
    case .bodyNotWanted: ("body_bytes", 0)
    case .bodyTooLarge: ("body_bytes", ContractLimits.bodyBytes)
    case .decompressedTooLarge: ("decompressed_body_bytes", ContractLimits.decompressedBodyBytes)
    case .tooManyEvents: ("events_per_request", ContractLimits.eventsPerRequest)
    case .malformedHeader, .contentLengthTwice, .contentLengthBesideTransferEncoding, .unsupportedTransferEncoding,
      .hostNotOnce, .notFound, .onlyGet, .onlyPost, .unsupportedMediaType, .unsupportedEncoding,
      .noKey, .unknownKey, .wrongRight, .requestTimeout, .spoolFull, .tooMuchInFlight, .commitFailed, .keyUncheckable,
      .tooManyConnections:
      nil
    }
  }
}
