import StoryEvents

/// Records modal rich media: what `PWRichMediaPresentingDelegate` is told (playback §2).
///
/// A session is one presentation of one content (contract §1). Which presentation a callback belongs to is found by the content's
/// code (`RichMediaPresentations`): `didPresent` goes on with the one that has been deferred for longest. `didClose` goes to the one
/// that was shown last and has not ended, else to the one that ended last, a second time. `didFail` goes to the one that was shown
/// last and has not ended, else to the one that was closed a moment ago without having been presented, else to the one that
/// has been deferred for longest. Without such a one each of them begins one. May be called from any thread.
public final class RichMediaRecorder: Sendable {
  private let services: ClientServices
  private let presentations = RichMediaPresentations()

  init(_ services: ClientServices) { self.services = services }

  /// The delegate said that it must wait, because another is open.
  public func didDefer(_ content: RichMediaContent, window: RichMediaWindow? = nil) {
    let session = begin(content, window)
    presentations.defer(session, content.code)
    record(.richMediaDeferred, content, in: session)
  }

  /// It was presented.
  public func didPresent(_ content: RichMediaContent, window: RichMediaWindow? = nil) {
    let session = presentations.present(content.code) { begin(content, window) }
    record(.richMediaPresented, content, in: session)
  }

  /// It was closed. Asks for an upload.
  ///
  /// - Parameter window: goes along where this callback is the first of its presentation.
  public func didClose(_ content: RichMediaContent, window: RichMediaWindow? = nil) {
    let session = presentations.close(content.code, atMicroseconds: now) { begin(content, window) }
    record(.richMediaClosed, content, in: session)
    session.endFile()
    services.askForUpload(.dismiss)
  }

  /// It could not be presented. Asks for an upload.
  ///
  /// - Parameter window: goes along where this callback is the first of its presentation, as it is for what was never deferred.
  public func didFail(_ content: RichMediaContent, error: String, window: RichMediaWindow? = nil) {
    let session = presentations.fail(content.code, atMicroseconds: now) { begin(content, window) }
    record(.richMediaFailed, content, in: session) { $0.append(member: "error", error) }
    session.endFile()
    services.askForUpload(.dismiss)
  }

  private var now: Int64 { services.clock.monotonicMicroseconds }

  private func begin(_ content: RichMediaContent, _ window: RichMediaWindow?) -> SessionRecorder {
    var message = content.message
    message.complete(messageID: services.configuration.messageID, campaignID: services.configuration.campaignID)
    let context = SessionContext(message: message, properties: window?.properties ?? [])
    return SessionRecorder(services, context)
  }

  private func record(
    _ type: EventType, _ content: RichMediaContent, in session: SessionRecorder,
    details: (inout [UInt8]) -> Void = { _ in }
  ) {
    let code = ContractText.fit(content.code)
    session.record(
      type, isTellable: code != nil,
      details: { bytes in
        bytes.append(member: "content_code", code)
        bytes.append(member: "source", content.source?.name)
        details(&bytes)
      })
  }
}
