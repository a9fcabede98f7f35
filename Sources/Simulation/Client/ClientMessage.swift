import Foundation
import StoryPlayback

/// What arrives on a phone of a story. The library finds everything in it by its own reading: the story's id, its pages,
/// and why it falls back.
struct ClientMessage {
  /// The message's payload, with the story's id in its block.
  private let payload: [String: Any]
  private let storyID: String
  private let hasBlock: Bool
  private let alwaysFallsBack: Bool

  /// Makes the payload of a story's message.
  ///
  /// - Throws: `unreadableMessage` where the story's id cannot be told.
  init(_ story: SimulatedStory) throws(SimulationError) {
    let identifier = story.storyID ?? ""
    var userInfo = try Self.userInfo(story.message)
    hasBlock = Self.name(identifier, in: &userInfo)
    payload = userInfo
    storyID = identifier
    alwaysFallsBack = story.outcome.isFallback
    let arrived = StoryPayload(userInfo: userInfo)
    guard arrived.outcome == story.outcome, arrived.storyID == (hasBlock ? identifier : nil) else {
      throw .unreadableMessage("story \(identifier): its message does not survive being given the story's id")
    }
  }

  /// What a session's notification carries.
  ///
  /// - Parameter fallback: the session's only event where it falls back. A sound message falls back for the reason that the
  ///   world says; where it says none, the phone's SDK did not show what the library would have shown.
  /// - Returns: the payload, and the campaign that the app names where the payload cannot say which story it is.
  func arrival(_ fallback: SimulatedEvent?) -> (userInfo: [AnyHashable: Any], campaignID: String?) {
    let reason = alwaysFallsBack ? nil : fallback?.reason.flatMap { FallbackReason(rawValue: $0) }
    switch reason {
    case nil: return (payload, hasBlock ? nil : storyID)
    case .missingBlock: return (["aps": ["category": "PW_STORIES"]], storyID)
    case .badPageList: return (Self.block(["story_id": storyID, "pages": "[{"]), nil)
    case .noUsablePage: return (Self.block(["story_id": storyID, "pages": [["title": "No image"]]]), nil)
    }
  }

  private static func block(_ block: [String: Any]) -> [AnyHashable: Any] { ["u": ["pw_stories": block]] }

  /// The payload that a message becomes on its way to the phone (playback §1.1).
  private static func userInfo(_ message: [UInt8]) throws(SimulationError) -> [String: Any] {
    let root: [String: Any]
    let source: PayloadSource
    do {
      root = try JSONSerialization.jsonObject(with: Data(message)) as? [String: Any] ?? [:]
      source = try StoryPayload(bytes: message).source
    } catch {
      throw .unreadableMessage("\(error)")
    }
    switch source {
    case .userInfo: return root
    case .block: return ["u": ["pw_stories": root]]
    case .request(let index):
      let request = root["request"] as? [String: Any] ?? root
      let notifications = request["notifications"] as? [Any] ?? []
      guard notifications.indices.contains(index), let notification = notifications[index] as? [String: Any] else {
        return [:]
      }
      var userInfo = notification["ios_root_params"] as? [String: Any] ?? [:]
      userInfo["u"] = notification["data"]
      return userInfo
    }
  }

  /// Puts the id into the block that the phone finds (playback §1.2); false where there is none.
  private static func name(_ identifier: String, in userInfo: inout [String: Any]) -> Bool {
    if let block = named(identifier, userInfo["pw_stories"]) {
      userInfo["pw_stories"] = block
      return true
    }
    for key in ["u", "userdata"] {
      let text = userInfo[key] as? String
      let decoded = text.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) } ?? userInfo[key]
      guard var custom = decoded as? [String: Any], let block = named(identifier, custom["pw_stories"]) else {
        continue
      }
      custom["pw_stories"] = block
      userInfo[key] = text == nil ? custom : encoded(custom)
      return true
    }
    return false
  }

  private static func named(_ identifier: String, _ value: Any?) -> [String: Any]? {
    guard var block = value as? [String: Any] else { return nil }
    block["story_id"] = identifier
    return block
  }

  private static func encoded(_ object: [String: Any]) -> String? {
    (try? JSONSerialization.data(withJSONObject: object)).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension StoryOutcome {
  fileprivate var isFallback: Bool {
    switch self {
    case .fallback: true
    case .story: false
    }
  }
}
