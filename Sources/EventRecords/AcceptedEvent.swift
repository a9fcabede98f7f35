import StoryEvents

/// The texts of an event that are its content; the raw value is the bit in a record's mask and never changes.
public enum EventText: UInt8, CaseIterable, Sendable {
  case reason = 0
  case contentCode = 1
  case error = 2
  case categoryID = 3
  case buttonID = 4

  /// The field's name in the contract.
  public var name: String {
    switch self {
    case .reason: "reason"
    case .contentCode: "content_code"
    case .error: "error"
    case .categoryID: "category_id"
    case .buttonID: "button_id"
    }
  }
}

/// The texts of one event, as places in memory that someone else owns; nil: absent.
public struct EventTexts {
  /// Of a fallback: why. Also the text fields below: UTF-8 without U+0000, nil where the event has none.
  public var reason: UnsafeRawBufferPointer?
  /// Of rich media: which one.
  public var contentCode: UnsafeRawBufferPointer?
  /// Of a failed rich media: what failed.
  public var error: UnsafeRawBufferPointer?
  /// Of a response by a button: the notification's category.
  public var categoryID: UnsafeRawBufferPointer?
  /// Of a response by a button: which button.
  public var buttonID: UnsafeRawBufferPointer?

  /// No texts.
  public init() {}

  /// The text of this field, or nil.
  public subscript(text: EventText) -> UnsafeRawBufferPointer? {
    get {
      switch text {
      case .reason: reason
      case .contentCode: contentCode
      case .error: error
      case .categoryID: categoryID
      case .buttonID: buttonID
      }
    }
    set {
      switch text {
      case .reason: reason = newValue
      case .contentCode: contentCode = newValue
      case .error: error = newValue
      case .categoryID: categoryID = newValue
      case .buttonID: buttonID = newValue
      }
    }
  }
}

/// An event that passed every rule, ready to be written. Its memory belongs to whoever judged it.
public struct AcceptedEvent {
  /// What happened.
  public var type: EventType
  /// Whose event it is; with `seq` it identifies the event (contract §1).
  public var sessionID: SessionID
  /// 0 … 2³¹−1.
  public var seq: Int32
  /// When it happened by the device's clock, microseconds since 1970, in the years 0001–9999.
  public var atMicroseconds: Int64
  /// 0…999, or nil.
  public var pageIndex: Int16?
  /// 1…1000, or nil.
  public var pageCount: Int16?
  /// Of rich media: where it came from; nil where the event does not say.
  public var source: RichMediaSource?
  /// Of a notification response: how it was answered.
  public var action: ResponseAction?
  /// How long the page shown is to stay, in seconds; nil: not said. Never NaN.
  public var durationSeconds: Double?
  /// `start.pages`: a duration in seconds for each page, NaN where it is not said.
  public var pageDurationsSeconds = UnsafeBufferPointer<Double>(start: nil, count: 0)
  /// The event's texts, none by default.
  public var texts = EventTexts()
  /// What `EventRecordWriter.appendContext` returned for its context; 0: it has none.
  public var contextOffset: UInt32
  /// Its place in the request from 0, or its line in a file from 1.
  public var index: UInt32
  /// The event as it was sent, byte for byte.
  public var rawJSON: UnsafeRawBufferPointer

  /// Names what every event has; the rest begins absent.
  public init(
    type: EventType, sessionID: SessionID, seq: Int32, atMicroseconds: Int64, contextOffset: UInt32, index: UInt32,
    rawJSON: UnsafeRawBufferPointer
  ) {
    self.type = type
    self.sessionID = sessionID
    self.seq = seq
    self.atMicroseconds = atMicroseconds
    self.contextOffset = contextOffset
    self.index = index
    self.rawJSON = rawJSON
  }
}
