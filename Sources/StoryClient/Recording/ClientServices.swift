/// What every recorder of a client shares.
final class ClientServices: Sendable {
  let configuration: StoryClientConfiguration
  let queue: EventQueue
  let clock: any ClientClock
  let randomness: any ClientRandomness
  let facts: DeviceFacts
  /// Asks for an upload; never waits for it.
  let askForUpload: @Sendable (UploadPlan.Occasion) -> Void

  init(
    configuration: StoryClientConfiguration, queue: EventQueue, facts: DeviceFacts,
    askForUpload: @escaping @Sendable (UploadPlan.Occasion) -> Void
  ) {
    self.configuration = configuration
    self.queue = queue
    clock = queue.clock
    randomness = queue.randomness
    self.facts = facts
    self.askForUpload = askForUpload
  }

  /// Whether the number of a session's events asks for an upload.
  func isUploadDue(afterSequence sequence: Int64?) -> Bool {
    guard let sequence, configuration.uploadsAfterEvents > 0 else { return false }
    return (sequence + 1) % Int64(configuration.uploadsAfterEvents) == 0
  }
}
