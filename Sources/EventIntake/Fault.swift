import EventScanner
import StoryEvents

/// What was expected of a value; says it in words.
enum Expectation {
  case object
  case array
  case knownType
  case sessionID
  case sequence
  case timestamp
  case pageIndex
  case pageCount
  case text
  case textOrUnsigned
  case source
  case action
  case finiteNumber
  case payloadIndex
  case scalar
  case modestNumber
  case pageObject
  case noNUL
  case noLoneSurrogate
  case atMostBytes(Int)
  case atMostNameBytes(Int)
  case atMostEventBytes(Int)
  case atMostNesting(Int)
  case atMostProperties(Int)
  case atMostPages(Int)
  case once
  /// The field of the fault must be there, for this type (nil: for all).
  case presence(EventType?)
}

/// Why an event cannot be accepted: the places where it was found, not yet words. Making one allocates nothing.
struct Fault {
  var code: RejectionCode
  /// The field at fault; nil: the event as a whole.
  var field: ScannedField?
  var expectation: Expectation
  /// What was found, where it is a value.
  var found: ScannedValue?
  /// What was found, where it is a number of things.
  var count = 0
  /// The property that it is about, where it is one; for `duplicateField`, the name that stands twice.
  var name: UnsafeRawBufferPointer?

  /// Whether this is told rather than `other`: the first in the order of codes is (contract §2).
  func comesBefore(_ other: Fault) -> Bool { code.rawValue < other.code.rawValue }
}

extension ScannedField {
  /// The field's bare name.
  var name: StaticString {
    switch self {
    case .type: "type"
    case .sessionID: "session_id"
    case .seq: "seq"
    case .at: "at"
    case .pageIndex: "page_index"
    case .pageCount: "page_count"
    case .reason: "reason"
    case .contentCode: "content_code"
    case .source: "source"
    case .error: "error"
    case .action: "action"
    case .categoryID: "category_id"
    case .buttonID: "button_id"
    case .context: "context"
    case .page: "page"
    case .pages, .pagesElement: "pages"
    case .storyID: "story_id"
    case .messageHash: "message_hash"
    case .messageID: "message_id"
    case .campaignID: "campaign_id"
    case .deviceID: "device_id"
    case .userID: "user_id"
    case .appVersion: "app_version"
    case .osVersion: "os_version"
    case .deviceModel: "device_model"
    case .locale: "locale"
    case .sdkVersion: "sdk_version"
    case .environment: "environment"
    case .properties, .propertyName, .propertyValue: "properties"
    case .imageURL: "image_url"
    case .title: "title"
    case .subtitle: "subtitle"
    case .link: "link"
    case .buttonTitle: "button_title"
    case .key: "key"
    case .duration: "duration"
    case .payloadIndex: "payload_index"
    case .sentAt: "sent_at"
    case .receivedAt: "received_at"
    case .droppedEventsTotal: "dropped_events_total"
    case .events: "events"
    }
  }
}
