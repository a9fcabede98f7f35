import StoryEvents

/// The texts of a page's details; the raw value is the bit in a record's mask and never changes.
public enum PageText: UInt8, CaseIterable, Sendable {
  case imageURL = 0
  case title = 1
  case subtitle = 2
  case link = 3
  case buttonTitle = 4
  case key = 5

  /// The field's name in the contract.
  public var name: String {
    switch self {
    case .imageURL: "image_url"
    case .title: "title"
    case .subtitle: "subtitle"
    case .link: "link"
    case .buttonTitle: "button_title"
    case .key: "key"
    }
  }
}

/// What a sender told about a page, for display: it describes `(story_id, page_index)`, the newest wins (contract §1).
public struct PageDetails {
  /// The context of the event that it came with, which names the story; 0: none.
  public var contextOffset: UInt32
  /// 0…999.
  public var pageIndex: Int16
  /// The session whose event brought the details.
  public var sessionID: SessionID
  /// Seconds; nil: not said. Never NaN.
  public var durationSeconds: Double?
  /// The page's position in the payload, 0 … 2³¹−1; nil: not said.
  public var payloadIndex: Int32?
  /// Where the image lies. Also the texts below: UTF-8 without U+0000, nil where the sender said nothing.
  public var imageURL: UnsafeRawBufferPointer?
  /// The overlaid title.
  public var title: UnsafeRawBufferPointer?
  /// The overlaid subtitle.
  public var subtitle: UnsafeRawBufferPointer?
  /// The deep link that the button opens.
  public var link: UnsafeRawBufferPointer?
  /// The button's title.
  public var buttonTitle: UnsafeRawBufferPointer?
  /// The sender's own name of the page.
  public var key: UnsafeRawBufferPointer?

  /// Names what every page has; the rest begins absent.
  public init(contextOffset: UInt32, pageIndex: Int16, sessionID: SessionID) {
    self.contextOffset = contextOffset
    self.pageIndex = pageIndex
    self.sessionID = sessionID
  }

  /// The text of this field, or nil.
  public subscript(text: PageText) -> UnsafeRawBufferPointer? {
    get {
      switch text {
      case .imageURL: imageURL
      case .title: title
      case .subtitle: subtitle
      case .link: link
      case .buttonTitle: buttonTitle
      case .key: key
      }
    }
    set {
      switch text {
      case .imageURL: imageURL = newValue
      case .title: title = newValue
      case .subtitle: subtitle = newValue
      case .link: link = newValue
      case .buttonTitle: buttonTitle = newValue
      case .key: key = newValue
      }
    }
  }
}

/// How many events a device says it had to give up (contract §1, `dropped_events_total`).
public struct DroppedEvents {
  /// 0 … 2³¹−1, cumulative per device.
  public var total: Int32
  /// The batch's `device_id`; empty: it gave none.
  public var deviceID: UnsafeRawBufferPointer

  /// Names both.
  public init(total: Int32, deviceID: UnsafeRawBufferPointer) {
    self.total = total
    self.deviceID = deviceID
  }
}
