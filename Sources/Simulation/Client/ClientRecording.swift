import Foundation
import StoryClient
import StoryEvents

/// Gives the callbacks of simulated sessions to the library's recorders.
struct ClientRecording {
  private let configuration: WorldConfiguration
  private let messages: [ClientMessage]
  private let uploading: StoryClient
  private let collector: URL
  private let phone = ClientPhone()

  /// Makes the messages ready.
  ///
  /// - Parameters:
  ///   - uploading: the client whose queue is written to.
  ///   - collector: for the configurations of the phones; nothing is sent by them.
  /// - Throws: `unreadableMessage`.
  init(_ configuration: WorldConfiguration, uploading: StoryClient, collector: URL) throws(SimulationError) {
    self.configuration = configuration
    self.uploading = uploading
    self.collector = collector
    var messages: [ClientMessage] = []
    for story in configuration.stories { messages.append(try ClientMessage(story)) }
    self.messages = messages
  }

  /// Plays a session of a story or a response, or the sessions of one visit to an app. What is recorded lies in the queue then.
  func record(_ sessions: [SimulatedSession]) {
    guard let session = sessions.first, let start = session.events.first else { return }
    switch session.surface {
    case .story(let index): record(session, of: messages[index], from: start.atMicroseconds)
    case .richMedia: record(visit: sessions)
    case .response: record(response: session, start)
    }
  }

  private func record(_ session: SimulatedSession, of message: ClientMessage, from start: Int64) {
    let client = client(session.device)
    let arrival = message.arrival(session.events.first { $0.type == .fallback })
    phone.begin(session.id, atMicroseconds: start)
    let recorder = client.beginStory(
      userInfo: arrival.userInfo,
      settings: StorySettings(
        loopsAfterLastPage: configuration.playerOptions.loopsAfterLastPage,
        longPressToPauseEnabled: configuration.playerOptions.longPressToPauseEnabled, campaignID: arrival.campaignID))
    for event in session.events {
      phone.move(toMicroseconds: event.atMicroseconds)
      Self.tell(recorder, event)
    }
  }

  private static func tell(_ recorder: StoryRecorder, _ event: SimulatedEvent) {
    switch event.type {
    case .start: recorder.didStart(pageCount: event.pageCount ?? 0)
    case .pageShown: recorder.didShow(pageIndex: event.pageIndex ?? 0)
    case .actionTap: recorder.didTapAction(pageIndex: event.pageIndex ?? 0)
    case .finish: recorder.didFinish()
    case .fallback: recorder.didShowFallback()
    case .dismiss: recorder.didDismiss()
    case .richMediaDeferred, .richMediaPresented, .richMediaClosed, .richMediaFailed, .notificationResponse: break
    }
  }

  /// The recorder has to find out by itself which presentation each callback is of. Of one content twice in a visit nobody could
  /// (the second close of an auto-close timer looks like the other's first): those get a recorder each.
  private func record(visit: [SimulatedSession]) {
    let codes = Set(visit.map { $0.events.first?.contentCode })
    for sessions in codes.count == visit.count ? [visit] : visit.map({ [$0] }) {
      guard let device = sessions.first?.device else { continue }
      let recorder = client(device).richMedia
      let told = sessions.flatMap { session in session.events.map { (session: session, event: $0) } }
      // Of the same moment in the order of their sessions: between sessions it does not matter, within one it stays.
      let ordered = told.enumerated().sorted { left, right in
        let moments = (left.element.event.atMicroseconds, right.element.event.atMicroseconds)
        return moments.0 != moments.1 ? moments.0 < moments.1 : left.offset < right.offset
      }
      for (session, event) in ordered.map(\.element) {
        phone.begin(session.id, atMicroseconds: event.atMicroseconds)
        tell(recorder, event, of: session)
      }
    }
  }

  private func tell(_ recorder: RichMediaRecorder, _ event: SimulatedEvent, of session: SimulatedSession) {
    let content = RichMediaContent(code: event.contentCode ?? "", source: event.source)
    let window = window(of: session)
    switch event.type {
    case .richMediaDeferred: recorder.didDefer(content, window: window)
    case .richMediaPresented: recorder.didPresent(content, window: window)
    case .richMediaClosed: recorder.didClose(content, window: window)
    case .richMediaFailed: recorder.didFail(content, error: event.error ?? "", window: window)
    case .start, .pageShown, .actionTap, .finish, .fallback, .dismiss, .notificationResponse: break
    }
  }

  private func window(of session: SimulatedSession) -> RichMediaWindow? {
    guard case .richMedia(let index) = session.surface, let media = configuration.richMedia else { return nil }
    let window = media.contents[index].content.window
    return RichMediaWindow(
      position: window.position.rawValue, presentAnimation: window.presentAnimation.rawValue,
      dismissAnimation: window.dismissAnimation.rawValue, haptics: window.haptics.rawValue,
      swipeDirections: window.swipeDirections.map(\.rawValue), cornerRadius: window.cornerRadius,
      autoCloseSeconds: window.autoCloseSeconds)
  }

  private func record(response session: SimulatedSession, _ event: SimulatedEvent) {
    let client = client(session.device)
    let action =
      switch event.action {
      case .button: event.buttonID ?? ""
      case .dismiss: NotificationResponse.dismissActionIdentifier
      case .default, nil: NotificationResponse.defaultActionIdentifier
      }
    phone.begin(session.id, atMicroseconds: event.atMicroseconds)
    client.recordResponse(
      NotificationResponse(actionIdentifier: action, categoryIdentifier: event.categoryID ?? "", userInfo: [:]))
  }

  /// The client of the app on a device.
  private func client(_ device: SimulatedDevice) -> StoryClient {
    var client = StoryClientConfiguration(collector: collector, writeKey: "")
    client.installIdentifier = .custom(device.deviceID.description)
    client.appVersion = device.appVersion
    client.osVersion = device.osVersion
    client.deviceModel = device.deviceModel
    client.locale = device.locale
    client.sdkVersion = device.sdkVersion
    client.environment = device.environment ?? configuration.environment
    for property in device.properties { client.properties[property.name] = .text(property.value) }
    return uploading.sharingQueue(
      client, clock: phone, randomness: phone, facts: DeviceFacts(environment: configuration.environment))
  }
}
