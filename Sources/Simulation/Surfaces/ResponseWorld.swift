import StoryEvents
import StoryPlayback

/// The interactive notifications of a world (playback §3): their categories, and how people answer.
public struct ResponseWorld: Equatable, Sendable {
  /// The categories, each as likely as the others; at least one.
  public var categories: [NotificationCategory]
  /// How many notifications are answered; each is a session. Default 500.
  public var sessionCount: Int
  /// The weight of an answer by a button. Default 5. A category without buttons is opened or dismissed.
  public var buttonWeight: Double
  /// The weight of a plain open. Default 3.
  public var openWeight: Double
  /// The weight of a dismissal. Default 2.
  public var dismissWeight: Double
  /// The share of opens and dismissals that are of a notification without a category, 0…1. Default 0.1.
  public var uncategorisedShare: Double

  /// Makes the interactive notifications of a world.
  public init(
    categories: [NotificationCategory], sessionCount: Int = 500, buttonWeight: Double = 5, openWeight: Double = 3,
    dismissWeight: Double = 2, uncategorisedShare: Double = 0.1
  ) {
    self.categories = categories
    self.sessionCount = sessionCount
    self.buttonWeight = buttonWeight
    self.openWeight = openWeight
    self.dismissWeight = dismissWeight
    self.uncategorisedShare = uncategorisedShare
  }

  /// Reads the categories of a `registerDevice` response, as phones do.
  ///
  /// - Throws: `invalidConfiguration` where the bytes are none, or where a phone would register nothing of it.
  public init(registerDeviceResponse bytes: some Collection<UInt8>) throws(SimulationError) {
    let response: CategoryResponse
    do {
      response = try CategoryResponse(bytes: bytes)
    } catch {
      throw .invalidConfiguration("\(error)")
    }
    guard !response.categories.isEmpty else {
      let reason = response.skipped.first.map { ": \($0.place) \($0.reason)" } ?? ""
      throw .invalidConfiguration("no category that a phone would register\(reason)")
    }
    self.init(categories: response.categories)
  }

  /// What a notification of a category is answered with.
  func actions(of category: NotificationCategory) -> [Weighted<ResponseAction>] {
    [
      Weighted(.button, weight: category.buttons.isEmpty ? 0 : buttonWeight),
      Weighted(.default, weight: openWeight), Weighted(.dismiss, weight: dismissWeight),
    ]
  }

  /// The buttons of a category: of two neighbours the first is pressed more often.
  static func buttons(of category: NotificationCategory) -> [Weighted<String>] {
    category.buttons.enumerated().map { Weighted($0.element.id, weight: 1 / Double($0.offset + 1)) }
  }

  /// A sentence on the first setting that makes no sense; nil where all do.
  var fault: String? {
    guard !categories.isEmpty else { return "a world with responses needs at least one category" }
    guard sessionCount >= 0 else { return "the number of responses must not be negative" }
    guard (0...1).contains(uncategorisedShare) else {
      return "the share of responses without a category must be within 0 and 1"
    }
    let weights = [buttonWeight, openWeight, dismissWeight]
    guard weights.allSatisfy({ (0...1_000_000).contains($0) }), openWeight + dismissWeight > 0 else {
      return "the weights of responses are from 0 to 1000000, and one of opens and dismissals is above 0"
    }
    func isText(_ text: String) -> Bool { text.utf8.count <= ContractLimits.textBytes && !text.utf8.contains(0) }
    guard categories.allSatisfy({ isText($0.id) && $0.buttons.allSatisfy { isText($0.id) } }) else {
      return "the ids of categories and buttons have at most \(ContractLimits.textBytes) bytes without U+0000"
    }
    return nil
  }
}
