/// Why an event was refused (contract §2, "Why an event is rejected"), in the order in which the rules are tried.
///
/// The raw value is stored in the spool: it never changes.
public enum RejectionCode: UInt8, CaseIterable, Sendable {
  /// The line is not JSON.
  case invalidJSON = 1
  /// It is JSON, but no object.
  case notAnObject = 2
  /// More bytes than an event may have.
  case eventTooLarge = 3
  /// Objects and arrays in each other beyond the limit.
  case nestedTooDeeply = 4
  /// A field of the contract stands twice.
  case duplicateField = 5
  /// A field that its type needs is absent.
  case missingField = 6
  /// `type` is no type of this contract.
  case unknownType = 7
  /// `session_id` is no UUID of versions 1–8.
  case invalidSessionID = 8
  /// `seq` is no integer in its range.
  case invalidSeq = 9
  /// `at` is no time that can be stored.
  case invalidTimestamp = 10
  /// `page_index` is no integer in its range.
  case invalidPageIndex = 11
  /// `page_count` is no integer in its range.
  case invalidPageCount = 12
  /// A text holds what cannot be stored.
  case invalidText = 13
  /// A text is longer than its limit.
  case textTooLong = 14
  /// More properties than allowed.
  case tooManyProperties = 15
  /// Any other field that is not of its form.
  case invalidField = 16

  // Found after the answer, so never in it.

  /// A body that was answered 400 to a known key; kept whole.
  case unreadable = 17
  /// The same `(session_id, seq)` came before with other content; the first stays (contract §3).
  case conflictingDuplicate = 18
  /// The session belongs to another app (contract §3).
  case foreignSession = 19
  /// PostgreSQL refused the row; it was set aside so that the others could be stored.
  case refusedByDatabase = 20

  /// The code as it is answered, stored and reported.
  public var name: String {
    switch self {
    case .invalidJSON: "invalid_json"
    case .notAnObject: "not_an_object"
    case .eventTooLarge: "event_too_large"
    case .nestedTooDeeply: "nested_too_deeply"
    case .duplicateField: "duplicate_field"
    case .missingField: "missing_field"
    case .unknownType: "unknown_type"
    case .invalidSessionID: "invalid_session_id"
    case .invalidSeq: "invalid_seq"
    case .invalidTimestamp: "invalid_timestamp"
    case .invalidPageIndex: "invalid_page_index"
    case .invalidPageCount: "invalid_page_count"
    case .invalidText: "invalid_text"
    case .textTooLong: "text_too_long"
    case .tooManyProperties: "too_many_properties"
    case .invalidField: "invalid_field"
    case .unreadable: "unreadable"
    case .conflictingDuplicate: "conflicting_duplicate"
    case .foreignSession: "foreign_session"
    case .refusedByDatabase: "refused_by_database"
    }
  }
}
