/// Many phones in one process.
extension StoryClient {
  /// The client of another phone: it writes into this one's queue, as another process of a phone would, and leaves uploading to this
  /// one. So `pagefall simulate --client` plays a world of phones through one queue.
  ///
  /// It never drops what waits, as its clock may be any: looking after the queue's bounds is this one's, too.
  package func sharingQueue(
    _ configuration: StoryClientConfiguration, clock: any ClientClock, randomness: any ClientRandomness,
    facts: DeviceFacts
  ) -> StoryClient {
    var bounds = services.queue.bounds
    bounds.eventsBetweenChecks = .max
    let queue = EventQueue(
      directory: services.queue.directory, files: services.queue.files, clock: clock, randomness: randomness,
      bounds: bounds, consent: configuration.consent, identifier: configuration.installIdentifier)
    let uploader = uploader
    let client = StoryClient(
      ClientServices(configuration: configuration, queue: queue, facts: facts) { uploader.ask($0) }, uploader)
    uploader.ask(.start)
    return client
  }
}
