import Foundation
import StoryEvents
import StoryPlayback

/// A story that the world's phones receive.
public struct SimulatedStory: Equatable, Sendable {
  /// The `story_id` in the context of its events; nil sends none.
  public var storyID: String?
  /// What phones make of its message.
  public var outcome: StoryOutcome
  /// How many of the sessions are its, relative to the other stories' weights.
  public var weight: Double
  /// Its message's bytes, where it was read from some. The app's library reads them itself (`ClientConfiguration`).
  public var message: [UInt8] = []

  /// Makes a story.
  public init(storyID: String?, outcome: StoryOutcome, weight: Double = 1) {
    self.storyID = storyID
    self.outcome = outcome
    self.weight = weight
  }

  /// Reads a story from a message file.
  ///
  /// - Parameters:
  ///   - message: a `createMessage` request, a payload, or a bare block (see `StoryPayload.init(bytes:)`).
  ///   - fileName: the file's name or path, for the default story id and for errors.
  ///   - storyID: the story id; by default `story_id` of the block, else the file's name without its extension.
  ///   - weight: see `weight`.
  /// - Throws: `unreadableMessage`. A message that falls back on a phone is readable: every session falls back.
  public init(
    message: some Collection<UInt8>, fileName: String, storyID: String? = nil, weight: Double = 1
  ) throws(SimulationError) {
    let payload: StoryPayload
    do {
      payload = try StoryPayload(bytes: message)
    } catch {
      throw .unreadableMessage("\(fileName): \(error)")
    }
    let name = URL(fileURLWithPath: fileName).deletingPathExtension().lastPathComponent
    let identifier = storyID ?? payload.storyID ?? name
    guard identifier.utf8.count <= ContractLimits.storyIDBytes, !identifier.unicodeScalars.contains("\u{0}") else {
      throw .invalidConfiguration("the story id must be at most \(ContractLimits.storyIDBytes) bytes without U+0000")
    }
    if case .story(let pages) = payload.outcome, !ContractLimits.pageCount.contains(pages.count) {
      throw .unreadableMessage(
        "\(fileName): \(pages.count) pages, but events can tell of at most \(ContractLimits.pageCount.upperBound)")
    }
    self.init(storyID: identifier, outcome: payload.outcome, weight: weight)
    self.message = Array(message)
  }

  /// The pages that play; none for a message that falls back.
  public var pages: [StoryPage] {
    switch outcome {
    case .story(let pages): pages
    case .fallback: []
    }
  }
}
