import Foundation
import StoryEvents
import StoryPlayback

/// What a story is called (`story_id`), and where the name comes from (property `story_id_source`).
struct StoryIdentity: Equatable, Sendable {
  /// Where a story's name comes from.
  enum Source: String, Sendable, CaseIterable {
    /// `pw_stories.story_id` of the payload.
    case payload
    /// The campaign's id.
    case campaign
    /// The message's code, else its id, else its hash.
    case message
    /// A hash of the image URLs in order: the same pictures are the same story.
    case images
  }

  /// At most 200 bytes.
  var storyID: String
  /// Where it comes from.
  var source: Source

  /// The first of these that there is; nil for a payload that says nothing at all.
  init?(payload: StoryPayload, message: MessageIdentity) {
    let images = Self.imageURLs(payload)
    let candidates: [(Source, String?)] = [
      (.payload, payload.storyID), (.campaign, message.campaignID),
      (.message, message.messageCode ?? message.messageID ?? message.messageHash),
      (.images, images.isEmpty ? nil : ImageHash.storyID(images)),
    ]
    for (source, text) in candidates {
      guard let text, let fit = ContractText.fit(text, mostBytes: ContractLimits.storyIDBytes) else { continue }
      self.storyID = fit
      self.source = source
      return
    }
    return nil
  }

  private static func imageURLs(_ payload: StoryPayload) -> [String] {
    switch payload.outcome {
    case .story(let pages): pages.map(\.imageURL.absoluteString)
    case .fallback: []
    }
  }
}
