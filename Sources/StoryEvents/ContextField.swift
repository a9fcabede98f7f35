/// What may be said about a session beside its events (contract §1, "Context fields"); all optional.
///
/// The raw value is the bit of the field in a mask and its place in a record: it never changes.
public enum ContextField: UInt8, CaseIterable, Sendable {
  case storyID = 0
  case messageHash = 1
  case messageID = 2
  case campaignID = 3
  case deviceID = 4
  case userID = 5
  case appVersion = 6
  case osVersion = 7
  case deviceModel = 8
  case locale = 9
  case sdkVersion = 10
  case environment = 11
  /// An object of at most 32 scalars.
  case properties = 12

  /// The name as it is sent, reported, and used for the column in `sessions`.
  public var name: String {
    switch self {
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
    case .properties: "properties"
    }
  }

  /// The field's bit in a mask of fields.
  public var bit: UInt16 { 1 << UInt16(rawValue) }
}
