import StoryEvents

/// One session as it is delivered: its events, and what describes them.
public struct SimulatedSession: Sendable {
  /// Its id, a UUIDv7 of its start unless a test says otherwise.
  public var id: SessionID
  /// What it is a session of.
  public var surface: SimulatedSurface
  /// The device that showed it.
  public var device: SimulatedDevice
  /// Its events in the order of their delivery.
  public var events: [SimulatedEvent]
  /// When the device sent them, by its own clock, in microseconds since 1970.
  public var sentAtMicroseconds: Int64
  /// When the last byte arrived, in microseconds since 1970.
  public var receivedAtMicroseconds: Int64
  /// How far its device's clock is ahead, in microseconds; negative where it is behind. All times but the arrival are by
  /// that clock.
  public var clockErrorMicroseconds: Int64 = 0

  /// Whether its clock cannot be right (contract §3): the corrected start lies over an hour ahead of its arrival or over
  /// 400 days behind.
  public var hasSuspectClock: Bool {
    guard let start = correctedStartMicroseconds else { return false }
    let ahead = start - receivedAtMicroseconds
    return ahead > 3_600_000_000 || ahead < -400 * 86_400 * 1_000_000
  }

  /// When it counts (contract §3), in microseconds since 1970: the time in its id, corrected by the clock offset of the
  /// batch that arrived first; its arrival where its clock cannot be right.
  public var countedAtMicroseconds: Int64 {
    hasSuspectClock ? receivedAtMicroseconds : correctedStartMicroseconds ?? receivedAtMicroseconds
  }

  private var correctedStartMicroseconds: Int64? {
    guard let startMilliseconds = id.timeMilliseconds else { return nil }
    let difference = receivedAtMicroseconds - sentAtMicroseconds
    return startMilliseconds * 1_000 + (abs(difference) > 300_000_000 ? difference : 0)
  }
}

/// What a session is of, one of the three things that phones tell of.
public enum SimulatedSurface: Equatable, Sendable {
  /// A story, with its place in `WorldConfiguration.stories`.
  case story(Int)
  /// A rich media, with its place in `RichMediaWorld.contents`.
  case richMedia(Int)
  /// An answer to an interactive notification.
  case response
}

/// One event (contract §1), as far as the simulator sends it.
public struct SimulatedEvent: Equatable, Sendable {
  /// What happened.
  public var type: EventType
  /// Its number in its session.
  public var seq: Int
  /// When, by the device's clock, in microseconds since 1970.
  public var atMicroseconds: Int64
  /// `page_index`, where the type has one.
  public var pageIndex: Int?
  /// `page_count` of a `start`.
  public var pageCount: Int?
  /// `reason` of a `fallback`.
  public var reason: String?
  /// `page.duration` of a `page_shown`, in microseconds.
  public var durationMicroseconds: Int64?
  /// `pages[].duration` of a `start`, in microseconds; nil where it carries no `pages`.
  public var pageDurationsMicroseconds: [Int64?]?

  /// `content_code` of a rich media.
  public var contentCode: String?
  /// `source` of a rich media.
  public var source: RichMediaSource?
  /// `error` of a `rich_media_failed`.
  public var error: String?
  /// `action` of a `notification_response`.
  public var action: ResponseAction?
  /// `category_id` of a `notification_response`.
  public var categoryID: String?
  /// `button_id` of a `notification_response`.
  public var buttonID: String?

  /// Makes an event of a story.
  public init(
    type: EventType, seq: Int, atMicroseconds: Int64, pageIndex: Int? = nil, pageCount: Int? = nil,
    reason: String? = nil, durationMicroseconds: Int64? = nil, pageDurationsMicroseconds: [Int64?]? = nil
  ) {
    self.type = type
    self.seq = seq
    self.atMicroseconds = atMicroseconds
    self.pageIndex = pageIndex
    self.pageCount = pageCount
    self.reason = reason
    self.durationMicroseconds = durationMicroseconds
    self.pageDurationsMicroseconds = pageDurationsMicroseconds
  }
}

/// What describes a session beside its story (contract §1, "Context fields").
public struct SimulatedDevice: Equatable, Sendable {
  /// `device_id`: a random UUID.
  public var deviceID: SessionID
  /// `app_version`.
  public var appVersion: String?
  /// `os_version`.
  public var osVersion: String?
  /// `device_model`.
  public var deviceModel: String?
  /// `locale`.
  public var locale: String?
  /// `sdk_version`.
  public var sdkVersion: String?
  /// `environment`, where devices differ in it; nil is the world's.
  public var environment: String?
  /// `properties`; none sends none.
  public var properties: [SimulatedProperty] = []
}

/// One of a device's `properties` (contract §1).
public struct SimulatedProperty: Equatable, Sendable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: String
}

extension SimulatedEvent {
  /// Makes an event of a rich media.
  public init(
    type: EventType, seq: Int, atMicroseconds: Int64, contentCode: String, source: RichMediaSource? = nil,
    error: String? = nil
  ) {
    self.init(type: type, seq: seq, atMicroseconds: atMicroseconds)
    self.contentCode = contentCode
    self.source = source
    self.error = error
  }

  /// Makes an answer to a notification.
  public init(
    action: ResponseAction, seq: Int, atMicroseconds: Int64, categoryID: String? = nil, buttonID: String? = nil
  ) {
    self.init(type: .notificationResponse, seq: seq, atMicroseconds: atMicroseconds)
    self.action = action
    self.categoryID = categoryID
    self.buttonID = buttonID
  }
}
