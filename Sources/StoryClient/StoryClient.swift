// StoryClient: the phone's side. Callbacks of a story, of rich media and of notification responses become events on disk, and
// leave the phone by themselves.
//
//   StoryClientConfiguration   what an app says once
//   Recording/                 callbacks → events: numbers, times, page details
//   Identity/                  what a session is about: story, message, device
//   Queue/                     events on disk until their answer has come
//   Uploading/                 from there to the collector
//   CRC32                      the checksum of both
//
// It names no type of the SDK: the few lines that do are files to copy (docs/phone-queue.md says what survives what).
import Foundation
import StoryEvents

/// Records what happens on a phone and sends it to a collector. Make one for the process and keep it.
///
/// May be used from any thread, and from an app and its extensions at once on the same App Group. Nothing throws and nothing
/// waits for the network: a story is never held up.
public final class StoryClient: Sendable {
  /// Records modal rich media.
  public let richMedia: RichMediaRecorder
  let services: ClientServices
  let uploader: Uploader

  /// Makes a client; asks for an upload of what earlier processes left.
  public convenience init(_ configuration: StoryClientConfiguration) {
    self.init(
      configuration, clock: SystemClock(), randomness: SystemRandomness(), files: SystemQueueFiles(),
      facts: .current, transport: StandardTransport.make(appGroupIdentifier: configuration.appGroupIdentifier),
      timer: DispatchTimer())
  }

  /// With time, randomness, files, facts and the network from outside.
  package init(
    _ configuration: StoryClientConfiguration, clock: any ClientClock, randomness: any ClientRandomness,
    files: any QueueFiles = SystemQueueFiles(), facts: DeviceFacts = .current, bounds: QueueBounds = QueueBounds(),
    transport: any UploadTransport, timer: any UploadTimer
  ) {
    let queue = EventQueue(
      directory: QueueLocation.directory(configuration), files: files, clock: clock, randomness: randomness,
      bounds: bounds, consent: configuration.consent, identifier: configuration.installIdentifier)
    let uploader = Uploader(
      queue: queue, collector: configuration.collector, writeKey: configuration.writeKey, clock: clock,
      transport: transport, timer: timer, randomness: randomness)
    self.uploader = uploader
    services = ClientServices(configuration: configuration, queue: queue, facts: facts) { uploader.ask($0) }
    richMedia = RichMediaRecorder(services)
    queue.checkBoundsSoon()
    uploader.ask(.start)
  }

  /// Of these parts; asks for nothing.
  init(_ services: ClientServices, _ uploader: Uploader) {
    self.services = services
    self.uploader = uploader
    richMedia = RichMediaRecorder(services)
  }

  /// Begins the session of a story that is about to be shown: call it before the story starts.
  ///
  /// - Parameter userInfo: `notification.request.content.userInfo`.
  public func beginStory(
    userInfo: [AnyHashable: Any], settings: StorySettings = StorySettings()
  ) -> StoryRecorder {
    StoryRecorder(services, userInfo: userInfo, settings: settings)
  }

  /// Records the answer to an interactive notification: a session of one event. Asks for an upload.
  public func recordResponse(_ response: NotificationResponse) {
    var message = response.message
    message.complete(messageID: services.configuration.messageID, campaignID: services.configuration.campaignID)
    let session = SessionRecorder(services, SessionContext(message: message))
    // A button without its category or id says nothing (contract §1).
    let isTellable =
      response.action != .button
      || ContractText.fit(response.categoryIdentifier) != nil && ContractText.fit(response.actionIdentifier) != nil
    session.record(
      .notificationResponse, isTellable: isTellable,
      details: { bytes in
        bytes.append(member: "action", response.action.name)
        bytes.append(member: "category_id", response.categoryIdentifier)
        if response.action == .button { bytes.append(member: "button_id", response.actionIdentifier) }
      })
    session.endFile()
    services.askForUpload(.dismiss)
  }

  /// Writes down, for all processes that share the queue, whether events may be recorded. Taken back, all that waits is forgotten
  /// and running sessions record nothing more; a session that began without consent never records anything.
  public func setConsent(_ isGiven: Bool) { services.queue.setConsent(isGiven) }

  /// Whether events are recorded now.
  public var hasConsent: Bool { services.queue.isRecordingAllowed }

  /// Forgets what waits, the install identifier and the counts; running sessions of every process record nothing more. Consent
  /// stays as it is.
  public func reset() { services.queue.reset() }

  /// Sends what waits, now.
  ///
  /// - Parameter completion: told when nothing more can be done at the moment; on a thread of the client's.
  public func upload(completion: (@Sendable (UploadSummary) -> Void)? = nil) {
    uploader.ask(.request, completion: completion)
  }

  /// How the queue stands. Reads the queue's files: not for the main thread of an app in a hurry.
  public var queue: QueueSummary { services.queue.summary() }
}
