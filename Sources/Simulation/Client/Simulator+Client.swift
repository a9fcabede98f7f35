import Foundation

extension Simulator {
  /// Runs the whole world through the library that apps use, and returns when everything is acknowledged.
  ///
  /// Times within a session are the world's, arrivals are real. Recording waits for uploading, so that memory and disk are bounded
  /// for worlds of any size (the truth apart: 8 bytes an impression) and the queue never has to drop anything.
  ///
  /// - Throws: `refused`, `unreachable`, `cannotWrite` for the queue's directory, and `invalidConfiguration` also for what the library
  ///   cannot bring over (`ClientConfiguration`).
  public func run(client: ClientConfiguration) throws(SimulationError) -> SimulationSummary {
    if let fault = world.configuration.clientFault { throw .invalidConfiguration(fault) }
    if let rate = client.eventsPerSecond, !(rate > 0 && rate.isFinite) {
      throw .invalidConfiguration("the rate must be above 0 events a second")
    }
    guard let collector = URL(string: client.baseURL), collector.host?.isEmpty == false,
      ["http", "https"].contains(collector.scheme?.lowercased())
    else {
      throw .invalidConfiguration("\(client.baseURL) is no address: expected one such as http://127.0.0.1:8787")
    }
    let directory = try QueueDirectory(client)
    defer { directory.leave() }
    return try run(client, collector: collector, queueDirectory: directory.path)
  }

  private func run(
    _ client: ClientConfiguration, collector: URL, queueDirectory: String
  ) throws(SimulationError) -> SimulationSummary {
    let configuration = world.configuration
    let upload = ClientUpload(client, collector: collector, queueDirectory: queueDirectory)
    let recording = try ClientRecording(configuration, uploading: upload.client, collector: collector)
    let pace = Pace(eventsPerSecond: client.eventsPerSecond)
    var summary = SimulationSummary()
    var truth = ClientTruth(configuration)
    for sessions in ClientSessions(world) {
      let eventCount = sessions.reduce(0) { $0 + $1.events.count }
      pace.wait(for: eventCount) { Thread.sleep(forTimeInterval: $0) }
      recording.record(sessions)
      for session in sessions { truth.count(session) }
      summary.events += eventCount
      try upload.recorded(eventCount)
    }
    try upload.finish()
    truth.fill(&summary, of: self)
    summary.distinctEvents = summary.events
    summary.batches = upload.delivery.requests
    summary.bytes = upload.sentBytes
    summary.delivery = upload.delivery
    summary.delivery?.seconds = pace.elapsedSeconds
    return summary
  }
}

/// Where the queue lies.
private struct QueueDirectory {
  let path: String
  private let isTemporary: Bool

  init(_ client: ClientConfiguration) throws(SimulationError) {
    path = client.queueDirectory ?? client.temporaryDirectory + "/pagefall-client-\(UUID().uuidString)"
    isTemporary = client.queueDirectory == nil
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .cannotWrite("cannot make the queue's directory \(path): \(error.localizedDescription)")
    }
  }

  func leave() {
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }
}
