import Foundation
import StoryEvents
import StoryPlayback

/// Records one story that is shown once: what the delegate is told (playback §1.3), and the closing.
///
/// May be called from any thread. Each call is one synchronous append to a file, after which the event survives the end of the
/// process; nothing waits for the network. Sequence numbers, times, page details and the fallback's reason are found here.
/// When the recorder is let go, its session is over.
public final class StoryRecorder: Sendable {
  private let session: SessionRecorder
  private let services: ClientServices
  private let details: PageDetails
  private let fallbackReason: FallbackReason?

  init(_ services: ClientServices, userInfo: [AnyHashable: Any], settings: StorySettings) {
    self.services = services
    let payload = StoryPayload(userInfo: Self.textKeys(userInfo))
    switch payload.outcome {
    case .story(let pages):
      details = PageDetails(pages: pages)
      fallbackReason = nil
    case .fallback(let reason):
      details = PageDetails(pages: [])
      fallbackReason = reason
    }
    var message = MessageIdentity(userInfo: userInfo)
    message.complete(messageID: services.configuration.messageID, campaignID: services.configuration.campaignID)
    message.complete(messageID: settings.messageID, campaignID: settings.campaignID)
    let identity = StoryIdentity(payload: payload, message: message)
    var context = SessionContext(storyID: identity?.storyID, message: message)
    if let identity { context.properties.append(("story_id_source", .text(identity.source.rawValue))) }
    context.properties += settings.properties
    session = SessionRecorder(services, context)
  }

  /// The session's identifier: a UUID of version 7 that begins with the story's start.
  public var sessionID: String { session.id.description }

  /// The story began (`didStartWithPageCount`). More pages than the contract knows (1,000) are not told, and counted as dropped.
  public func didStart(pageCount: Int) {
    record(
      .start, isTellable: ContractLimits.pageCount.contains(pageCount),
      details: { Self.append("page_count", pageCount, to: &$0) }, extras: details.appendPages)
  }

  /// A page was entered (`didShow:at:`).
  public func didShow(pageIndex: Int) {
    record(.pageShown, pageIndex: pageIndex) { [details] in details.appendPage(pageIndex, to: &$0) }
  }

  /// The page's button was tapped (`didTapActionFor:at:`).
  public func didTapAction(pageIndex: Int) { record(.actionTap, pageIndex: pageIndex) { _ in } }

  /// The last page's time ran out (`storiesViewControllerDidFinish`). Asks for an upload.
  public func didFinish() {
    record(.finish)
    services.askForUpload(.finish)
  }

  /// The default content was shown instead (`storiesViewControllerDidShowFallback`). The reason is that of our own reading of the
  /// payload, and none where we would have played the story.
  public func didShowFallback() {
    record(.fallback, details: { $0.append(member: "reason", self.fallbackReason?.rawValue) })
  }

  /// The notification was closed: ends the session and asks for an upload. A second time in a row says nothing new and is not
  /// recorded; what happens after it all the same is.
  public func didDismiss() {
    session.record(.dismiss, isRepeatable: false)
    session.endFile()
    services.askForUpload(.dismiss)
  }

  private func record(_ type: EventType, pageIndex: Int, extras: @escaping (inout [UInt8]) -> Void) {
    record(
      type, isTellable: ContractLimits.pageIndex.contains(pageIndex),
      details: { Self.append("page_index", pageIndex, to: &$0) }, extras: extras)
  }

  private func record(
    _ type: EventType, isTellable: Bool = true, details: (inout [UInt8]) -> Void = { _ in },
    extras: (inout [UInt8]) -> Void = { _ in }
  ) {
    let sequence = session.record(type, isTellable: isTellable, details: details, extras: extras)
    if services.isUploadDue(afterSequence: sequence) { services.askForUpload(.manyEvents) }
  }

  private static func append(_ name: StaticString, _ number: Int, to bytes: inout [UInt8]) {
    bytes.append(memberName: name)
    bytes.append(decimal: number)
  }

  /// A payload's keys are texts; others say nothing to anybody.
  private static func textKeys(_ userInfo: [AnyHashable: Any]) -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in userInfo {
      if let key = key as? String { result[key] = value }
    }
    return result
  }
}
