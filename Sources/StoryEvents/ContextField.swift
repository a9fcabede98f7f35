/// What may be said about a session beside its events (contract §1, "Context fields"); all optional.
///
/// The raw value is the bit of the field in a mask and its place in a record: it never changes.
public enum ContextField: UInt8, CaseIterable, Sendable {
  /// Which story: what reports group by. The sender's own name for it.
  case storyID = 0
  /// The message's hash, `p` of the payload.
  case messageHash = 1
  /// The message: a text, or a number 0 … 2⁶⁴−1 whose digits are kept.
  case messageID = 2
  /// The campaign: a text, or a number 0 … 2⁶⁴−1 whose digits are kept.
  case campaignID = 3
  /// What the sender calls the device.
  case deviceID = 4
  /// What the sender calls the user.
  case userID = 5
  /// Version of the app.
  case appVersion = 6
  /// Version of the operating system.
  case osVersion = 7
  /// Model, such as `iPhone17,1`.
  case deviceModel = 8
  /// Language and region, such as `de_DE`.
  case locale = 9
  /// Version of the SDK that showed the story.
  case sdkVersion = 10
  /// Where it happened, such as `production` or `simulator`.
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
